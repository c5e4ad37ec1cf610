import type { Job } from '../../api/objects.ts';
import { formatTime } from '../../sim/clock.ts';

/**
 * Returns a Job that has just ended, as the Job controller writes its status.
 *
 * @param nowMs ms since 1970
 */
export function finishedJob(job: Job, type: 'Complete' | 'Failed', nowMs: number): Job {
  const now = formatTime(nowMs);
  const criterion = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget';
  const conditions = [criterion, type].map((each) => ({
    type: each,
    status: 'True',
    lastProbeTime: now,
    lastTransitionTime: now,
  }));
  const end = type === 'Complete' ? { completionTime: now, succeeded: 1 } : { failed: 1 };
  const startTime = job.metadata.creationTimestamp;
  return { ...job, status: { startTime, ...end, conditions, uncountedTerminatedPods: {} } };
}
