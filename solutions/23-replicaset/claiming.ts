/** Level 7 · Claiming: the pods that a ReplicaSet counts as its own. */
import { type ReplicaSetSyncContext, readAlive } from '#given/23-replicaset';
import { isNotFound, type Pod, type ReplicaSet } from '#harness';
import { classifyPod } from './claims.ts';
import { nameOf } from './status.ts';

export async function claimPods(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  candidates: readonly Pod[],
): Promise<Pod[]> {
  const { control } = syncContext;
  const claimed: Pod[] = [];
  const failures: unknown[] = [];
  let mayAdopt: Promise<void> | undefined;
  for (const pod of candidates) {
    const claim = classifyPod(pod, rs);
    try {
      if (claim === 'adopt') {
        mayAdopt ??= mustBeAlive(syncContext, rs);
        await mayAdopt;
        await adopt(syncContext, rs, pod);
      }
      if (claim === 'release') await control.release(rs, pod);
      if (claim === 'adopt' || claim === 'keep') claimed.push(pod);
    } catch (error) {
      // A deleted pod needs no owner.
      if (!isNotFound(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return claimed;
}

/**
 * Throws if the ReplicaSet is being deleted. The cache may not show that yet, and an orphan that was adopted now would
 * be deleted with the ReplicaSet.
 */
async function mustBeAlive(syncContext: ReplicaSetSyncContext, rs: ReplicaSet): Promise<void> {
  if (await readAlive(syncContext.context.client, rs)) return;
  throw new Error(`Failed to adopt for ${nameOf(rs)}: it has just been deleted.`);
}

async function adopt({ control, written }: ReplicaSetSyncContext, rs: ReplicaSet, pod: Pod): Promise<void> {
  const adopted = await control.adopt(rs, pod);
  written.wroteAt(rs.metadata.uid, 'pods', adopted.metadata.resourceVersion);
}
