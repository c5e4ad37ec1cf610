/** The functions of the short way, as a first draft: one number bounds the pods that old ReplicaSets lose, available or not. */
import {
  byCreationTimestamp,
  getReplicaCountForReplicaSets,
  type ScaleOrder,
  scaleOrders,
} from '#given/24-deployment';
import type { Deployment, ReplicaSet } from '#harness';
import { fencepostsOf } from './fenceposts.ts';

export function reconcileOldReplicaSets(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const required = deployment.spec.replicas - fencepostsOf(deployment).maxUnavailable;
  const pending = newReplicaSet.spec.replicas - available(newReplicaSet);
  let surplus = Math.max(0, getReplicaCountForReplicaSets([...old, newReplicaSet]) - required - pending);
  return scaleOrders(
    old.toSorted(byCreationTimestamp).map((each) => {
      // A ReplicaSet that shrinks deletes its unavailable pods first.
      const removed = Math.min(surplus, each.spec.replicas);
      surplus -= removed;
      return [each, each.spec.replicas - removed];
    }),
  );
}

function available({ spec, status }: ReplicaSet): number {
  return Math.min(status.availableReplicas ?? 0, spec.replicas);
}
