import type { Deployment, ReplicaSet } from '../../api/objects.ts';

/** What a Deployment says of its pods. */
export type PodTemplateSpec = Deployment['spec']['template'];

/** Between which numbers of pods a rolling update stays. */
export interface Fenceposts {
  /** How many pods there may be beyond `replicas`. */
  readonly maxSurge: number;
  /** How many of `replicas` may be missing. */
  readonly maxUnavailable: number;
}

/** How big a ReplicaSet is to become. If the size stays, only its annotations are behind. */
export interface ScaleOrder {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** An order for each ReplicaSet that is to have another size. */
export function scaleOrders(sizes: readonly (readonly [ReplicaSet, number])[]): ScaleOrder[] {
  return sizes
    .filter(([{ spec }, replicas]) => spec.replicas !== replicas)
    .map(([replicaSet, replicas]) => ({ replicaSet, replicas }));
}

/** A Deployment and its ReplicaSets, as one sync sees them and as its writes change them. */
export interface Rollout {
  readonly deployment: Deployment;
  /** The ReplicaSet of the Deployment's template; `undefined` if there is none. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** All the others, also those without pods. */
  readonly old: readonly ReplicaSet[];
}

/**
 * The roll-out of a Deployment whose new ReplicaSet is known.
 *
 * @param owned all of its ReplicaSets, the new one among them
 */
export function rolloutOf(
  deployment: Deployment,
  owned: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): Rollout {
  const old = owned.filter(({ metadata }) => metadata.uid !== newReplicaSet?.metadata.uid);
  return { deployment, newReplicaSet, old };
}

/** All ReplicaSets of a roll-out, the new one last. */
export function allOf({ newReplicaSet, old }: Pick<Rollout, 'newReplicaSet' | 'old'>): ReplicaSet[] {
  return newReplicaSet ? [...old, newReplicaSet] : [...old];
}

/**
 * Those that are to have pods: `spec.replicas` is not 0. In the order given.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go FilterActiveReplicaSets
 */
export function filterActiveReplicaSets(all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(({ spec }) => spec.replicas > 0);
}

/**
 * Compares ReplicaSets by age, for `toSorted`: the oldest first; of those created in the same second, by name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ReplicaSetsByCreationTimestamp
 */
export function byCreationTimestamp(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [a.metadata, b.metadata];
  if (x.creationTimestamp !== y.creationTimestamp) return x.creationTimestamp < y.creationTimestamp ? -1 : 1;
  return x.name < y.name ? -1 : 1;
}

/**
 * The one ReplicaSet that gets the whole size: the only active one; if none is active, the new one, or else the youngest of the
 * old. `undefined` if several are active, or if there is none at all.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go FindActiveOrLatest
 */
export function findActiveOrLatest(
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const active = filterActiveReplicaSets(allOf({ newReplicaSet, old }));
  if (active.length > 1) return undefined;
  return active[0] ?? newReplicaSet ?? old.toSorted(byCreationTimestamp).at(-1);
}

/**
 * Does the Deployment replace its pods step by step, and not all at once?
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go IsRollingUpdate
 */
export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec.strategy.type === 'RollingUpdate';
}

/**
 * How many pods these ReplicaSets are to have: the sum of `spec.replicas`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go GetReplicaCountForReplicaSets
 */
export function getReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ spec }) => spec.replicas);
}

/**
 * How many pods these ReplicaSets report: the sum of `status.replicas`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go GetActualReplicaCountForReplicaSets
 */
export function getActualReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ status }) => status.replicas);
}

/**
 * How many ready pods these ReplicaSets report.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go GetReadyReplicaCountForReplicaSets
 */
export function getReadyReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ status }) => status.readyReplicas ?? 0);
}

/**
 * How many available pods these ReplicaSets report, also pods that they have been told to remove since.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * GetAvailableReplicaCountForReplicaSets
 */
export function getAvailableReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ status }) => status.availableReplicas ?? 0);
}

/**
 * How many pods of these ReplicaSets are being deleted. `undefined` if one of them does not say, unless its controller has never
 * looked at it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * GetTerminatingReplicaCountForReplicaSets
 */
export function getTerminatingReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number | undefined {
  const silent = ({ status }: ReplicaSet): boolean => status.terminatingReplicas === undefined;
  if (all.some((each) => silent(each) && (each.status.observedGeneration ?? 0) !== 0)) return undefined;
  return sum(all, ({ status }) => status.terminatingReplicas ?? 0);
}

function sum(all: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return all.reduce((total, each) => total + count(each), 0);
}
