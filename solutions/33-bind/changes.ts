import type { framework, Node, Pod } from '#harness';
import {
  ASSIGNED_POD_ADD,
  ASSIGNED_POD_DELETE,
  nodeSchedulingPropertiesChange,
  podSchedulingPropertiesChange,
} from './events.ts';
import { hasEnded, isSame } from './pods.ts';
import type { Scheduler } from './scheduler.ts';

export function podChanged(
  scheduler: Pick<Scheduler, 'profile' | 'queue' | 'cache'>,
  previous: Pod | undefined,
  current: Pod | undefined,
): void {
  if (previous && current && !isSame(previous, current)) {
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
    for (const event of podSchedulingPropertiesChange(is, was)) {
      queue.moveAllToActiveOrBackoffQueue(event, was, is);
    }
  } else if (now === 'placed') {
    cache.addPod(is);
    queue.delete(is);
    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_ADD, undefined, is);
  } else if (now === 'waiting' && before === 'waiting') {
    if (!cache.isAssumedPod(is)) queue.update(was, is);
  } else if (now === 'waiting') {
    if (!cache.getPod(is)) queue.add(is);
  } else {
    const last = previous ?? is;
    queue.delete(last);
    const placed = cache.getPod(last);
    if (!placed) return;
    cache.removePod(placed);
    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, placed, undefined);
  }
}

type Placement = 'placed' | 'waiting' | 'nothing';

function placementOf(pod: Pod | undefined, { schedulerName }: framework.Profile): Placement {
  if (!pod || hasEnded(pod)) return 'nothing';
  if (pod.spec.nodeName) return 'placed';
  return (pod.spec.schedulerName ?? 'default-scheduler') === schedulerName ? 'waiting' : 'nothing';
}

export function nodeChanged(
  { queue, cache }: Pick<Scheduler, 'queue' | 'cache'>,
  previous: Node | undefined,
  current: Node | undefined,
): void {
  if (previous && current) {
    cache.updateNode(previous, current);
    for (const event of nodeSchedulingPropertiesChange(current, previous)) {
      queue.moveAllToActiveOrBackoffQueue(event, previous, current);
    }
  } else if (current) {
    cache.addNode(current);
    queue.moveAllToActiveOrBackoffQueue({ resource: 'Node', actionType: 'Add' }, undefined, current);
  } else if (previous) {
    cache.removeNode(previous);
    queue.moveAllToActiveOrBackoffQueue({ resource: 'Node', actionType: 'Delete' }, previous, undefined);
  }
}
