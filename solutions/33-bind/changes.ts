/** Level 6 · The loop: what becomes of pods. */
import { type framework, hasEnded, type Pod, scheduling } from '#harness';

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
  // Where it is `placed` or `waiting`, it is there.
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
    // A pod of another scheduler that was assumed, and that the informer does not know to be bound yet, keeps its room.
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
