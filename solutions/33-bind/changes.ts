/** Level 6 · The loop: the handler of pod changes. */
import { scheduling } from '#given/33-bind';
import { type framework, hasEnded, type Pod } from '#harness';

export function podChanged(
  scheduler: Pick<scheduling.Scheduler, 'profile' | 'queue' | 'cache'>,
  previous: Pod | undefined,
  current: Pod | undefined,
): void {
  if (previous && current && !scheduling.isSame(previous, current)) {
    podChanged(scheduler, previous, undefined);
    podChanged(scheduler, undefined, current);
    return;
  }
  if (previous?.metadata.resourceVersion === current?.metadata.resourceVersion) return;
  const { profile, queue, cache } = scheduler;
  const before = placementOf(previous, profile);
  const now = placementOf(current, profile);
  // If the state is `placed` or `waiting`, the pod is defined.
  const [was, is] = [previous as Pod, current as Pod];
  if (now === 'placed' && before === 'placed') {
    cache.updatePod(was, is);
    for (const event of scheduling.podSchedulingPropertiesChange(is, was)) {
      queue.moveAllToActiveOrBackoffQueue(event, was, is);
    }
  } else if (now === 'placed') {
    const assumed = cache.getPod(is);
    cache.addPod(is);
    queue.delete(is);
    queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_ADD, undefined, is);
    // Differs: upstream wakes no pod for the room on the assumed node.
    if (assumed && assumed.spec.nodeName !== is.spec.nodeName) {
      queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);
    }
  } else if (now === 'waiting' && before === 'waiting') {
    if (!cache.isAssumedPod(is)) queue.update(was, is);
  } else if (now === 'waiting') {
    if (!cache.getPod(is)) queue.add(is);
  } else {
    const last = previous ?? is;
    queue.delete(last);
    const placed = cache.getPod(last);
    if (!placed) return;
    // An assumed pod that is no longer this scheduler's keeps its room if the informer does not show its node yet. Differs:
    // a pod that is marked for deletion during its binding loses its room upstream (kubernetes/kubernetes#134157).
    if (current && !hasEnded(current)) return;
    cache.removePod(placed);
    queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, placed, undefined);
  }
}

type Placement = 'placed' | 'waiting' | 'nothing';

function placementOf(pod: Pod | undefined, { schedulerName }: framework.Profile): Placement {
  if (!pod || hasEnded(pod)) return 'nothing';
  if (pod.spec.nodeName) return 'placed';
  return (pod.spec.schedulerName ?? 'default-scheduler') === schedulerName ? 'waiting' : 'nothing';
}
