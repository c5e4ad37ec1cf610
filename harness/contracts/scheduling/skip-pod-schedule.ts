import type { Pod } from '../../api/objects.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Returns whether the scheduler must skip this pod. For a pod that is being deleted it emits an Event: `Warning`,
 * `FailedScheduling`, `skip schedule deleting pod: default/web-1`.
 *
 * @returns true if the pod is being deleted, or is assumed: then an update of the pod has queued it again
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
