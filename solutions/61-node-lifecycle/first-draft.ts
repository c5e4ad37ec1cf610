/** The functions of the short way, as a first draft: an eviction deletes the pod that has the name at that moment. */
import type { TaintEviction } from '#given/61-node-lifecycle';
import { formatTime, isNotFound, keyOf, type Pod, pods } from '#harness';

export async function evictPod(eviction: TaintEviction, pod: Pod): Promise<void> {
  const { client, clock } = eviction.context;
  eviction.emit(pod, 'Marking for deletion Pod');
  const earlier = pod.status.conditions?.find(
    ({ type, status }) => type === 'DisruptionTarget' && status === 'True',
  );
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
    lastTransitionTime: earlier?.lastTransitionTime ?? formatTime(clock.now()),
    observedGeneration: pod.metadata.generation,
  };
  try {
    const body = { status: { conditions: [condition] } };
    await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    await client.delete(pods, keyOf(pod));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
