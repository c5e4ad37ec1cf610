import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import type { DeploymentSyncContext } from './controller.ts';
import { findActiveOrLatest, type Rollout, type ScaleOrder, scaleOrders } from './facts.ts';

/** The functions that the levels marked ★ add to a Deployment controller. */
export interface OptionalParts {
  /** Level 10: returns whether `spec.replicas` has changed since the ReplicaSets were sized. */
  isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean;
  /**
   * Level 10: returns the orders to scale when the size has changed or the Deployment is paused, without a roll-out.
   */
  scale(
    deployment: Deployment,
    newReplicaSet: ReplicaSet | undefined,
    old: readonly ReplicaSet[],
  ): ScaleOrder[];
  /** Level 11: rolls out under `Recreate`. @returns the roll-out after its writes */
  rolloutRecreate(syncContext: DeploymentSyncContext, rollout: Rollout): Promise<Rollout>;
  /** Level 12: returns the old ReplicaSets to delete, in this order. */
  findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[];
}

/**
 * A Deployment controller without the ★ levels. A change of size is an ordinary roll-out. A paused Deployment is scaled
 * only if {@link findActiveOrLatest} finds a single ReplicaSet. `Recreate` rolls out nothing. No ReplicaSet is deleted.
 */
export const noOptionalParts: OptionalParts = {
  isScalingEvent: () => false,
  scale: ({ spec }, newReplicaSet, old) => {
    const only = findActiveOrLatest(newReplicaSet, old);
    return only ? scaleOrders([[only, spec.replicas]]) : [];
  },
  rolloutRecreate: async (_syncContext, rollout) => rollout,
  findCleanableReplicaSets: () => [],
};
