/** Level 9 · The sync: the controller observes, decides and writes. */
import {
  allOf,
  assembleDeploymentController,
  type DeploymentSyncContext,
  filterActiveReplicaSets,
  type OptionalParts,
  type Rollout,
  rolloutOf,
} from '#given/24-deployment';
import type { Component } from '#harness';
import { fencepostsOf } from './fenceposts.ts';
import { findCleanableReplicaSets } from './history.ts';
import { createNewReplicaSet, syncRevision } from './new-replica-set.ts';
import { calculateRolloutStatus, requeueStuckDeployment } from './progress.ts';
import { isScalingEvent, scale } from './proportion.ts';
import { rolloutRecreate } from './recreate.ts';
import { reconcileOldReplicaSets } from './scale-down.ts';
import { reconcileNewReplicaSet } from './scale-up.ts';
import { calculateStatus, deploymentComplete } from './status.ts';
import { findNewReplicaSet } from './template.ts';

export const optionalParts: OptionalParts = {
  isScalingEvent,
  scale,
  rolloutRecreate,
  findCleanableReplicaSets,
};

export async function rolloutRolling(syncContext: DeploymentSyncContext, before: Rollout): Promise<Rollout> {
  const rollout = before.newReplicaSet ? before : await createNewReplicaSet(syncContext, before);
  const { deployment, newReplicaSet, old } = rollout;
  if (!newReplicaSet) return rollout;
  // Only one of the two in each sync: the second decision would use the state before the first.
  const up = reconcileNewReplicaSet(deployment, allOf(rollout), newReplicaSet);
  const active = filterActiveReplicaSets(old);
  const changes = up.length > 0 ? up : reconcileOldReplicaSets(deployment, active, newReplicaSet);
  await syncContext.control.scale(deployment, changes, fencepostsOf(deployment).maxSurge);
  return rollout;
}

export async function syncDeployment(syncContext: DeploymentSyncContext, key: string): Promise<void> {
  const { caches, context, control } = syncContext;
  const cached = caches.deployment(key);
  if (!cached) return;
  const owned = await control.claimReplicaSets(cached, caches.candidateReplicaSets(cached));
  const found = rolloutOf(cached, owned, findNewReplicaSet(cached, owned));
  if (cached.metadata.deletionTimestamp !== undefined) {
    await control.updateStatus(cached, calculateStatus(found, context.clock.now()));
    return;
  }
  const marked = await control.markPaused(cached);
  const rollout = await syncRevision(syncContext, { ...found, deployment: marked });
  const { deployment, newReplicaSet, old } = rollout;
  const { paused, strategy } = deployment.spec;
  if (paused || optionalParts.isScalingEvent(deployment, allOf(rollout))) {
    const orders = optionalParts.scale(deployment, newReplicaSet, old);
    await control.scale(deployment, orders, fencepostsOf(deployment).maxSurge);
    if (paused) await control.delete(optionalParts.findCleanableReplicaSets(deployment, old));
    await control.updateStatus(deployment, calculateStatus(rollout, context.clock.now()));
    return;
  }
  const rolled = await (strategy.type === 'Recreate' ? optionalParts.rolloutRecreate : rolloutRolling)(
    syncContext,
    rollout,
  );
  await finish(syncContext, rolled);
}

/** Cleans up after a complete rollout, updates the status, and requeues the Deployment for its deadline. */
async function finish(
  { context, control, enqueueAfter }: DeploymentSyncContext,
  rollout: Rollout,
): Promise<void> {
  const { deployment, old } = rollout;
  if (deploymentComplete(deployment, deployment.status)) {
    await control.delete(optionalParts.findCleanableReplicaSets(deployment, old));
  }
  const nowMs = context.clock.now();
  const status = calculateRolloutStatus(rollout, nowMs);
  if ((await control.updateStatus(deployment, status)) !== deployment) return;
  // A stuck rollout causes no event, so only a timer can detect it.
  const afterMs = requeueStuckDeployment(deployment, status, nowMs);
  if (afterMs !== undefined) enqueueAfter(deployment, afterMs);
}

export const deploymentController: Component = assembleDeploymentController({ syncDeployment });
