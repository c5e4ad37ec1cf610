/** Level 3 · Scale up the new. */
import {
  getReplicaCountForReplicaSets,
  isRollingUpdate,
  type ScaleOrder,
  scaleOrders,
} from '#given/24-deployment';
import type { Deployment, ReplicaSet } from '#harness';
import { fencepostsOf } from './fenceposts.ts';

export function newRSNewReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  current: number,
): number {
  const { replicas } = deployment.spec;
  if (!isRollingUpdate(deployment)) return replicas;
  const room = replicas + fencepostsOf(deployment).maxSurge - getReplicaCountForReplicaSets(all);
  const missing = replicas - current;
  return current + (room > 0 ? Math.min(room, missing) : 0);
}

export function reconcileNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const { replicas } = newReplicaSet.spec;
  const desired = deployment.spec.replicas;
  const shrinks = replicas > desired;
  return scaleOrders([[newReplicaSet, shrinks ? desired : newRSNewReplicas(deployment, all, replicas)]]);
}
