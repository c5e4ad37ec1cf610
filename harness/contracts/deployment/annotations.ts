import type { Deployment, KubeObject, ReplicaSet } from '../../api/objects.ts';
import { byCreationTimestamp } from './facts.ts';

/** Annotation: which roll-out this is: 1, 2, 3. On ReplicaSets, and copied to the Deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** Annotation: the revisions that a ReplicaSet had before it was rolled back to: `1,3`. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** Annotation: what the Deployment's `replicas` was when this ReplicaSet was sized last. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** Annotation: what `replicas` and surge together were then. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** In `progressDeadlineSeconds` and `revisionHistoryLimit` this stands for: none. */
export const MAX_INT32 = 2 ** 31 - 1;

/**
 * The annotations that a ReplicaSet carries once it is sized for this Deployment.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go SetReplicasAnnotations
 *
 * @param maxSurge how many pods there may be beyond `spec.replicas`
 */
export function replicasAnnotations({ spec }: Deployment, maxSurge: number): Record<string, string> {
  return { [DESIRED_REPLICAS]: `${spec.replicas}`, [MAX_REPLICAS]: `${spec.replicas + maxSurge}` };
}

/**
 * Does the ReplicaSet lack one of {@link replicasAnnotations}, or say something else there?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go ReplicasAnnotationsNeedUpdate
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
 * Reads one of the two annotations that say for which size of the Deployment a ReplicaSet was sized.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go getNonNegativeInt32FromAnnotation
 *
 * @returns `undefined` if it is not there, or is no number from 0 to {@link MAX_INT32}
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
 * Has the ReplicaSet all that the Deployment asks for? Its `spec.replicas`, its {@link DESIRED_REPLICAS} and its available pods
 * are all `spec.replicas` of the Deployment.
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
 * The revision of a Deployment or a ReplicaSet, from its annotation: 0 if it has none, `undefined` if that is no integer.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go Revision
 */
export function revision({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[REVISION] ?? '0';
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * The highest revision of these; 0 if there is none.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go MaxRevision
 */
export function maxRevision(all: readonly ReplicaSet[]): number {
  return Math.max(0, ...all.map((replicaSet) => revision(replicaSet) ?? 0));
}

/**
 * Compares ReplicaSets by revision, for `toSorted`: the lowest first; of equals, and if one has no number, the oldest first.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go ReplicaSetsByRevision
 */
export function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [revision(a), revision(b)];
  return x === undefined || y === undefined || x === y ? byCreationTimestamp(a, b) : x - y;
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

/**
 * The annotations that the new ReplicaSet is to have, those of its size apart.
 *
 * - What it has; over that, what the Deployment has, except for what is the Deployment's own (`last-applied-configuration`, the
 *   four above).
 * - {@link REVISION} becomes `newRevision` if that is higher. It never goes back.
 * - If it had a lower revision, it is rolled back to: that one is added to {@link REVISION_HISTORY}, and the oldest are cut.
 * - If its revision is no integer, all its annotations stay as they are.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go SetNewReplicaSetAnnotations
 *
 * @param current what it has; `{}` for one that is about to be created
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
  // The ReplicaSets that came after this one may have been deleted since.
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
 * The annotations of a Deployment that is rolled back to a ReplicaSet: its own stay (`last-applied-configuration`, the four above);
 * the others are those of the ReplicaSet.
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
