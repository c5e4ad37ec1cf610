import type { Deployment, ReplicaSet } from '../../api/objects.ts';

/** The pod template of a Deployment. */
export type PodTemplateSpec = Deployment['spec']['template'];

/** The limits of a rolling update. */
export interface Fenceposts {
  /** The maximum number of pods above `replicas`. */
  readonly maxSurge: number;
  /** The maximum number of unavailable pods below `replicas`. */
  readonly maxUnavailable: number;
}

/** The new size of a ReplicaSet. If the size is unchanged, only its annotations are updated. */
export interface ScaleOrder {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** Returns an order for each ReplicaSet whose size changes. */
export function scaleOrders(sizes: readonly (readonly [ReplicaSet, number])[]): ScaleOrder[] {
  return sizes
    .filter(([{ spec }, replicas]) => spec.replicas !== replicas)
    .map(([replicaSet, replicas]) => ({ replicaSet, replicas }));
}

/** A Deployment and its ReplicaSets, as one sync reads them and its writes change them. */
export interface Rollout {
  readonly deployment: Deployment;
  /** The ReplicaSet with the Deployment's template; `undefined` if it does not exist. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** All other ReplicaSets, including those without pods. */
  readonly old: readonly ReplicaSet[];
}

/**
 * Returns the roll-out of a Deployment whose new ReplicaSet is known.
 *
 * @param owned all its ReplicaSets, including the new one
 */
export function rolloutOf(
  deployment: Deployment,
  owned: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): Rollout {
  const old = owned.filter(({ metadata }) => metadata.uid !== newReplicaSet?.metadata.uid);
  return { deployment, newReplicaSet, old };
}

/** Returns all ReplicaSets of a roll-out, the new one last. */
export function allOf({ newReplicaSet, old }: Pick<Rollout, 'newReplicaSet' | 'old'>): ReplicaSet[] {
  return newReplicaSet ? [...old, newReplicaSet] : [...old];
}

/**
 * Returns the ReplicaSets whose `spec.replicas` is above 0, in the given order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go FilterActiveReplicaSets
 */
export function filterActiveReplicaSets(all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(({ spec }) => spec.replicas > 0);
}

/**
 * Compares ReplicaSets by age, for `toSorted`: the oldest first. ReplicaSets created in the same second are ordered by
 * name.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ReplicaSetsByCreationTimestamp
 */
export function byCreationTimestamp(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [a.metadata, b.metadata];
  if (x.creationTimestamp !== y.creationTimestamp) return x.creationTimestamp < y.creationTimestamp ? -1 : 1;
  return x.name < y.name ? -1 : 1;
}

/**
 * Returns the ReplicaSet that is scaled to the full size: the only active ReplicaSet. If none is active, it is the new
 * ReplicaSet, or else the youngest old one. `undefined` if several are active, or if there are no ReplicaSets.
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
 * Returns whether the Deployment replaces its pods step by step instead of all at once.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go IsRollingUpdate
 */
export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec.strategy.type === 'RollingUpdate';
}

/**
 * Returns the desired number of pods of these ReplicaSets: the sum of `spec.replicas`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * GetReplicaCountForReplicaSets
 */
export function getReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ spec }) => spec.replicas);
}

/**
 * Returns the number of pods that these ReplicaSets report: the sum of `status.replicas`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * GetActualReplicaCountForReplicaSets
 */
export function getActualReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ status }) => status.replicas);
}

/**
 * Returns the number of ready pods that these ReplicaSets report.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * GetReadyReplicaCountForReplicaSets
 */
export function getReadyReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ status }) => status.readyReplicas ?? 0);
}

/**
 * Returns the number of available pods that these ReplicaSets report, including pods that a scale-down is about to
 * delete.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go
 * GetAvailableReplicaCountForReplicaSets
 */
export function getAvailableReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all, ({ status }) => status.availableReplicas ?? 0);
}

/**
 * Returns the number of terminating pods of these ReplicaSets. Returns `undefined` if one of them does not report it,
 * unless its controller has never synced it.
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
