import type { KubeObject } from '../../../api/objects.ts';
import { nodes, type Resource } from '../../../api/resource.ts';
import { errors } from '../../../api/status.ts';
import type { Session } from '../../../apiserver/session.ts';
import type { Storage } from '../../../apiserver/storage/storage.ts';
import type { RequestPlan, TokenPlan } from '../scenario/index.ts';
import { isNamed, resourceOf, type Sent, sentBy } from '../scenario/objects.ts';

/**
 * Performs the request of a plan.
 *
 * @param number - differs for each request, so that an update changes something
 */
export async function perform(
  client: Session,
  { verb, object: plan, dryRun = false, token = {} }: RequestPlan,
  storage: Storage,
  number: number,
): Promise<unknown> {
  const resource = resourceOf(plan);
  const sent = sentBy(plan);
  const { name = sent.metadata.generateName ?? '', namespace } = sent.metadata;
  const found = storage.list(resource, { namespace }).find((object) => isNamed(object, name));
  const key = { ...(namespace ? { namespace } : {}), name: found?.metadata.name ?? name };
  const options = dryRun ? { dryRun } : {};
  switch (verb) {
    case 'create':
      return client.create(resource, ownedByNode(sent, storage) as never, options);
    case 'update':
    case 'replace': {
      const { resourceVersion, ...metadata } = changed(found, sent, number, storage)
        .metadata as KubeObject['metadata'];
      const version = verb === 'replace' && resourceVersion ? { resourceVersion } : {};
      const object = {
        ...changed(found, sent, number, storage),
        metadata: { ...metadata, ...key, ...version },
      };
      return client.update(resource, object as never, options);
    }
    case 'patch': {
      const { labels = null } = sent.metadata;
      const body = { metadata: { labels, annotations: { request: String(number) } } };
      return client.patch(resource, key, { type: 'merge', body }, options);
    }
    case 'apply': {
      const apiVersion = resource.group ? `${resource.group}/${resource.version}` : resource.version;
      const body = {
        apiVersion,
        kind: resource.kind,
        ...sent,
        metadata: { ...sent.metadata, name: key.name },
      };
      return client.patch(
        resource,
        key,
        { type: 'apply', body },
        { ...options, fieldManager: 'laws', force: true },
      );
    }
    case 'delete':
      return client.delete(resource, key, { ...options, gracePeriodSeconds: 0 });
    case 'status': {
      if (!found) throw errors.notFound(resource, key.name);
      const { resourceVersion: _, ...own } = found.metadata;
      // The status of a namespace is written with its labels, and that of a node with its labels and taints.
      const isNode = resource.kind === 'Node';
      const labels = isNode ? { ...own.labels, ...sent.metadata.labels } : sent.metadata.labels;
      const metadata = isNode || resource.kind === 'Namespace' ? { ...own, labels } : own;
      const spec =
        isNode && sent.spec ? { spec: { ...(found as { spec?: object }).spec, ...sent.spec } } : {};
      const status = { ...(found as { status?: object }).status, ...newStatus(resource, number) };
      return client.updateStatus(resource, { ...found, ...spec, metadata, status } as never, options);
    }
    case 'scale':
      return client.updateScale(resource, key, { replicas: number % 5 }, options);
    case 'bind':
      return client.bind(key, 'node-a', options);
    case 'evict':
      return client.evict(key, options);
    case 'exec':
    case 'attach':
    case 'portforward':
    case 'proxy': {
      const to = { resource, subresource: verb, namespace: namespace ?? '', name: key.name };
      return client.connect(to, { apiVersion: 'v1', kind: CONNECT_KINDS[verb] });
    }
    case 'token': {
      const account = { ...key, name: 'default' };
      const spec = { audiences: [...(token.audiences ?? [])], ...boundTo(token.bound, key.name, found) };
      return client.createToken(account, { spec }, options);
    }
  }
}

function boundTo(bound: TokenPlan['bound'], name: string, found: KubeObject | undefined): object {
  if (bound === 'to nothing') return {};
  const uid = bound === 'with another uid' ? 'another' : (found?.metadata.uid ?? 'uid');
  const kind = bound === 'to a secret' ? 'Secret' : 'Pod';
  const ref = { apiVersion: 'v1', kind, name };
  return { boundObjectRef: bound === 'without a uid' ? ref : { ...ref, uid } };
}

/** The kinds of the options of a connection. */
const CONNECT_KINDS = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
  proxy: 'PodProxyOptions',
} as const;

/** Returns fields of a status that differ for each request. */
function newStatus({ kind }: Resource, number: number): object {
  if (kind === 'Node') return { capacity: { pods: String(number) } };
  if (kind === 'Deployment') return { observedGeneration: number };
  return kind === 'Namespace' ? {} : { message: `by request ${number}` };
}

/** Returns the object with the real uids of its nodes: a plan knows only their names. */
function ownedByNode(sent: Sent, storage: Storage): Sent {
  const text = JSON.stringify(sent);
  if (!text.includes('"uid-')) return sent;
  const known = text.replaceAll(/"uid-([a-z-]+)"/g, (found, name: string) => {
    const node = storage.get(nodes as Resource, { name });
    return node ? `"${node.metadata.uid}"` : found;
  });
  return JSON.parse(known) as Sent;
}

/** Returns the stored object with the planned labels and the parts that may change; the planned object if none is stored. */
function changed(found: KubeObject | undefined, sent: Sent, number: number, storage: Storage): Sent {
  if (!found) return sent;
  const old = found as unknown as Sent & { readonly spec?: Readonly<Record<string, unknown>> };
  const spec = sent.spec as Readonly<Record<string, unknown>> | undefined;
  const { annotations = {} } = found.metadata;
  const metadata = {
    ...found.metadata,
    labels: { ...sent.metadata.labels },
    annotations: { ...annotations, request: String(number) },
    ...(sent.metadata.ownerReferences && found.kind === 'Node'
      ? { ownerReferences: (ownedByNode(sent, storage) as Sent).metadata.ownerReferences }
      : {}),
  };
  const moved: Record<string, unknown> = {};
  for (const field of CHANGEABLE) if (spec?.[field] !== undefined) moved[field] = spec[field];
  return { ...old, metadata, ...(old.spec ? { spec: { ...old.spec, ...moved } } : {}) };
}

/** Fields of a spec that an update may change: of a pod, a service, a claim, a node. */
const CHANGEABLE = ['activeDeadlineSeconds', 'type', 'resources', 'taints'];
