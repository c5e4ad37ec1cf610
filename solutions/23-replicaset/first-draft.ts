/** The functions of the short way, as a first draft: it asks the server whether the ReplicaSet lives, and then acts on the cached one. */
import {
  type ExpectationState,
  type ReplicaSetSyncContext,
  readAlive,
  replicasDiff,
} from '#given/23-replicaset';
import type { Pod, ReplicaSet } from '#harness';
import { asError, createPods, deletePods } from './acting.ts';
import { claimPods } from './claiming.ts';
import { classifyPod, isPodActive } from './claims.ts';

export async function manageReplicas(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  seen: readonly Pod[],
  state: ExpectationState,
): Promise<Error | undefined> {
  const { caches, context, control, expectations } = syncContext;
  const { uid } = rs.metadata;
  const counts = (pod: Pod) => {
    const cached = caches.pod(pod);
    return cached !== undefined && isPodActive(cached) && ['keep', 'adopt'].includes(classifyPod(cached, rs));
  };
  let pods: readonly Pod[] = seen.filter(counts);
  if (pods.length === rs.spec.replicas) return undefined;
  expectations.begin(uid);
  if (state !== 'fulfilled') {
    try {
      const alive = await readAlive(context.client, rs);
      if (!alive) {
        expectations.doubt(uid);
        return undefined;
      }
      const cached = pods;
      pods = await claimPods(syncContext, rs, (await control.list(rs)).filter(isPodActive));
      const real = new Set(pods.map((pod) => pod.metadata.uid));
      const unseen = pods.filter((pod) => !counts(pod));
      const gone = cached.filter((pod) => !real.has(pod.metadata.uid) && counts(pod));
      expectations.expect(
        uid,
        'creations',
        unseen.map((pod) => pod.metadata.uid),
      );
      expectations.expect(
        uid,
        'deletions',
        gone.map((pod) => pod.metadata.uid),
      );
    } catch (error) {
      expectations.doubt(uid);
      return asError(error);
    }
  }
  const surplus = replicasDiff(rs.spec.replicas, pods.length);
  if (surplus < 0) return createPods(syncContext, rs, -surplus);
  if (surplus > 0) return deletePods(syncContext, rs, pods, surplus);
  return undefined;
}
