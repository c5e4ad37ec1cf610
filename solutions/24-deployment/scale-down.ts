/** Level 4 · Scale down the old, unhealthy first. */
import type { Deployment, ReplicaSet } from '#harness';
import { minAvailable } from './fenceposts.ts';
import { orders, type ScaleOrder } from './scale-order.ts';
import { getReplicaCountForReplicaSets, sum } from './scale-up.ts';
import { byAge } from './template.ts';

/** A status may still count pods that the ReplicaSet has been told to remove: those are as good as gone. */
function availableOf({ spec, status }: ReplicaSet): number {
  return Math.min(status.availableReplicas ?? 0, spec.replicas);
}

export function getAvailableReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all.map(availableOf));
}

export function cleanupUnhealthyReplicas(old: readonly ReplicaSet[], maxCleanupCount: number): ScaleOrder[] {
  let left = Math.max(0, maxCleanupCount);
  return orders(
    old.toSorted(byAge).map((replicaSet) => {
      const cleaned = Math.min(left, replicaSet.spec.replicas - availableOf(replicaSet));
      left -= cleaned;
      return [replicaSet, replicaSet.spec.replicas - cleaned];
    }),
  );
}

export function scaleDownOldReplicaSetsForRollingUpdate(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  let left = Math.max(0, getAvailableReplicaCountForReplicaSets(all) - minAvailable(deployment));
  return orders(
    old.toSorted(byAge).map((replicaSet) => {
      const removed = Math.min(left, replicaSet.spec.replicas);
      left -= removed;
      return [replicaSet, replicaSet.spec.replicas - removed];
    }),
  );
}

export function reconcileOldReplicaSets(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const all = [...old, newReplicaSet];
  // New pods that are not available yet may never be: what they add to the total is not there to be spent.
  const newUnavailable = newReplicaSet.spec.replicas - availableOf(newReplicaSet);
  const maxScaledDown = getReplicaCountForReplicaSets(all) - minAvailable(deployment) - newUnavailable;
  if (maxScaledDown <= 0) return [];

  const cleaned = resized(old, cleanupUnhealthyReplicas(old, maxScaledDown));
  const drained = resized(
    cleaned,
    scaleDownOldReplicaSetsForRollingUpdate(deployment, [...cleaned, newReplicaSet], cleaned),
  );
  return orders(old.map((replicaSet, i) => [replicaSet, drained[i]?.spec.replicas ?? 0] as const)).sort(
    (a, b) => byAge(a.replicaSet, b.replicaSet),
  );
}

/** What will be once these orders are written. */
function resized(all: readonly ReplicaSet[], changes: readonly ScaleOrder[]): ReplicaSet[] {
  const sizes = new Map(changes.map(({ replicaSet, replicas }) => [replicaSet.metadata.uid, replicas]));
  return all.map((replicaSet) => {
    const { metadata, spec } = replicaSet;
    return { ...replicaSet, spec: { ...spec, replicas: sizes.get(metadata.uid) ?? spec.replicas } };
  });
}
