/** Level 4 · Scale down the old, unhealthy first. */
import {
  byCreationTimestamp,
  getReplicaCountForReplicaSets,
  type ScaleOrder,
  scaleOrders,
} from '#given/24-deployment';
import type { Deployment, ReplicaSet } from '#harness';
import { fencepostsOf } from './fenceposts.ts';

/** A status may still count pods that the ReplicaSet must delete; they do not count as available. */
function availableOf({ spec, status }: ReplicaSet): number {
  return Math.min(status.availableReplicas ?? 0, spec.replicas);
}

export function cleanupUnhealthyReplicas(old: readonly ReplicaSet[], maxCleanupCount: number): ScaleOrder[] {
  return takeInTurn(old, maxCleanupCount, (each) => each.spec.replicas - availableOf(each));
}

export function scaleDownOldReplicaSetsForRollingUpdate(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  const available = all.reduce((total, each) => total + availableOf(each), 0);
  return takeInTurn(old, available - minAvailable(deployment), ({ spec }) => spec.replicas);
}

/** Takes up to `upTo` replicas from each ReplicaSet, oldest first, and at most `count` in total. */
function takeInTurn(
  old: readonly ReplicaSet[],
  count: number,
  upTo: (replicaSet: ReplicaSet) => number,
): ScaleOrder[] {
  let left = Math.max(0, count);
  return scaleOrders(
    old.toSorted(byCreationTimestamp).map((replicaSet) => {
      const taken = Math.min(left, upTo(replicaSet));
      left -= taken;
      return [replicaSet, replicaSet.spec.replicas - taken];
    }),
  );
}

export function reconcileOldReplicaSets(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const all = [...old, newReplicaSet];
  // New pods that are not available yet may never be, so they allow no old pod to be deleted.
  const newUnavailable = newReplicaSet.spec.replicas - availableOf(newReplicaSet);
  const maxScaledDown = getReplicaCountForReplicaSets(all) - minAvailable(deployment) - newUnavailable;
  if (maxScaledDown <= 0) return [];

  const cleaned = resized(old, cleanupUnhealthyReplicas(old, maxScaledDown));
  const alive = [...cleaned, newReplicaSet];
  const drained = resized(cleaned, scaleDownOldReplicaSetsForRollingUpdate(deployment, alive, cleaned));
  return scaleOrders(old.map((replicaSet, i) => [replicaSet, drained[i]?.spec.replicas ?? 0] as const));
}

function minAvailable(deployment: Deployment): number {
  return deployment.spec.replicas - fencepostsOf(deployment).maxUnavailable;
}

/** Returns the ReplicaSets as these orders will make them. */
function resized(all: readonly ReplicaSet[], changes: readonly ScaleOrder[]): ReplicaSet[] {
  const sizes = new Map(changes.map(({ replicaSet, replicas }) => [replicaSet.metadata.uid, replicas]));
  return all.map((replicaSet) => {
    const { metadata, spec } = replicaSet;
    return { ...replicaSet, spec: { ...spec, replicas: sizes.get(metadata.uid) ?? spec.replicas } };
  });
}
