import type { Deployment, KubeObject, ReplicaSet } from '../../api/objects.ts';
import { byCreationTimestamp } from './facts.ts';

/** Annotation: the number of the roll-out: 1, 2, 3. Set on ReplicaSets, and copied to the Deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** Annotation: earlier revisions of a ReplicaSet that was the target of a rollback: `1,3`. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** Annotation: the Deployment's `replicas` when this ReplicaSet was last sized. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** Annotation: the sum of `replicas` and surge at that time. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** The value for "no limit" in `progressDeadlineSeconds` and `revisionHistoryLimit`. */
export const MAX_INT32 = 2 ** 31 - 1;

/**
 * Returns the annotations that a ReplicaSet gets when it is sized for this Deployment. With 10 replicas and a surge of
 * 3, {@link DESIRED_REPLICAS} is `10` and {@link MAX_REPLICAS} is `13`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go SetReplicasAnnotations
 *
 * @param maxSurge the maximum number of pods above `spec.replicas`
 */
export function replicasAnnotations({ spec }: Deployment, maxSurge: number): Record<string, string> {
  return { [DESIRED_REPLICAS]: `${spec.replicas}`, [MAX_REPLICAS]: `${spec.replicas + maxSurge}` };
}

/**
 * Returns whether one of the {@link replicasAnnotations} of the ReplicaSet is missing or has another value.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * ReplicasAnnotationsNeedUpdate
 */
export function replicasAnnotationsNeedUpdate(
  deployment: Deployment,
  { metadata }: ReplicaSet,
  maxSurge: number,
): boolean {
  return Object.entries(replicasAnnotations(deployment, maxSurge)).some(
    ([key, value]) => metadata.annotations?.[key] !== value,
  );
}

/**
 * Returns one of the two annotations that record the size of the Deployment for which a ReplicaSet was sized.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * getNonNegativeInt32FromAnnotation
 *
 * @returns `undefined` if the annotation is missing, or is not a number from 0 to {@link MAX_INT32}
 */
export function getReplicasAnnotation(
  { metadata }: ReplicaSet,
  annotation: typeof DESIRED_REPLICAS | typeof MAX_REPLICAS,
): number | undefined {
  const text = metadata.annotations?.[annotation] ?? '';
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value <= MAX_INT32 ? value : undefined;
}

/**
 * Returns whether the ReplicaSet has all pods of the Deployment: its `spec.replicas`, its {@link DESIRED_REPLICAS} and
 * its available pods all equal `spec.replicas` of the Deployment.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go IsSaturated
 */
export function isSaturated({ spec }: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  if (!replicaSet) return false;
  return (
    replicaSet.spec.replicas === spec.replicas &&
    getReplicasAnnotation(replicaSet, DESIRED_REPLICAS) === spec.replicas &&
    (replicaSet.status.availableReplicas ?? 0) === spec.replicas
  );
}

/**
 * Returns the revision of a Deployment or a ReplicaSet from its annotation: 0 without the annotation, `undefined` if it
 * is not an integer.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go Revision
 */
export function revision({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[REVISION] ?? '0';
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the highest revision of these ReplicaSets; 0 if the list is empty.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go MaxRevision
 */
export function maxRevision(all: readonly ReplicaSet[]): number {
  return Math.max(0, ...all.map((replicaSet) => revision(replicaSet) ?? 0));
}

/**
 * Compares ReplicaSets by revision, for `toSorted`, in ascending order. If the revisions are equal, or one of them is
 * not a number, the older ReplicaSet comes first.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go ReplicaSetsByRevision
 */
export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [revision(a), revision(b)];
  return x === undefined || y === undefined || x === y ? byCreationTimestamp(a, b) : x - y;
}

/** Annotations that are never copied between a Deployment and its ReplicaSets. */
const ANNOTATIONS_TO_SKIP: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

/** Enough for about a hundred revisions. */
const REVISION_HISTORY_CHARS_MAX = 2_000;

/**
 * Returns the annotations for the new ReplicaSet, without the annotations of its size.
 *
 * - Start with `current`. Annotations of the Deployment override them, except the Deployment's own:
 *   `last-applied-configuration` and the four above.
 * - {@link REVISION} becomes `newRevision` if that is higher. It never decreases.
 * - If the ReplicaSet had a lower revision, this is a rollback: that revision is added to {@link REVISION_HISTORY}, and
 *   the oldest entries are dropped if it gets too long.
 * - If its revision is not an integer, all its annotations stay unchanged.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go SetNewReplicaSetAnnotations
 *
 * @param current the current annotations of the ReplicaSet; `{}` for a ReplicaSet that is about to be created
 * @param historyCharsMax @defaultValue 2000
 */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  current: Readonly<Record<string, string>>,
  newRevision: number,
  historyCharsMax = REVISION_HISTORY_CHARS_MAX,
): Record<string, string> {
  const { [REVISION]: before = '', [REVISION_HISTORY]: history = '' } = current;
  if (!/^([+-]?\d+)?$/.test(before)) return { ...current };
  const annotations = { ...current, ...copied(deployment.metadata.annotations) };
  // Later ReplicaSets may have been deleted, so this revision may already be the highest.
  if (Number(before) >= newRevision) return annotations;
  annotations[REVISION] = String(newRevision);
  if (before === '') return annotations;
  if (history === '') return { ...annotations, [REVISION_HISTORY]: before };
  const revisions = [...history.split(','), before];
  while (revisions.length > 1 && revisions.join(',').length > historyCharsMax) revisions.shift();
  const text = revisions.join(',');
  return text.length > historyCharsMax ? annotations : { ...annotations, [REVISION_HISTORY]: text };
}

/**
 * Returns the annotations of a Deployment after a rollback to a ReplicaSet. The Deployment keeps its own
 * (`last-applied-configuration`, the four above) and gets the others from the ReplicaSet.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollback.go DeploymentRollbacker.Rollback
 */
export function rolledBackAnnotations(deployment: Deployment, target: ReplicaSet): Record<string, string> {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) =>
    ANNOTATIONS_TO_SKIP.has(key),
  );
  return { ...Object.fromEntries(own), ...copied(target.metadata.annotations) };
}

function copied(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !ANNOTATIONS_TO_SKIP.has(key)));
}
