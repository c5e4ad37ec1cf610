/** Level 7 · Claiming: the pods that a ReplicaSet counts as its own. */
import { isNotFound, type Pod, type ReplicaSet, type ReplicaSetDesk, readAlive } from '#harness';
import { classifyPod } from './claims.ts';
import { nameOf } from './status.ts';

export async function claimPods(
  desk: ReplicaSetDesk,
  rs: ReplicaSet,
  candidates: readonly Pod[],
): Promise<Pod[]> {
  const { control } = desk;
  const claimed: Pod[] = [];
  const failures: unknown[] = [];
  let mayAdopt: Promise<void> | undefined;
  for (const pod of candidates) {
    const claim = classifyPod(pod, rs);
    try {
      if (claim === 'adopt') {
        mayAdopt ??= mustBeAlive(desk, rs);
        await mayAdopt;
        await adopt(desk, rs, pod);
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
async function mustBeAlive(desk: ReplicaSetDesk, rs: ReplicaSet): Promise<void> {
  if (await readAlive(desk.context.client, rs)) return;
  throw new Error(`Failed to adopt for ${nameOf(rs)}: it has just been deleted.`);
}

async function adopt({ control, written }: ReplicaSetDesk, rs: ReplicaSet, pod: Pod): Promise<void> {
  const adopted = await control.adopt(rs, pod);
  written.wroteAt(rs.metadata.uid, 'pods', adopted.metadata.resourceVersion);
}
