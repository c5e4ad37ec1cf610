import type * as batch from '#api/batch/v1';
import type { Job } from '../../api/objects.ts';
import { semanticEqual } from '../../api/semantic-equality.ts';
import type { Cause } from '../../api/status.ts';
import { fields, nonnegative, type Rule } from '../declare/rules.ts';
import { duplicate, invalid, invalidUnshown, required } from '../validation/field-error.ts';
import { overlapOfIndexes, parseIndexes } from './job-indexes.ts';

/** Rules for the counts of a Job's status. Upstream: validateJobStatus */
export const jobStatus: Rule<Job> = fields<Job>({
  status: fields<batch.JobStatus>({
    active: nonnegative,
    succeeded: nonnegative,
    failed: nonnegative,
    ready: nonnegative,
    terminating: nonnegative,
    uncountedTerminatedPods: validateUncounted,
  }),
});

/**
 * Returns the rejected changes of a Job's status, so that other vendors' controllers behave as clients of Jobs
 * expect. An invalid value that did not change can stay, because the spec may have changed since.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/batch/validation/validation.go ValidateJobStatusUpdate,
 * pkg/registry/batch/job/strategy.go getStatusValidationOptions
 */
export function validateJobStatusUpdate(job: Job, old: Job): Cause[] {
  return [
    ...validateConditions(job, old),
    ...validateFinished(job, old),
    ...validateIndexes(job, old),
    ...validateOverlap(job, old),
    ...validateTimes(job, old),
    ...validateCounters(job, old),
  ];
}

const CONDITIONS = 'status.conditions';

function validateConditions(job: Job, old: Job): Cause[] {
  const [now, before] = [stateOf(job), stateOf(old)];
  const causes: Cause[] = [];
  const refuseIf = (isWrong: boolean, detail: string) => {
    if (isWrong) causes.push(invalidUnshown(CONDITIONS, detail));
  };
  const changed = (...types: readonly Type[]) => types.some((type) => now[type] !== before[type]);
  const both = (a: Type, b: Type) => changed(a, b) && now[a] && now[b];
  refuseIf(both('Complete', 'Failed'), 'cannot set Complete=True and Failed=true conditions');
  refuseIf(both('Complete', 'FailureTarget'), 'cannot set Complete=True and FailureTarget=true conditions');
  refuseIf(
    changed('Failed') && now.Failed && !now.FailureTarget,
    'cannot set Failed=True condition without the FailureTarget=true condition',
  );
  refuseIf(
    changed('Complete', 'SuccessCriteriaMet') && now.Complete && !now.SuccessCriteriaMet,
    'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
  );
  refuseIf(
    now.SuccessCriteriaMet && now.Failed,
    'cannot set SuccessCriteriaMet=True and Failed=true conditions',
  );
  refuseIf(
    now.SuccessCriteriaMet && now.FailureTarget,
    'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions',
  );
  for (const type of ['Failed', 'Complete', 'FailureTarget'] as const) {
    refuseIf(before[type] && !now[type], `cannot disable the terminal ${type}=True condition`);
  }
  refuseIf(
    before.SuccessCriteriaMet && !now.SuccessCriteriaMet,
    'cannot disable the SuccessCriteriaMet=True condition',
  );
  refuseIf(
    before.Complete && !before.SuccessCriteriaMet && now.SuccessCriteriaMet,
    'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions',
  );
  return causes;
}

const TYPES = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet', 'Suspended'] as const;
type Type = (typeof TYPES)[number];

/** Returns the types of the true conditions. */
function stateOf({ status }: Job): Readonly<Record<Type, boolean>> {
  const isTrue = (type: Type) =>
    (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
  return Object.fromEntries(TYPES.map((type) => [type, isTrue(type)])) as Record<Type, boolean>;
}

const isFinished = (job: Job): boolean => stateOf(job).Complete || stateOf(job).Failed;

function validateFinished(job: Job, old: Job): Cause[] {
  const { status, spec } = job;
  if (!isFinished(job)) return [];
  const changed = (field: keyof batch.JobStatus) =>
    !isFinished(old) || !semanticEqual(status[field], old.status[field]);
  const causes: Cause[] = [];
  const { active = 0, terminating = 0, uncountedTerminatedPods: uncounted } = status;
  if (active > 0 && changed('active')) {
    causes.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  const isEmptyAndSuspended = spec.suspend === true && spec.completions === 0;
  if (!status.startTime && changed('startTime') && !isEmptyAndSuspended) {
    causes.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const count = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0);
  if (count > 0 && changed('uncountedTerminatedPods')) {
    const shown = { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null };
    causes.push(invalid('status.uncountedTerminatedPods', shown, 'must be empty for finished job'));
  }
  if (terminating > 0 && changed('terminating')) {
    causes.push(invalid('status.terminating', terminating, 'terminating>0 is invalid for finished job'));
  }
  return causes;
}

function validateIndexes({ spec, status }: Job, { status: old }: Job): Cause[] {
  const causes: Cause[] = [];
  const { completedIndexes = '', failedIndexes } = status;
  const { completions, completionMode, backoffLimitPerIndex } = spec;
  if (completedIndexes !== (old.completedIndexes ?? '')) {
    const path = 'status.completedIndexes';
    const parsed = completions === undefined ? 0 : parseIndexes(completedIndexes, completions);
    if (typeof parsed === 'string') {
      causes.push(invalid(path, completedIndexes, `error parsing completedIndexes: ${parsed}`));
    }
    if (completedIndexes !== '' && completionMode !== 'Indexed') {
      const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
      causes.push(invalid(path, completedIndexes, detail));
    }
  }
  if (failedIndexes !== undefined && failedIndexes !== old.failedIndexes) {
    const path = 'status.failedIndexes';
    const isChecked = completions !== undefined && backoffLimitPerIndex !== undefined;
    const parsed = isChecked ? parseIndexes(failedIndexes, completions) : 0;
    if (typeof parsed === 'string') {
      causes.push(invalid(path, failedIndexes, `error parsing failedIndexes: ${parsed}`));
    }
    if (backoffLimitPerIndex === undefined) {
      const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
      causes.push(invalid(path, failedIndexes, detail));
    }
  }
  return causes;
}

/** Rejects an index that is both completed and failed. */
function validateOverlap({ spec, status }: Job, { status: old }: Job): Cause[] {
  const { completedIndexes = '', failedIndexes } = status;
  const hasChanged = completedIndexes !== (old.completedIndexes ?? '') || failedIndexes !== old.failedIndexes;
  if (!hasChanged || failedIndexes === undefined || spec.completions === undefined) return [];
  const index = overlapOfIndexes(completedIndexes, failedIndexes, spec.completions);
  if (index === undefined) return [];
  const detail = `failedIndexes and completedIndexes overlap at index: ${index}`;
  return [invalid('status.failedIndexes', failedIndexes, detail)];
}

/** Rejects an empty uid, and a uid that is listed twice. */
function validateUncounted(pods: batch.UncountedTerminatedPods | undefined, path: string): Cause[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((list) =>
    (pods?.[list] ?? []).flatMap((uid, i) => {
      const at = `${path}.${list}[${i}]`;
      if (uid === '') return [invalid(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateTimes(job: Job, old: Job): Cause[] {
  const { startTime, completionTime } = job.status;
  const { startTime: oldStart, completionTime: oldCompletion } = old.status;
  const [now, before] = [stateOf(job), stateOf(old)];
  const isNews = now.Complete !== before.Complete || completionTime !== oldCompletion;
  const causes: Cause[] = [];
  const path = 'status.completionTime';
  if (isNews && completionTime && !now.Complete) {
    const detail = 'cannot set completionTime when there is no Complete=True condition';
    causes.push(invalid(path, completionTime, detail));
  }
  if (isNews && !completionTime && now.Complete) {
    causes.push(required(path, 'completionTime is required for Complete jobs'));
  }
  const isReset = startTime !== oldStart;
  if ((isReset || completionTime !== oldCompletion) && startTime && completionTime) {
    if (Date.parse(completionTime) < Date.parse(startTime)) {
      causes.push(invalid(path, completionTime, 'must be equal to or after `startTime`'));
    }
  }
  if (completionTime && oldCompletion && completionTime !== oldCompletion) {
    causes.push(invalid(path, completionTime, 'field is immutable'));
  }
  const isResuming = before.Suspended && !now.Suspended;
  if (isReset && oldStart && !isResuming && !job.spec.suspend) {
    const detail = 'field is immutable for unsuspended job once set';
    causes.push(invalid('status.startTime', startTime, detail));
  }
  return causes;
}

function validateCounters({ spec, status }: Job, { status: old }: Job): Cause[] {
  const { failed = 0, succeeded = 0, ready = 0, active = 0 } = status;
  const causes: Cause[] = [];
  if ((status.ready !== old.ready || active !== (old.active ?? 0)) && ready > active) {
    causes.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
  if (failed < (old.failed ?? 0)) {
    causes.push(invalid('status.failed', failed, 'cannot decrease the failed counter'));
  }
  // An indexed Job can be scaled down while completions equals parallelism.
  const canShrink = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (succeeded < (old.succeeded ?? 0) && !canShrink) {
    causes.push(invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  }
  return causes;
}
