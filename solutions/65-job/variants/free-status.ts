/** The decisions of the free controller: pure functions of a Job and its pods. */
import { formatTime, hasEnded, isReady, type Job, type Pod } from '#harness';

export const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';

type Status = Job['status'];
type Condition = NonNullable<Status['conditions']>[number];

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(TRACKING) ?? false;
export const isActive = (pod: Pod): boolean => !pod.metadata.deletionTimestamp && !hasEnded(pod);
export const isTerminating = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp !== undefined && !hasEnded(pod);
export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

export function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations?.[INDEX] ?? Number.NaN);
}

export function isTrue({ conditions = [] }: Status, type: string): boolean {
  return conditions.some((each) => each.type === type && each.status === 'True');
}

export function isFinished({ status }: Job): boolean {
  return isTrue(status, 'Complete') || isTrue(status, 'Failed');
}

export function isEnding({ status }: Job): boolean {
  return (
    isFinished({ status } as Job) || isTrue(status, 'FailureTarget') || isTrue(status, 'SuccessCriteriaMet')
  );
}

/** Replaces a pod only after its end? Otherwise a deleted pod has failed at once. */
export function isPatient({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

export function isFailed(job: Job, pod: Pod): boolean {
  return pod.status.phase === 'Failed' || (!isPatient(job) && isTerminating(pod));
}

const isInRange = (job: Job, pod: Pod): boolean =>
  !isIndexed(job) || indexOf(pod) < (job.spec.completions ?? 0);

/** Expands `1,3-5` to a set. */
export function setOf(text = ''): Set<number> {
  const all = new Set<number>();
  for (const part of text.split(',').filter(Boolean)) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index++) all.add(index);
  }
  return all;
}

function textOf(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    if (indexes.has(index - 1)) continue;
    let last = index;
    while (indexes.has(last + 1)) last++;
    parts.push(last === index ? `${index}` : `${index}${last - index > 1 ? '-' : ','}${last}`);
  }
  return parts.join(',');
}

/** Returns the status that counts these pods. Nothing has happened to them yet. */
export function countedStatus(job: Job, own: readonly Pod[], all: readonly Pod[]): Status {
  const { status } = job;
  const held = new Set(all.filter(isTracked).map(({ metadata }) => metadata.uid));
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const lists = {
    succeeded: succeeded.filter((uid) => held.has(uid)),
    failed: failed.filter((uid) => held.has(uid)),
  };
  const completed = new Set(
    [...setOf(status.completedIndexes)].filter((i) => i < (job.spec.completions ?? 0)),
  );
  for (const pod of own.filter((each) => isTracked(each) && isInRange(job, each))) {
    const { uid } = pod.metadata;
    if (lists.succeeded.includes(uid) || lists.failed.includes(uid)) continue;
    if (isFailed(job, pod)) lists.failed.push(uid);
    else if (pod.status.phase !== 'Succeeded') continue;
    else if (isIndexed(job)) completed.add(indexOf(pod));
    else lists.succeeded.push(uid);
  }
  const active = own.filter(isActive);
  const isEmpty = lists.succeeded.length + lists.failed.length === 0;
  return {
    ...status,
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: own.filter(isTerminating).length,
    failed: (status.failed ?? 0) + failed.length - failed.filter((uid) => held.has(uid)).length,
    succeeded: isIndexed(job)
      ? completed.size
      : (status.succeeded ?? 0) + succeeded.length - succeeded.filter((uid) => held.has(uid)).length,
    uncountedTerminatedPods: isEmpty ? {} : { ...lists },
    ...(isIndexed(job) ? { completedIndexes: textOf(completed) } : {}),
  };
}

/** Returns the numbers of successes and failures, counted or not yet. */
export function totals({ succeeded = 0, failed = 0, uncountedTerminatedPods = {} }: Status): {
  succeeded: number;
  failed: number;
} {
  return {
    succeeded: succeeded + (uncountedTerminatedPods.succeeded?.length ?? 0),
    failed: failed + (uncountedTerminatedPods.failed?.length ?? 0),
  };
}

/** Returns the reason for which the Job ends, with the condition for it. */
function endOf(job: Job, status: Status, own: readonly Pod[], nowMs: number): Condition | undefined {
  const { spec } = job;
  const { succeeded, failed } = totals(status);
  const failure = (reason: string, message: string): Condition =>
    condition('FailureTarget', 'True', reason, message, nowMs);
  const { backoffLimit = 6 } = spec;
  const restarts = spec.template.spec?.restartPolicy === 'OnFailure' ? restartsOf(own) : 0;
  if (failed > backoffLimit || (restarts > 0 && restarts >= backoffLimit))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const dueMs = deadlineMs(job);
  if (dueMs !== undefined && nowMs >= dueMs)
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  const isEnough = spec.completions === undefined ? succeeded > 0 : succeeded >= spec.completions;
  if (!isEnough || (status.active ?? 0) > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return condition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, nowMs);
}

function restartsOf(own: readonly Pod[]): number {
  let sum = 0;
  for (const { status } of own) {
    if (status.phase !== 'Running' && status.phase !== 'Pending') continue;
    for (const { restartCount } of [
      ...(status.containerStatuses ?? []),
      ...(status.initContainerStatuses ?? []),
    ])
      sum += restartCount;
  }
  return sum;
}

/** Returns the time of the deadline in ms since 1970; undefined without one. */
export function deadlineMs({ spec, status }: Job): number | undefined {
  if (spec.suspend || spec.activeDeadlineSeconds === undefined || !status.startTime) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1_000;
}

function condition(type: string, status: string, reason: string, message: string, nowMs: number): Condition {
  const now = formatTime(nowMs);
  return { type, status, reason, message, lastProbeTime: now, lastTransitionTime: now };
}

/** Returns the status with the conditions and times that it should have. */
export function withConditions(job: Job, status: Status, own: readonly Pod[], nowMs: number): Status {
  const conditions = [...(status.conditions ?? [])];
  const next = { ...status };
  const set = (each: Condition): void => {
    const at = conditions.findIndex(({ type }) => type === each.type);
    if (at < 0) conditions.push(each);
    else conditions[at] = each;
  };
  const { suspend = false } = job.spec;
  const end = isEnding(job) ? undefined : endOf(job, status, own, nowMs);
  if (end) set(end);
  else if (isEnding(job)) {
    const isDone = own.every((pod) => hasEnded(pod) && !isTracked(pod));
    const uncounted = status.uncountedTerminatedPods ?? {};
    const isCounted = !uncounted.succeeded && !uncounted.failed;
    const why = conditions.find(({ type }) => type === 'FailureTarget' || type === 'SuccessCriteriaMet');
    if (isDone && isCounted && why) {
      const isFailure = why.type === 'FailureTarget';
      set(condition(isFailure ? 'Failed' : 'Complete', 'True', why.reason ?? '', why.message ?? '', nowMs));
      if (!isFailure) next.completionTime = formatTime(nowMs);
    }
  } else if (!job.metadata.deletionTimestamp && suspend !== isTrue(status, 'Suspended')) {
    const [reason, message] = suspend ? ['JobSuspended', 'Job suspended'] : ['JobResumed', 'Job resumed'];
    set(condition('Suspended', suspend ? 'True' : 'False', reason, message, nowMs));
    if (!suspend) next.startTime = formatTime(nowMs);
  }
  if (suspend && !end && !isEnding(job)) delete next.startTime;
  else if (!suspend) next.startTime ??= formatTime(nowMs);
  // A Job that ends while it is suspended has started, too.
  else next.startTime ??= formatTime(nowMs);
  if (conditions.length > 0) next.conditions = conditions;
  return next;
}
