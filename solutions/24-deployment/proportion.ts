/** Level 10 ★ · Scale in proportion. */
import {
  allOf,
  byCreationTimestamp,
  DESIRED_REPLICAS,
  filterActiveReplicaSets,
  findActiveOrLatest,
  getReplicaCountForReplicaSets,
  getReplicasAnnotation,
  isRollingUpdate,
  isSaturated,
  MAX_REPLICAS,
  replicasAnnotationsNeedUpdate,
  type ScaleOrder,
  scaleOrders,
} from '#given/24-deployment';
import type { Deployment, ReplicaSet } from '#harness';
import { fencepostsOf } from './fenceposts.ts';

export function isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean {
  const active = filterActiveReplicaSets(all);
  // A Recreate strategy has no proportions: the old ReplicaSet must vanish before the new one grows.
  if (!isRollingUpdate(deployment) && active.length > 1) return false;
  return active.some((replicaSet) => {
    const desired = getReplicasAnnotation(replicaSet, DESIRED_REPLICAS);
    return desired !== undefined && desired !== deployment.spec.replicas;
  });
}

export function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const { replicas } = replicaSet.spec;
  const desired = deployment.spec.replicas;
  if (desired === 0) return -replicas;
  const before = getReplicasAnnotation(replicaSet, MAX_REPLICAS) || deployment.status.replicas || 0;
  if (before === 0) return 0;
  const now = desired + fencepostsOf(deployment).maxSurge;
  return Math.round((replicas * now) / before) - replicas;
}

export function getReplicaSetProportion(
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
  const { replicas } = deployment.spec;
  const only = findActiveOrLatest(newReplicaSet, old);
  if (only) return stale(deployment, [[only, replicas]]);
  if (isSaturated(deployment, newReplicaSet)) {
    return scaleOrders(filterActiveReplicaSets(old).map((each) => [each, 0]));
  }
  if (!isRollingUpdate(deployment)) return [];
  const active = filterActiveReplicaSets(allOf({ newReplicaSet, old }));
  const allowedSize = replicas > 0 ? replicas + fencepostsOf(deployment).maxSurge : 0;
  const toAdd = allowedSize - getReplicaCountForReplicaSets(active);
  const byAge = (a: ReplicaSet, b: ReplicaSet): number => byCreationTimestamp(a, b) * (toAdd > 0 ? -1 : 1);
  let added = 0;
  const sizes = active
    .sort((a, b) => b.spec.replicas - a.spec.replicas || byAge(a, b))
    .map((replicaSet): [ReplicaSet, number] => {
      const proportion = getReplicaSetProportion(deployment, replicaSet, toAdd, added);
      added += proportion;
      return [replicaSet, replicaSet.spec.replicas + proportion];
    });
  const [first] = sizes;
  // The largest gets the rounding difference.
  if (first) first[1] = Math.max(0, first[1] + toAdd - added);
  return stale(deployment, sizes);
}

/**
 * Returns orders for the ReplicaSets that change, and for those whose annotations do not have the Deployment's present
 * size yet.
 */
function stale(deployment: Deployment, sizes: readonly (readonly [ReplicaSet, number])[]): ScaleOrder[] {
  const { maxSurge } = fencepostsOf(deployment);
  const grows = ({ replicaSet, replicas }: ScaleOrder): number =>
    Math.sign(replicas - replicaSet.spec.replicas);
  const isBehind = ({ replicaSet }: ScaleOrder): boolean =>
    replicaSet.spec.replicas > 0 && replicasAnnotationsNeedUpdate(deployment, replicaSet, maxSurge);
  return (
    sizes
      .map(([replicaSet, replicas]) => ({ replicaSet, replicas }))
      .filter((order) => grows(order) !== 0 || isBehind(order))
      // The controller may crash between two orders: shrink first, then grow.
      .sort((a, b) => Number(grows(a) > 0) - Number(grows(b) > 0))
  );
}
