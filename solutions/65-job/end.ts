/** Level 5 · Is it over? */
import {
  type Counts,
  countIndexes,
  type End,
  isSuspended,
  type JobCondition,
  type JobState,
  trueCondition,
} from '#given/65-job';
import type { Job, Pod } from '#harness';

export function endOf(state: JobState, nowMs: number): End | undefined {
  const { job, counts, pods, verdicts } = state;
  const decided = trueCondition(job, 'SuccessCriteriaMet') ?? trueCondition(job, 'FailureTarget');
  if (decided) return endFrom(decided);
  if (verdicts.failJob !== undefined) return failure('PodFailurePolicy', verdicts.failJob);
  const { backoffLimit = 6 } = job.spec;
  if (counts.failed > backoffLimit || hasTooManyRestarts(job, pods)) {
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  if (remainingDeadlineMs(job, nowMs) === 0) {
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  return indexesEnd(state) ?? success('SuccessPolicy', verdicts.success);
}

export function completionOf({ spec }: Job, { active, succeeded }: Counts): End | undefined {
  const isComplete = succeeded >= (spec.completions ?? 1) && active === 0;
  return isComplete ? success('CompletionsReached', 'Reached expected number of succeeded pods') : undefined;
}

export function remainingDeadlineMs(job: Job, nowMs: number): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  const { startTime } = job.status;
  if (activeDeadlineSeconds === undefined || !startTime || isSuspended(job)) return undefined;
  return Math.max(0, Date.parse(startTime) + activeDeadlineSeconds * 1_000 - nowMs);
}

/** A container that restarts in its pod counts like a failed pod. */
function hasTooManyRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = pods
    .filter(({ status }) => status.phase === 'Running' || status.phase === 'Pending')
    .flatMap(({ status }) => [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts >= Math.max(1, spec.backoffLimit ?? 6);
}

function indexesEnd({ job, verdicts, succeededIndexes }: JobState): End | undefined {
  const failed = countIndexes(verdicts.failedIndexes ?? []);
  const { maxFailedIndexes = Number.POSITIVE_INFINITY, completions = 0 } = job.spec;
  if (failed > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure('MaxFailedIndexesExceeded', message);
  }
  const isSettled = failed > 0 && failed + countIndexes(succeededIndexes) >= completions;
  return isSettled ? failure('FailedIndexes', 'Job has failed indexes') : undefined;
}

function endFrom({ type, reason = '', message = '' }: JobCondition): End {
  return { type: type as End['type'], reason, message };
}

const failure = (reason: string, message: string): End => ({ type: 'FailureTarget', reason, message });

function success(reason: string, message: string | undefined): End | undefined {
  return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason, message };
}
