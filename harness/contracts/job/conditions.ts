import type { Job } from '../../api/objects.ts';
import { formatTime } from '../../sim/index.ts';
import { isSuspended, type JobCondition, type JobStatus } from './facts.ts';

/**
 * Returns a condition whose times are now.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go newCondition
 */
export function newJobCondition(
  {
    type,
    status = 'True',
    reason,
    message,
  }: Pick<JobCondition, 'type' | 'reason' | 'message'> & {
    readonly status?: string;
  },
  nowMs: number,
): JobCondition {
  const now = formatTime(nowMs);
  return {
    type,
    status,
    lastProbeTime: now,
    lastTransitionTime: now,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
}

/** Returns the Job with `status.startTime`, unless it is suspended or has one. */
export function started(job: Job, nowMs: number): Job {
  if (job.status.startTime || isSuspended(job)) return job;
  return { ...job, status: { ...job.status, startTime: formatTime(nowMs) } };
}

/**
 * Returns the status with the condition `Suspended`, if it changes: `True` when the Job is suspended, `False` when it
 * resumes. A suspended Job loses its start time, and a resumed Job gets a new one.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.syncJob,
 * ensureJobConditionStatus
 *
 * @returns the condition, too, if it has changed
 */
export function withSuspension(
  job: Job,
  nowMs: number,
): { readonly status: JobStatus; readonly changed?: JobCondition } {
  const { conditions = [], startTime, ...rest } = job.status;
  const known = conditions.find(({ type }) => type === 'Suspended');
  const wanted = isSuspended(job) ? 'True' : 'False';
  if ((known?.status ?? 'False') === wanted) return { status: job.status };
  const changed = newJobCondition(
    isSuspended(job)
      ? { type: 'Suspended', reason: 'JobSuspended', message: 'Job suspended' }
      : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' },
    nowMs,
  );
  return {
    status: {
      ...rest,
      conditions: known
        ? conditions.map((each) => (each === known ? changed : each))
        : [...conditions, changed],
      ...(isSuspended(job) ? {} : { startTime: formatTime(nowMs) }),
    },
    changed,
  };
}
