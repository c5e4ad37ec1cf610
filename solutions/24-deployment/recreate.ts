/** Level 11 ★ · Recreate. */
import {
  type DeploymentSyncContext,
  getActualReplicaCountForReplicaSets,
  type Rollout,
  scaleOrders,
} from '#given/24-deployment';
import type { Pod, ReplicaSet } from '#harness';
import { createNewReplicaSet } from './new-replica-set.ts';

export function oldPodsRunning(old: readonly ReplicaSet[], oldPods: readonly Pod[]): boolean {
  if (getActualReplicaCountForReplicaSets(old) > 0) return true;
  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');
}

export async function rolloutRecreate(syncContext: DeploymentSyncContext, before: Rollout): Promise<Rollout> {
  const { caches, control } = syncContext;
  const { old } = before;
  const down = scaleOrders(old.map((replicaSet) => [replicaSet, 0]));
  await control.scale(before.deployment, down, 0);
  if (down.length > 0 || oldPodsRunning(old, caches.podsOf(old))) return before;
  const rollout = before.newReplicaSet ? before : await createNewReplicaSet(syncContext, before);
  const { deployment, newReplicaSet } = rollout;
  if (!newReplicaSet) return rollout;
  await control.scale(deployment, scaleOrders([[newReplicaSet, deployment.spec.replicas]]), 0);
  return rollout;
}
