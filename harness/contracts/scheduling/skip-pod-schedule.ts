import type { Pod } from '../../api/objects.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Is no node to be looked for, for this pod? Of one that is being deleted an event tells: `Warning`, `FailedScheduling`,
 * `skip schedule deleting pod: default/web-1`.
 *
 * @returns true if it is being deleted, or is assumed: its update came meanwhile, and put it into the queue once more
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.skipPodSchedule
 */
export function skipPodSchedule(
  { cache, recorder }: Pick<Scheduler, 'cache' | 'recorder'>,
  pod: Pod,
): boolean {
  const { namespace, name, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return cache.isAssumedPod(pod);
  recorder.event(pod, 'Warning', 'FailedScheduling', `skip schedule deleting pod: ${namespace}/${name}`);
  return true;
}
