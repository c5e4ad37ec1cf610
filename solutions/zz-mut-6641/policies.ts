/** Levels 9 ★ to 11 ★ · The policies of failures, of success, and of each index. */
import {
  completionIndexOf,
  countIndexes,
  type End,
  type FailureMatch,
  failureEnd,
  finishTimeMs,
  type Interval,
  includesIndex,
  type OptionalJobParts,
  parseIndexes,
  withIndexes,
} from '#given/65-job';
import type { core, Job, Pod } from '#harness';
import { remainingBackoffMs } from './backoff.ts';

const FAILURE_COUNT = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED_FAILURE_COUNT = 'batch.kubernetes.io/job-index-ignored-failure-count';

type Rule = NonNullable<Job['spec']['podFailurePolicy']>['rules'][number];

export function matchPodFailurePolicy(job: Job, pod: Pod): FailureMatch {
  const { namespace, name } = pod.metadata;
  for (const [index, rule] of (job.spec.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (!cause) continue;
    const action = rule.action as FailureMatch['action'];
    if (action !== 'FailJob') return { action };
    const subject =
      'container' in cause
        ? `Container ${cause.container} for pod ${namespace}/${name} failed with exit code ${cause.exitCode}`
        : `Pod ${namespace}/${name} has condition ${cause.condition}`;
    return { action, message: `${subject} matching FailJob rule at index ${index}` };
  }
  return { action: 'Count' };
}

type Cause = { readonly container: string; readonly exitCode: number } | { readonly condition: string };

function causeOf({ onExitCodes, onPodConditions = [] }: Rule, { status }: Pod): Cause | undefined {
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes;
    const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    const found = statuses.find(({ name, state }) => {
      const exitCode = exitCodeOf(state);
      if (!exitCode || (containerName !== undefined && containerName !== name)) return false;
      return values.includes(exitCode) === (operator === 'In');
    });
    return found && { container: found.name, exitCode: exitCodeOf(found.state) };
  }
  const matching = status.conditions?.find((condition) =>
    onPodConditions.some(({ type, status }) => type === condition.type && status === condition.status),
  );
  return matching && { condition: matching.type };
}

/** Returns 0 also for a container that has not ended. */
function exitCodeOf(state: core.ContainerState | undefined): number {
  return state?.terminated?.exitCode ?? 0;
}

export function matchSuccessPolicy(job: Job, succeeded: readonly Interval[]): End | undefined {
  const { completions = 0, successPolicy } = job.spec;
  if (succeeded.length === 0) return undefined;
  const index = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) {
      return succeededCount !== undefined && countIndexes(succeeded) >= succeededCount;
    }
    const required = parseIndexes(succeededIndexes, completions);
    const met = overlap(required, succeeded);
    return required.length > 0 && met >= Math.min(countIndexes(required), succeededCount ?? completions);
  });
  if (index === -1) return undefined;
  return { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: `Matched rules at index ${index}` };
}

/** Returns the number of indexes that both lists contain. */
function overlap(one: readonly Interval[], other: readonly Interval[]): number {
  let count = 0;
  for (const [first, last] of one) {
    for (const [otherFirst, otherLast] of other) {
      count += Math.max(0, Math.min(last, otherLast) - Math.max(first, otherFirst) + 1);
    }
  }
  return count;
}

export function findFailedIndexes(job: Job, failed: readonly Pod[]): Interval[] | undefined {
  const { backoffLimitPerIndex, completions = 0 } = job.spec;
  if (backoffLimitPerIndex === undefined) return undefined;
  const forGood = failed.filter((pod) => {
    const { action } = matchPodFailurePolicy(job, pod);
    if (action === 'FailIndex') return true;
    return action !== 'Ignore' && annotatedCount(pod, FAILURE_COUNT) >= backoffLimitPerIndex;
  });
  const known = parseIndexes(job.status.failedIndexes ?? '', completions);
  return withIndexes(
    known,
    forGood.flatMap((pod) => completionIndexOf(job, pod) ?? []),
  );
}

export function endOfIndexes(
  { spec }: Job,
  failed: readonly Interval[],
  succeeded: readonly Interval[],
): End | undefined {
  const count = countIndexes(failed);
  if (count > (spec.maxFailedIndexes ?? Number.POSITIVE_INFINITY)) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failureEnd('MaxFailedIndexesExceeded', message);
  }
  const isSettled = count > 0 && count + countIndexes(succeeded) >= (spec.completions ?? 0);
  return isSettled ? failureEnd('FailedIndexes', 'Job has failed indexes') : undefined;
}

export function findKeptPods(job: Job, failed: readonly Pod[], done: readonly Interval[]): Map<number, Pod> {
  const kept = new Map<number, Pod>();
  for (const pod of failed) {
    const index = completionIndexOf(job, pod);
    if (index === undefined || includesIndex(done, index)) continue;
    const other = kept.get(index);
    const isLater =
      !other || (failuresOf(other) <= failuresOf(pod) && finishTimeMs(other) <= finishTimeMs(pod));
    if (isLater) kept.set(index, pod);
  }
  return kept;
}

export function remainingIndexBackoffMs(kept: Pod | undefined, nowMs: number): number {
  if (!kept) return 0;
  return remainingBackoffMs({ failures: failuresOf(kept) + 1, lastFailureMs: finishTimeMs(kept) }, nowMs);
}

export function failureCountAnnotations(job: Job, kept: Pod | undefined): Record<string, string> {
  if (job.spec.backoffLimitPerIndex === undefined) return {};
  const isIgnored = kept !== undefined && matchPodFailurePolicy(job, kept).action === 'Ignore';
  const failures = annotatedCount(kept, FAILURE_COUNT) + (kept && !isIgnored ? 1 : 0);
  const ignored = annotatedCount(kept, IGNORED_FAILURE_COUNT) + (isIgnored ? 1 : 0);
  return {
    [FAILURE_COUNT]: String(failures),
    ...(ignored > 0 && { [IGNORED_FAILURE_COUNT]: String(ignored) }),
  };
}

/** Returns the failures of the pod's index before it, ignored ones included. */
function failuresOf(pod: Pod): number {
  return annotatedCount(pod, FAILURE_COUNT) + annotatedCount(pod, IGNORED_FAILURE_COUNT);
}

function annotatedCount(pod: Pod | undefined, annotation: string): number {
  const count = Number(pod?.metadata.annotations?.[annotation] ?? 0);
  return Number.isInteger(count) && count >= 0 && count < 2 ** 31 ? count : 0;
}

export const optionalParts: OptionalJobParts = {
  matchPodFailurePolicy,
  matchSuccessPolicy,
  findFailedIndexes,
  endOfIndexes,
  findKeptPods,
  remainingIndexBackoffMs,
  failureCountAnnotations,
};
