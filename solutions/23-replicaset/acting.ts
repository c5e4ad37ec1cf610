/** Level 8 · Creating and deleting. */
import { mayHaveHappened, type ReplicaSetSyncContext } from '#given/23-replicaset';
import { isNamespaceTerminating, type Pod, type ReplicaSet } from '#harness';
import { classifyPod, isPodActive } from './claims.ts';
import { newPod } from './replicas.ts';
import { SLOW_START_INITIAL_BATCH_SIZE, slowStartBatch } from './slow-start.ts';
import { getPodsToDelete } from './victims.ts';

export async function createPods(
  { control, expectations, written }: ReplicaSetSyncContext,
  rs: ReplicaSet,
  count: number,
): Promise<Error | undefined> {
  const { uid } = rs.metadata;
  const pod = newPod(rs);
  const { error } = await slowStartBatch(count, SLOW_START_INITIAL_BATCH_SIZE, async () => {
    try {
      const { metadata } = await control.create(rs, pod);
      expectations.expect(uid, 'creations', [metadata.uid]);
      written.wroteAt(uid, 'pods', metadata.resourceVersion);
    } catch (error) {
      if (mayHaveHappened(error)) expectations.doubt(uid);
      throw error;
    }
  });
  // The namespace is being deleted, so no later create can succeed: no retry.
  return error === undefined || isNamespaceTerminating(error) ? undefined : asError(error);
}

export async function deletePods(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  active: readonly Pod[],
  count: number,
): Promise<Error | undefined> {
  const { caches, context, control, expectations } = syncContext;
  const { uid } = rs.metadata;
  const victims = getPodsToDelete(active, caches.related(rs), count, context.clock.now());
  const results = await Promise.allSettled(
    victims.map(async (pod) => {
      try {
        await control.delete(rs, pod);
        expectations.expect(uid, 'deletions', [pod.metadata.uid]);
      } catch (error) {
        if (mayHaveHappened(error)) expectations.doubt(uid);
        throw error;
      }
    }),
  );
  const failed = results.find((result) => result.status === 'rejected');
  return failed && asError(failed.reason);
}

/** Reports whether the cache still shows the pod as one that counts, or would count after its adoption. */
export function isStillSeen({ caches }: ReplicaSetSyncContext, rs: ReplicaSet, pod: Pod): boolean {
  const cached = caches.pod(pod);
  return cached !== undefined && isPodActive(cached) && ['keep', 'adopt'].includes(classifyPod(cached, rs));
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
