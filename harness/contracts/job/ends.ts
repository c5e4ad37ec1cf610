import type { Job, Pod } from '../../api/objects.ts';
import { newJobCondition } from './conditions.ts';
import { isSuspended, type JobCondition, type JobStatus, trueCondition } from './facts.ts';

/** The reason why a Job is over. It stands in the status before the pods lose their finalizers. */
export interface End {
  /** The interim condition: `FailureTarget` becomes `Failed`, and `SuccessCriteriaMet` becomes `Complete`. */
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** Returns the end of a Job that has failed. */
export function failureEnd(reason: string, message: string): End {
  return { type: 'FailureTarget', reason, message };
}

/** The end of a Job with too many failed pods. */
export const BACKOFF_LIMIT_EXCEEDED = failureEnd(
  'BackoffLimitExceeded',
  'Job has reached the specified backoff limit',
);

/** The end of a Job that has run for too long. */
export const DEADLINE_EXCEEDED = failureEnd(
  'DeadlineExceeded',
  'Job was active longer than specified deadline',
);

/** The end of a Job with enough succeeded pods. */
export const COMPLETIONS_REACHED: End = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/** Returns the end that the status of a Job already has. */
export function decidedEnd(job: Job): End | undefined {
  const condition = trueCondition(job, 'SuccessCriteriaMet') ?? trueCondition(job, 'FailureTarget');
  if (!condition) return undefined;
  const { type, reason = '', message = '' } = condition;
  return { type: type as End['type'], reason, message };
}

/** Returns the status with the interim condition of this end. It changes nothing if the status has it already. */
export function withInterimCondition(status: JobStatus, end: End | undefined, nowMs: number): JobStatus {
  const { conditions = [] } = status;
  if (!end || conditions.some(({ type, status }) => type === end.type && status === 'True')) return status;
  return { ...status, conditions: [...conditions, newJobCondition(end, nowMs)] };
}

/** Returns the status with `Failed` or `Complete`; with `Complete`, also with the completion time. */
export function withTerminalCondition(status: JobStatus, end: End, nowMs: number): JobStatus {
  const type = end.type === 'FailureTarget' ? 'Failed' : 'Complete';
  const condition: JobCondition = newJobCondition({ ...end, type }, nowMs);
  const { lastTransitionTime } = condition;
  return {
    ...status,
    conditions: [...(status.conditions ?? []), condition],
    ...(type === 'Complete' && lastTransitionTime && { completionTime: lastTransitionTime }),
  };
}

/**
 * Returns the ms until the deadline of a Job, at least 0; `undefined` if it has none, is suspended or has not started.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.pastActiveDeadline
 */
export function remainingDeadlineMs(job: Job, nowMs: number): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  const { startTime } = job.status;
  if (activeDeadlineSeconds === undefined || !startTime || isSuspended(job)) return undefined;
  return Math.max(0, Date.parse(startTime) + activeDeadlineSeconds * 1_000 - nowMs);
}

/**
 * Returns the number of restarts of all containers, init containers included, of the pods that run or wait.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go pastBackoffLimitOnFailure
 */
export function countRestarts(pods: readonly Pod[]): number {
  return pods
    .filter(({ status }) => status.phase === 'Running' || status.phase === 'Pending')
    .flatMap(({ status }) => [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
}
