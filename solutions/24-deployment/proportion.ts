/** Level 5 · Scale in proportion. */
import type { Deployment, ReplicaSet } from '#harness';
import { DESIRED_REPLICAS, MAX_INT32, MAX_REPLICAS } from './constants.ts';
import { isRollingUpdate, maxSurge } from './fenceposts.ts';
import { orders, type ScaleOrder } from './scale-order.ts';
import { getReplicaCountForReplicaSets } from './scale-up.ts';
import { byAge, filterActiveReplicaSets } from './template.ts';

export function getReplicasAnnotation(
  { metadata }: ReplicaSet,
  annotation: typeof DESIRED_REPLICAS | typeof MAX_REPLICAS,
): number | undefined {
  const text = metadata.annotations?.[annotation] ?? '';
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value <= MAX_INT32 ? value : undefined;
}

/** The annotations that a ReplicaSet is to carry when it is sized for this Deployment. */
export function replicasAnnotations(deployment: Deployment): Record<string, string> {
  const desired = deployment.spec.replicas;
  return { [DESIRED_REPLICAS]: `${desired}`, [MAX_REPLICAS]: `${desired + maxSurge(deployment)}` };
}

export function replicasAnnotationsNeedUpdate(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  const current = replicaSet.metadata.annotations ?? {};
  return Object.entries(replicasAnnotations(deployment)).some(([key, value]) => current[key] !== value);
}

export function isSaturated({ spec }: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  if (!replicaSet) return false;
  return (
    replicaSet.spec.replicas === spec.replicas &&
    getReplicasAnnotation(replicaSet, DESIRED_REPLICAS) === spec.replicas &&
    (replicaSet.status.availableReplicas ?? 0) === spec.replicas
  );
}

export function findActiveOrLatest(
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const active = filterActiveReplicaSets(newReplicaSet ? [...old, newReplicaSet] : old);
  if (active.length > 1) return undefined;
  return active[0] ?? newReplicaSet ?? old.toSorted(byAge).at(-1);
}

export function isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean {
  const active = filterActiveReplicaSets(all);
  // Nothing is shared out among the ReplicaSets of a Recreate: one is to vanish before the other grows.
  if (!isRollingUpdate(deployment.spec) && active.length > 1) return false;
  return active.some((replicaSet) => {
    const desired = getReplicasAnnotation(replicaSet, DESIRED_REPLICAS);
    return desired !== undefined && desired !== deployment.spec.replicas;
  });
}

export function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const { replicas } = replicaSet.spec;
  if (deployment.spec.replicas === 0) return -replicas;
  const before = getReplicasAnnotation(replicaSet, MAX_REPLICAS) || deployment.status.replicas || 0;
  if (before === 0) return 0;
  // Of what it was a share of then, it keeps its share now; halves go up.
  return Math.round((replicas * (deployment.spec.replicas + maxSurge(deployment))) / before) - replicas;
}

export function getProportion(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  replicasToAdd: number,
  replicasAdded: number,
): number {
  const allowed = replicasToAdd - replicasAdded;
  if (replicaSet.spec.replicas === 0 || replicasToAdd === 0 || allowed === 0) return 0;
  const fraction = getReplicaSetFraction(deployment, replicaSet);
  return replicasToAdd > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

export function scale(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  const desired = deployment.spec.replicas;
  const active = filterActiveReplicaSets(newReplicaSet ? [...old, newReplicaSet] : old);
  const only = findActiveOrLatest(newReplicaSet, old);
  if (only) return stale(deployment, [[only, desired]], active);
  if (isSaturated(deployment, newReplicaSet))
    return orders(filterActiveReplicaSets(old).map((each) => [each, 0]));
  if (!isRollingUpdate(deployment.spec)) return [];

  const allowedSize = desired > 0 ? desired + maxSurge(deployment) : 0;
  const toAdd = allowedSize - getReplicaCountForReplicaSets(active);
  // The biggest come first; of equals, the newest gain first and the oldest lose first.
  active.sort((a, b) => b.spec.replicas - a.spec.replicas || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let added = 0;
  const sizes = active.map((replicaSet) => {
    const proportion = getProportion(deployment, replicaSet, toAdd, added);
    added += proportion;
    return [replicaSet, replicaSet.spec.replicas + proportion] as [ReplicaSet, number];
  });
  const [first] = sizes;
  // What rounding left over goes to the biggest.
  if (first) first[1] = Math.max(0, first[1] + toAdd - added);
  return stale(deployment, sizes, active);
}

/** Those that change, and those that stay but do not say yet for which size of the Deployment. */
function stale(
  deployment: Deployment,
  sizes: readonly (readonly [ReplicaSet, number])[],
  active: readonly ReplicaSet[],
): ScaleOrder[] {
  const grows = ({ replicaSet, replicas }: ScaleOrder): number =>
    Math.sign(replicas - replicaSet.spec.replicas);
  return (
    sizes
      .map(([replicaSet, replicas]) => ({ replicaSet, replicas }))
      .filter(
        (order) =>
          grows(order) !== 0 ||
          (active.includes(order.replicaSet) && replicasAnnotationsNeedUpdate(deployment, order.replicaSet)),
      )
      // Nobody else writes between two of these, but the controller may die there: first make room, then use it.
      .sort((a, b) => Number(grows(a) > 0) - Number(grows(b) > 0))
  );
}
