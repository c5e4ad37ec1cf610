/** Level 5 · Eviction: pods leave a node with a `NoExecute` taint that they do not tolerate, or not any longer. */
import {
  assembleTaintEviction,
  firstToleration,
  type SeenTaint,
  type TaintEviction,
} from '#given/61-node-lifecycle';
import { type Component, type core, formatTime, isNotFound, keyOf, type Pod, pods } from '#harness';

export function evictionAt(
  tolerations: readonly core.Toleration[],
  taints: readonly SeenTaint[],
): number | undefined {
  const times = taints.map(({ taint, sinceMs }) => {
    const toleration = firstToleration(tolerations, taint);
    if (!toleration) return sinceMs;
    const { tolerationSeconds = Number.POSITIVE_INFINITY } = toleration;
    return sinceMs + Math.max(0, tolerationSeconds) * 1_000;
  });
  const earliest = Math.min(...times);
  return Number.isFinite(earliest) ? earliest : undefined;
}

export async function evictPod(eviction: TaintEviction, pod: Pod): Promise<void> {
  const { client, clock } = eviction.context;
  const { uid, generation: observedGeneration } = pod.metadata;
  eviction.emit(pod, 'Marking for deletion Pod');
  const earlier = pod.status.conditions?.find(
    ({ type, status }) => type === 'DisruptionTarget' && status === 'True',
  );
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
    // Another attempt is not another transition.
    lastTransitionTime: earlier?.lastTransitionTime ?? formatTime(clock.now()),
    observedGeneration,
  };
  try {
    const body = { metadata: { uid }, status: { conditions: [condition] } };
    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    // Another pod may have the name by now.
    await client.delete(pods, keyOf(pod), { preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export async function syncPod(eviction: TaintEviction, pod: Pod): Promise<void> {
  if (pod.metadata.deletionTimestamp !== undefined) return;
  const atMs = evictionAt(pod.spec.tolerations ?? [], eviction.taintsOf(pod));
  if (atMs === undefined) return eviction.cancel(pod);
  if (atMs > eviction.context.clock.now()) return eviction.schedule(pod, atMs);
  await evictPod(eviction, pod);
}

export const taintEvictionController: Component = assembleTaintEviction({ syncPod });
