/** Level 6 · Recreate. */
import type { Pod, ReplicaSet } from '#harness';
import { orders, type ScaleOrder } from './scale-order.ts';
import { getActualReplicaCountForReplicaSets } from './scale-up.ts';

export function scaleDownOldReplicaSetsForRecreate(old: readonly ReplicaSet[]): ScaleOrder[] {
  return orders(old.map((replicaSet) => [replicaSet, 0]));
}

export function oldPodsRunning(old: readonly ReplicaSet[], oldPods: readonly Pod[]): boolean {
  if (getActualReplicaCountForReplicaSets(old) > 0) return true;
  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');
}
