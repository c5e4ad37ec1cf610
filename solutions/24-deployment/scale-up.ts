/** Level 3 · Scale up the new. */
import type { Deployment, ReplicaSet } from '#harness';
import { maxSurge } from './fenceposts.ts';
import { orders, type ScaleOrder } from './scale-order.ts';

export function getReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all.map(({ spec }) => spec.replicas));
}

export function getActualReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all.map(({ status }) => status.replicas));
}

export function newRSNewReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: Pick<ReplicaSet, 'spec'>,
): number {
  const { spec } = deployment;
  switch (spec.strategy.type) {
    case 'Recreate':
      return spec.replicas;
    case 'RollingUpdate': {
      const room = spec.replicas + maxSurge(deployment) - getReplicaCountForReplicaSets(all);
      const missing = spec.replicas - newReplicaSet.spec.replicas;
      return newReplicaSet.spec.replicas + (room > 0 ? Math.min(room, missing) : 0);
    }
    default:
      throw new Error(`Failed to size the new ReplicaSet: unknown strategy "${spec.strategy.type}".`);
  }
}

export function reconcileNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const desired = deployment.spec.replicas;
  const shrinks = newReplicaSet.spec.replicas > desired;
  return orders([[newReplicaSet, shrinks ? desired : newRSNewReplicas(deployment, all, newReplicaSet)]]);
}

/** The sum of the numbers; 0 when there are none. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
