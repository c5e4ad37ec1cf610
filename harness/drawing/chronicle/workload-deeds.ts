import { deepEqual } from '../../api/freeze.ts';
import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, isMarked, ownerDeed, waitingFor } from './deed.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go RevisionAnnotation */
const REVISION = 'deployment.kubernetes.io/revision';

/** Describes a write of a ReplicaSet. */
export function replicaSetDeeds(entry: JournalEntry<ReplicaSet>): readonly Deed[] {
  const { type, object, previous } = entry;
  const { name } = object.metadata;
  const revision = revisionOf(object);
  if (type === 'ADDED') {
    return [
      once(entry, `creates ReplicaSet ${name}${revision && `, ${revision},`} with ${replicas(object)}`),
    ];
  }
  if (type === 'DELETED') return [ending(entry, 'removes', '')];
  if (isMarked(entry)) return [ending(entry, 'deletes', waitingFor(object))];
  if (!previous) return [];
  const owner = ownerDeed(entry as unknown as JournalEntry, 'ReplicaSet');
  if (owner) return [owner];
  const moved = revision !== '' && revision !== revisionOf(previous);
  const deeds: Deed[] = [];
  if (object.spec.replicas !== previous.spec.replicas) {
    deeds.push(
      once(entry, `scales ReplicaSet ${name} from ${previous.spec.replicas} to ${object.spec.replicas}`),
    );
  }
  if (moved) deeds.push(once(entry, `sets ReplicaSet ${name} to ${revision}`));
  if (!deepEqual(object.status, previous.status)) {
    const { replicas: has = 0, readyReplicas: ready = 0, availableReplicas: available = 0 } = object.status;
    const late = available < ready ? `, ${available} available` : '';
    deeds.push(
      status(
        entry,
        `updates the status of ReplicaSet ${name}: ${has} of ${object.spec.replicas} pods, ${ready} ready${late}`,
      ),
    );
  }
  return deeds;
}

/** Describes a write of a Deployment. */
export function deploymentDeeds(entry: JournalEntry<Deployment>): readonly Deed[] {
  const { type, object, previous } = entry;
  const { name } = object.metadata;
  if (type === 'ADDED') {
    return [once(entry, `creates Deployment ${name}: ${replicas(object)} of ${imagesOf(object)}`)];
  }
  if (type === 'DELETED') return [once(entry, `removes Deployment ${name}`)];
  if (isMarked(entry)) return [once(entry, `deletes Deployment ${name}${waitingFor(object)}`)];
  if (!previous) return [];
  const said = deepEqual(object.spec, previous.spec) ? [] : edits(object, previous);
  const deeds = said.map((text) => once(entry, text));
  if (deepEqual(object.status, previous.status)) return deeds;
  const { replicas: has = 0, availableReplicas: available = 0, updatedReplicas: updated = 0 } = object.status;
  const old = has > updated ? `, ${has - updated} of old ReplicaSets` : '';
  deeds.push(
    status(
      entry,
      `updates the status of Deployment ${name}: ${available} of ${object.spec.replicas} available${old}`,
    ),
  );
  for (const condition of object.status.conditions ?? []) {
    const before = previous.status.conditions?.find(({ type }) => type === condition.type);
    if (before?.status === condition.status && before.reason === condition.reason) continue;
    if (STEPS.has(condition.reason ?? '')) continue;
    const text = `sets condition ${condition.type}=${condition.status} on Deployment ${name}: ${condition.reason}`;
    deeds.push({ ...once(entry, text), kind: 'workload-condition' });
  }
  return deeds;
}

/** Reasons that only report progress, which other operations show. */
const STEPS: ReadonlySet<string> = new Set([
  'NewReplicaSetCreated',
  'FoundNewReplicaSet',
  'ReplicaSetUpdated',
]);

function edits({ metadata: { name }, spec }: Deployment, { spec: old }: Deployment): string[] {
  const said: string[] = [];
  if (spec.replicas !== old.replicas)
    said.push(`scales Deployment ${name} from ${old.replicas} to ${spec.replicas}`);
  const [images, before] = [imagesOf({ spec }), imagesOf({ spec: old })];
  if (images !== before) said.push(`changes the image of Deployment ${name} from ${before} to ${images}`);
  else if (!deepEqual(spec.template, old.template)) said.push(`changes the template of Deployment ${name}`);
  if (spec.paused !== old.paused) said.push(`${spec.paused ? 'pauses' : 'resumes'} Deployment ${name}`);
  return said.length > 0 ? said : [`changes Deployment ${name}`];
}

/** An operation with its own sentence. */
function once<T extends Deployment | ReplicaSet>(entry: JournalEntry<T>, text: string): Deed {
  return {
    entry: entry as unknown as JournalEntry,
    kind: 'workload',
    group: `${entry.revision} ${text}`,
    tell: () => text,
  };
}

/** ReplicaSets of one owner usually end together. */
function ending(entry: JournalEntry<ReplicaSet>, verb: string, after: string): Deed {
  const owner = controllerOf(entry.object)?.name;
  const one = `${verb} ReplicaSet ${entry.object.metadata.name}${after}`;
  return {
    entry: entry as unknown as JournalEntry,
    kind: 'workload',
    group: `${verb} ReplicaSets of ${owner ?? 'no owner'}${after}`,
    tell: (deeds) =>
      deeds.length === 1 ? one : `${verb} ${deeds.length} ReplicaSets${owner ? ` of ${owner}` : ''}${after}`,
  };
}

/** Only the last of several writes in a row appears. */
function status<T extends Deployment | ReplicaSet>(entry: JournalEntry<T>, text: string): Deed {
  return {
    entry: entry as unknown as JournalEntry,
    kind: 'workload-status',
    group: `status of ${entry.resource.plural}/${entry.key}`,
    tell: (deeds) => (deeds.at(-1)?.entry === entry ? text : (deeds.at(-1)?.tell(deeds.slice(-1)) ?? text)),
  };
}

function revisionOf({ metadata }: ReplicaSet): string {
  const revision = metadata.annotations?.[REVISION];
  return revision === undefined ? '' : `revision ${revision}`;
}

function replicas({ spec }: { readonly spec: { readonly replicas: number } }): string {
  return spec.replicas === 1 ? '1 replica' : `${spec.replicas} replicas`;
}

function imagesOf({ spec }: Pick<Deployment, 'spec'>): string {
  return (spec.template.spec?.containers ?? []).map(({ image }) => image).join(', ');
}
