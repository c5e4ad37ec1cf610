import { stringify } from 'yaml';
import type { EndpointSlice, Event, KubeObject, Pod, Service } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { endpointSlices, events, groupResource, pods, type Resource, services } from '../../api/resource.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { EventDetails, ObjectDetails, RevisionDetails, Subject } from '../protocol/details.ts';
import { changesOf } from './changes.ts';
import { type JournalIndex, stored } from './journal-index.ts';
import type { Messages } from './messages.ts';
import { serviceOf } from './predicates.ts';

/** The number of writes that are listed at most. */
const REVISIONS_MAX = 200;
/** The number of dependents that are listed at most. */
const RELATED_MAX = 60;

/** Dependencies of {@link objectDetailsOf}. */
interface ObjectDetailsOptions {
  readonly cluster: Cluster;
  readonly index: JournalIndex;
  readonly messages: Messages;
  readonly zeroMs: number;
  readonly describe: (resource: string, key: string) => Promise<string | undefined>;
}

/** Returns an object and its history. Undefined if no object ever had this name. */
export async function objectDetailsOf(
  { resource, key }: Extract<Subject, { kind: 'object' }>,
  { cluster, index, messages, zeroMs, describe }: ObjectDetailsOptions,
): Promise<ObjectDetails | undefined> {
  const writes = index.of(resource, key);
  const last = writes.at(-1);
  if (!last) return undefined;
  const exists = last.type !== 'DELETED';
  const description = exists ? await describe(resource, key) : undefined;
  return {
    kind: 'object',
    resource,
    key,
    ...(exists && { yaml: yamlOf(last.object) }),
    ...(description !== undefined && { describe: description }),
    revisions: writes
      .slice(-REVISIONS_MAX)
      .map((write) => revisionOf(write, { messages, zeroMs }))
      .reverse(),
    events: eventsOf(last.object, { cluster, index, zeroMs }),
    related: relatedTo(last, { cluster, index }),
  };
}

/** Returns an object as YAML, without the owners of its fields. */
export function yamlOf({ metadata, ...object }: KubeObject): string {
  const { managedFields: _, ...rest } = metadata;
  const { apiVersion, kind, ...parts } = object;
  return stringify(
    { apiVersion, kind, metadata: rest, ...parts },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );
}

/** Returns one write, the fields that it changed, and its request. */
export function revisionOf(
  write: JournalEntry,
  { messages, zeroMs }: Pick<ObjectDetailsOptions, 'messages' | 'zeroMs'>,
): RevisionDetails {
  const { revision, atMs, actor, verb } = write;
  const message = messages.ofRevision(revision);
  const changes = changesOf(write);
  return { revision, atMs: atMs - zeroMs, actor, verb, changes, ...(message !== undefined && { message }) };
}

function eventsOf(
  { metadata: { uid } }: KubeObject,
  { cluster, index, zeroMs }: Pick<ObjectDetailsOptions, 'cluster' | 'index' | 'zeroMs'>,
): readonly EventDetails[] {
  const own = stored<Event>(cluster, events).filter(({ involvedObject }) => involvedObject.uid === uid);
  return own
    .map((event) => {
      const {
        type = '',
        reason = '',
        message = '',
        count,
        series,
        source,
        reportingComponent,
        metadata,
      } = event;
      const write = index.withUID(metadata.uid);
      return {
        atMs: (write?.atMs ?? zeroMs) - zeroMs,
        type,
        reason,
        from: [source?.component || reportingComponent, source?.host].filter(Boolean).join(', '),
        message,
        count: series?.count ?? count ?? 1,
      };
    })
    .sort((a, b) => a.atMs - b.atMs);
}

type Related = ObjectDetails['related'][number];

function relatedTo(
  { resource, object }: JournalEntry,
  { cluster, index }: Pick<ObjectDetailsOptions, 'cluster' | 'index'>,
): readonly Related[] {
  const { metadata } = object;
  const everything = cluster.storage.everything();
  const owners = (metadata.ownerReferences ?? []).map(({ uid, kind, name, controller }): Related => {
    const write = index.withUID(uid);
    const subject: Subject = write
      ? subjectOf(write.resource, write.object)
      : { kind: 'object', resource: kind, key: name };
    return { relation: controller ? 'controlled by' : 'owned by', subject, label: `${kind} ${name}` };
  });
  const dependents = everything
    .filter(({ object: each }) => each.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
    .slice(0, RELATED_MAX)
    .map(
      (each): Related => ({
        relation: controllerOf(each.object)?.uid === metadata.uid ? 'controls' : 'owns',
        subject: subjectOf(each.resource, each.object),
        label: labelOf(each.resource, each.object),
      }),
    );
  const worker = workerOn(groupResource(resource), object);
  const workers: readonly Related[] = worker
    ? [{ relation: 'worked on by', subject: { kind: 'component', name: worker }, label: worker }]
    : [];
  return [
    ...owners,
    ...dependents,
    ...workers,
    ...(aroundIn[groupResource(resource)]?.(object as never, cluster) ?? []),
  ];
}

const aroundIn: Readonly<Record<string, (object: never, cluster: Cluster) => readonly Related[]>> = {
  [groupResource(pods)]: aroundPod,
  [groupResource(services)]: aroundService,
};

/** Returns the process that works on an object, and knows what it waits for. */
function workerOn(resource: string, object: KubeObject): string | undefined {
  switch (resource) {
    case 'deployments.apps':
      return 'deployment-controller';
    case 'replicasets.apps':
      return 'replicaset-controller';
    case 'services':
      return 'endpointslice-controller';
    case 'pods': {
      const { nodeName } = (object as Pod).spec;
      return nodeName ? `kubelet-${nodeName}` : 'default-scheduler';
    }
    default:
      return undefined;
  }
}

function aroundPod({ spec, metadata }: Pod, cluster: Cluster): readonly Related[] {
  const node = spec.nodeName;
  const slices = stored<EndpointSlice>(cluster, endpointSlices).filter(({ endpoints }) =>
    endpoints?.some(({ targetRef }) => targetRef?.uid === metadata.uid),
  );
  const names = new Set(slices.flatMap((slice) => serviceOf(slice) ?? []));
  return [
    ...(node
      ? [{ relation: 'runs on', subject: { kind: 'node', name: node }, label: `Node ${node}` } as const]
      : []),
    ...[...names].map(
      (name): Related => ({
        relation: 'endpoint of',
        subject: { kind: 'object', resource: 'services', key: `${metadata.namespace}/${name}` },
        label: `Service ${name}`,
      }),
    ),
  ];
}

function aroundService({ metadata }: Service, cluster: Cluster): readonly Related[] {
  return stored<EndpointSlice>(cluster, endpointSlices)
    .filter((slice) => serviceOf(slice) === metadata.name && slice.metadata.namespace === metadata.namespace)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .flatMap(({ targetRef, conditions }): readonly Related[] => {
      if (targetRef?.kind !== 'Pod') return [];
      const subject = {
        kind: 'object',
        resource: 'pods',
        key: `${targetRef.namespace}/${targetRef.name}`,
      } as const;
      const relation = (conditions?.ready ?? true) ? 'sends to' : 'does not send to';
      return [{ relation, subject, label: `Pod ${targetRef.name}` }];
    })
    .slice(0, RELATED_MAX);
}

/** Returns the subject of an object. */
export function subjectOf(resource: Resource, { metadata }: KubeObject): Subject {
  const { namespace, name } = metadata;
  return {
    kind: 'object',
    resource: groupResource(resource),
    key: namespace ? `${namespace}/${name}` : name,
  };
}

/** Returns `Pod web-1`. */
export function labelOf({ kind }: Pick<Resource, 'kind'>, { metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}
