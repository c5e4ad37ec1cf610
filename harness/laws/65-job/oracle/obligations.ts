import type { Job, Pod } from '../../../api/objects.ts';
import { controllerOf, hasEnded } from '../../../api/predicates.ts';
import type { Obligations } from '../../../testing/rig/obligations.ts';
import {
  backoffMs,
  failedOf,
  finishedMs,
  type OwnPods,
  pendingIndexes,
  podsOf,
  restartsOf,
  succeededOf,
  wantedOf,
} from './counts.ts';
import {
  indexOf,
  isEnding,
  isFailed,
  isFinished,
  isManaged,
  isTracked,
  isTrue,
  jobOf,
  parseIndexes,
  replacesOnlyEnded,
  selects,
  uncounted,
} from './pods.ts';
import { actionFor, failuresBefore, ignoredBefore, isLastFailure, successIn } from './policies.ts';

/** The state of a cluster at one moment, as far as a Job controller needs it. */
export interface Snapshot {
  readonly jobs: readonly Job[];
  readonly pods: readonly Pod[];
  /** The failures of each Job so far, by its uid: a limit for its back-off. */
  readonly failures: ReadonlyMap<string, Failures>;
  /** In ms since 1970. */
  readonly nowMs: number;
}

/** The failures of a Job. */
export interface Failures {
  readonly count: number;
  /** The time of the last one, in ms since 1970. */
  readonly lastMs: number;
}

/** Lists the obligations of a Job controller, by the promises of the API. */
export const jobObligations: Obligations<Snapshot> = (snapshot) => [
  ...finalizerObligations(snapshot),
  ...snapshot.jobs.filter(isManaged).flatMap((job) => obligationsTo(job, snapshot)),
];

/** The finalizer holds a pod only until its Job has counted it. */
const finalizerObligations: Obligations<Snapshot> = ({ jobs, pods }) =>
  pods.filter(isTracked).flatMap((pod) => {
    const uid = jobOf(pod);
    const job = jobs.find(({ metadata }) => metadata.uid === uid);
    const { name } = pod.metadata;
    if (job && !isManaged(job)) return [];
    if (uid !== undefined && !job) return [`remove the finalizer of ${name}, whose Job is gone`];
    if (job && isFinished(job)) return [`remove the finalizer of ${name}, whose Job has finished`];
    if (!job) {
      const isWanted = jobs.some((each) => mayAdopt(each, pod));
      return controllerOf(pod) || isWanted ? [] : [`remove the finalizer of ${name}, which has no Job`];
    }
    const { succeeded, failed } = uncounted(job);
    if ([...succeeded, ...failed].includes(pod.metadata.uid))
      return [`remove the finalizer of ${name}, which the status lists`];
    if (!(hasEnded(pod) || isFailed(job, pod)) || isKept(job, pod)) return [];
    return [
      `count ${name} (${hasEnded(pod) ? pod.status.phase : 'being deleted'}), and remove its finalizer`,
    ];
  });

/** A Job with a back-off limit per index keeps failed pods until it replaces them: they record the failures of their index. */
function isKept(job: Job, pod: Pod): boolean {
  const isLimited = job.spec.backoffLimitPerIndex !== undefined;
  return isLimited && pod.status.phase === 'Failed' && !isEnding(job) && !job.metadata.deletionTimestamp;
}

function mayAdopt(job: Job, pod: Pod): boolean {
  return (
    isManaged(job) &&
    !isFinished(job) &&
    !job.metadata.deletionTimestamp &&
    !pod.metadata.deletionTimestamp &&
    !controllerOf(pod) &&
    selects(job, pod)
  );
}

function obligationsTo(job: Job, snapshot: Snapshot): readonly string[] {
  if (isFinished(job) || endsUnstarted(job)) return [];
  const own = podsOf(job, snapshot.pods);
  const { name } = job.metadata;
  const said = [...settleObligations(job, snapshot.pods), ...reportObligations(job, own)];
  if (job.metadata.deletionTimestamp) return said.map((each) => `${each} (${name})`);
  const more = isEnding(job)
    ? endingObligations(job, own)
    : [...endObligations(job, own, snapshot.nowMs), ...runObligations(job, own, snapshot)];
  const adopts = snapshot.pods.filter((pod) => mayAdopt(job, pod)).map((pod) => `adopt ${pod.metadata.name}`);
  return [...said, ...adopts, ...more].map((each) => `${each} (${name})`);
}

/**
 * Tests whether a suspended Job ends before it has started: pods that a user made by hand have succeeded. The server
 * refuses a finished Job without a start time, so that upstream's controller retries without end. The laws accept that.
 */
export function endsUnstarted({ spec, status }: Job): boolean {
  return spec.suspend === true && status.startTime === undefined && isEnding({ spec, status } as Job);
}

/** A pod that has lost its finalizer leaves the list, and the counter grows. */
function settleObligations(job: Job, pods: readonly Pod[]): readonly string[] {
  const { succeeded, failed } = uncounted(job);
  const isHeld = (uid: string): boolean => pods.some((pod) => pod.metadata.uid === uid && isTracked(pod));
  const settled = [...succeeded, ...failed].filter((uid) => !isHeld(uid));
  return settled.length === 0
    ? []
    : [`move ${settled.length} UIDs from uncountedTerminatedPods to the counters`];
}

function reportObligations(job: Job, { active, ready, terminating }: OwnPods): readonly string[] {
  const truth = { active: active.length, ready: ready.length, terminating: terminating.length };
  return Object.entries(truth).flatMap(([field, count]) => {
    const reported = job.status[field as keyof typeof truth] ?? 0;
    return reported === count ? [] : [`report status.${field}: ${count}, instead of ${reported}`];
  });
}

/** The end is decided: all pods must stop, then the last condition follows. */
function endingObligations(job: Job, { all, active }: OwnPods): readonly string[] {
  if (active.length > 0) return active.map((pod) => `delete ${pod.metadata.name}, because the Job ends`);
  if (all.some((pod) => !hasEnded(pod))) return [];
  return [`set the condition ${isTrue(job, 'FailureTarget') ? 'Failed' : 'Complete'}`];
}

/** The reasons for an end. */
function endObligations(job: Job, own: OwnPods, nowMs: number): readonly string[] {
  const { completions, suspend, activeDeadlineSeconds } = job.spec;
  const because = (reason: string): string[] => [`set the condition FailureTarget, because ${reason}`];
  if (own.all.some((pod) => isFailed(job, pod) && actionFor(job, pod) === 'FailJob'))
    return because('a rule FailJob matches');
  if (isOverLimit(job, own)) return because('backoffLimit is exceeded');
  const { startTime } = job.status;
  if (!suspend && startTime && activeDeadlineSeconds !== undefined) {
    const dueMs = Date.parse(startTime) + activeDeadlineSeconds * 1_000;
    if (nowMs >= dueMs) return because('activeDeadlineSeconds have passed');
  }
  const failedIndexes = parseIndexes(job.status.failedIndexes)?.length ?? 0;
  const succeeded = succeededOf(job);
  if (failedIndexes > (job.spec.maxFailedIndexes ?? Number.POSITIVE_INFINITY))
    return because('maxFailedIndexes is exceeded');
  if (failedIndexes > 0 && failedIndexes + succeeded >= (completions ?? 0))
    return because('every index has ended, and some have failed');
  if (successIn(job)) return ['set the condition SuccessCriteriaMet, because a success rule matches'];
  if (own.active.length > 0) return [];
  const isComplete = completions === undefined ? succeeded > 0 : succeeded >= completions;
  return isComplete ? ['set the condition SuccessCriteriaMet, because all completions are reached'] : [];
}

function isOverLimit(job: Job, { all }: OwnPods): boolean {
  const { backoffLimit = 6, template } = job.spec;
  if (failedOf(job) > backoffLimit) return true;
  if (template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = restartsOf(all);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

/** The pods and conditions of a Job that goes on. */
function runObligations(job: Job, own: OwnPods, snapshot: Snapshot): readonly string[] {
  if (endObligations(job, own, snapshot.nowMs).length > 0) return [];
  const { suspend } = job.spec;
  const { startTime } = job.status;
  const isSuspended = isTrue(job, 'Suspended');
  const conditions =
    isSuspended === (suspend ?? false)
      ? []
      : [`set the condition Suspended to ${suspend ? 'True' : 'False'}`];
  const times = suspend
    ? startTime
      ? ['clear startTime, because the Job is suspended']
      : []
    : startTime
      ? []
      : ['set startTime'];
  return [
    ...conditions,
    ...times,
    ...sizeObligations(job, own, snapshot),
    ...twinObligations(own),
    ...indexObligations(job, own),
  ];
}

function sizeObligations(
  job: Job,
  { all, active, terminating }: OwnPods,
  snapshot: Snapshot,
): readonly string[] {
  const wanted = wantedOf(job, active.length);
  if (active.length > wanted) return [`delete ${active.length - wanted} of ${active.length} active pods`];
  const waiting = replacesOnlyEnded(job) ? terminating : [];
  const missing = wanted - active.length - waiting.length;
  if (missing <= 0) return [];
  const { count = 0, lastMs = 0 } = snapshot.failures.get(job.metadata.uid) ?? {};
  const isPerIndex = job.spec.backoffLimitPerIndex !== undefined;
  // A controller may have forgotten failures, or may know fewer: this is the longest wait.
  if (!isPerIndex && snapshot.nowMs < lastMs + backoffMs(count)) return [];
  if (job.spec.completionMode !== 'Indexed')
    return [missing === 1 ? 'create a pod' : `create ${missing} pods`];
  // An index waits for the lower ones, even during their back-off.
  const next = pendingIndexes(job, [...active, ...waiting]).slice(0, missing);
  const due = next.filter((index) => !isPerIndex || snapshot.nowMs >= dueMs(job, all, index));
  if (due.length === 0) return [];
  return [
    due.length === 1 ? `create a pod for index ${due[0]}` : `create pods for the indexes ${due.join(', ')}`,
  ];
}

/** Returns the time from which an index with its own back-off may get a new pod, in ms since 1970. */
function dueMs(job: Job, all: readonly Pod[], index: number): number {
  const failed = all.filter((pod) => indexOf(pod) === index && isFailed(job, pod));
  return Math.max(
    0,
    ...failed.map((pod) => {
      const failures = failuresBefore(pod) + ignoredBefore(pod) + 1;
      return (finishedMs(pod) ?? Number.POSITIVE_INFINITY) + backoffMs(failures);
    }),
  );
}

/** An index has at most one active pod. */
function twinObligations({ active }: OwnPods): readonly string[] {
  const indexes = active.flatMap((pod) => indexOf(pod) ?? []);
  const twice = indexes.find((index, at) => indexes.indexOf(index) !== at);
  return twice === undefined ? [] : [`delete a pod: index ${twice} has two active pods`];
}

/** An index that has failed too often is in `failedIndexes`. */
function indexObligations(job: Job, { all }: OwnPods): readonly string[] {
  const { backoffLimitPerIndex, completions = 0 } = job.spec;
  if (backoffLimitPerIndex === undefined) return [];
  const { completedIndexes, failedIndexes } = job.status;
  const known = [...(parseIndexes(completedIndexes) ?? []), ...(parseIndexes(failedIndexes) ?? [])];
  const missing = all
    .filter((pod) => isTracked(pod) && isFailed(job, pod) && isLastFailure(job, pod))
    .map((pod) => indexOf(pod) ?? completions)
    .find((index) => index < completions && !known.includes(index));
  return missing === undefined ? [] : [`report index ${missing} in failedIndexes`];
}
