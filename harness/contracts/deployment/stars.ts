import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import type { DeploymentDesk } from './controller.ts';
import { findActiveOrLatest, type Rollout, type ScaleOrder, scaleOrders } from './facts.ts';

/** What the levels marked ★ add to a Deployment controller. */
export interface Stars {
  /** Level 10: has `spec.replicas` changed since the ReplicaSets were sized? */
  isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean;
  /** Level 10: what is to be sized if nothing is rolled out, because the size has changed or the Deployment is paused. */
  scale(
    deployment: Deployment,
    newReplicaSet: ReplicaSet | undefined,
    old: readonly ReplicaSet[],
  ): ScaleOrder[];
  /** Level 11: rolls out under `Recreate`. @returns the roll-out, as its writes have left it */
  rolloutRecreate(desk: DeploymentDesk, rollout: Rollout): Promise<Rollout>;
  /** Level 12: the old ReplicaSets that are to be deleted, in this order. */
  findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[];
}

/**
 * A Deployment controller without the ★ levels. A change of size is an ordinary roll-out. What is paused is sized if it is about
 * one ReplicaSet. Under `Recreate` nothing is rolled out. No ReplicaSet is deleted.
 */
export const noStars: Stars = {
  isScalingEvent: () => false,
  scale: ({ spec }, newReplicaSet, old) => {
    const only = findActiveOrLatest(newReplicaSet, old);
    return only ? scaleOrders([[only, spec.replicas]]) : [];
  },
  rolloutRecreate: async (_desk, rollout) => rollout,
  findCleanableReplicaSets: () => [],
};
