/** Level 8 · History and rollback. */
import {
  type Client,
  type Deployment,
  deployments,
  type KubeObject,
  labels,
  type ObjectKey,
  type Patch,
  type ReplicaSet,
  replicaSets,
} from '#harness';
import { DESIRED_REPLICAS, MAX_INT32, MAX_REPLICAS, REVISION, REVISION_HISTORY } from './constants.ts';
import { controllerOf } from './metadata.ts';
import { byAge, equalIgnoreHash, type PodTemplateSpec, withoutHash } from './template.ts';

export function revision({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[REVISION] ?? '0';
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

export function maxRevision(all: readonly ReplicaSet[]): number {
  return Math.max(0, ...all.map((replicaSet) => revision(replicaSet) ?? 0));
}

/** What of the Deployment's annotations is not for its ReplicaSets, and the other way round. */
const ANNOTATIONS_TO_SKIP: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

/** About a hundred revisions. */
const REVISION_HISTORY_CHARS_MAX = 2_000;

export function newReplicaSetAnnotations(
  deployment: Deployment,
  current: Readonly<Record<string, string>>,
  newRevision: number,
  historyCharsMax = REVISION_HISTORY_CHARS_MAX,
): Record<string, string> {
  const annotations = { ...current, ...copied(deployment.metadata.annotations) };
  const { [REVISION]: old = '', [REVISION_HISTORY]: history = '' } = current;
  if (!/^([+-]?\d+)?$/.test(old)) return { ...current };
  // Those that came after this one may have been deleted since: a revision never goes back.
  if (Number(old) >= newRevision) return annotations;
  annotations[REVISION] = String(newRevision);
  if (old === '') return annotations;
  const revisions = history === '' ? [] : history.split(',');
  if (revisions.length === 0) return { ...annotations, [REVISION_HISTORY]: old };
  revisions.push(old);
  while (revisions.length > 1 && revisions.join(',').length > historyCharsMax) revisions.shift();
  const text = revisions.join(',');
  return text.length > historyCharsMax ? annotations : { ...annotations, [REVISION_HISTORY]: text };
}

function copied(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !ANNOTATIONS_TO_SKIP.has(key)));
}

export function findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit;
  if (limit === undefined || limit === MAX_INT32) return [];
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  // One that still has pods is not deleted, and its place is not given to the next.
  return alive
    .toSorted(byRevision)
    .slice(0, Math.max(0, alive.length - limit))
    .filter(
      ({ metadata, spec, status }) =>
        spec.replicas === 0 &&
        status.replicas === 0 &&
        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    );
}

function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [revision(a), revision(b)];
  return x === undefined || y === undefined || x === y ? byAge(a, b) : x - y;
}

export function deploymentRevision(
  { metadata }: Deployment,
  all: readonly ReplicaSet[],
  toRevision = 0,
): ReplicaSet {
  const known = all.filter((replicaSet) => revision(replicaSet) !== undefined);
  if (toRevision !== 0) {
    const found = toRevision > 0 && known.find((replicaSet) => revision(replicaSet) === toRevision);
    if (found) return found;
    throw new Error(`unable to find specified revision ${toRevision} in history`);
  }
  const previous = known.toSorted(byRevision).at(-2);
  if (previous) return previous;
  throw new Error(`no rollout history found for deployment "${metadata.name}"`);
}

function rollbackPatch(deployment: Deployment, target: ReplicaSet): Patch {
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) =>
    ANNOTATIONS_TO_SKIP.has(key),
  );
  const annotations = { ...Object.fromEntries(kept), ...copied(target.metadata.annotations) };
  return {
    type: 'json',
    body: [
      { op: 'replace', path: '/spec/template', value: withoutHash(target.spec.template as PodTemplateSpec) },
      { op: 'replace', path: '/metadata/annotations', value: annotations },
    ],
  };
}

export async function rollback(
  client: Pick<Client, 'get' | 'list' | 'patch'>,
  key: ObjectKey,
  toRevision = 0,
): Promise<string> {
  const deployment = await client.get(deployments, key);
  const { items } = await client.list(replicaSets, {
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    labelSelector: labels.labelSelectorAsSelector(deployment.spec.selector).toString(),
  });
  const owned = items.filter((item) => controllerOf(item)?.uid === deployment.metadata.uid);
  const target = deploymentRevision(deployment, owned, toRevision);
  if (deployment.spec.paused) {
    throw new Error(
      `you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume deployment/${key.name}' and try again`,
    );
  }
  if (equalIgnoreHash(target.spec.template, deployment.spec.template)) {
    return `skipped rollback (current template already matches revision ${toRevision})`;
  }
  await client.patch(deployments, key, rollbackPatch(deployment, target));
  return 'rolled back';
}
