/** Level 6 · Every pod counts once. */
import {
  completionIndexOf,
  countIndexes,
  type End,
  finishedCondition,
  hasTrackingFinalizer,
  includesIndex,
  isCounted,
  isIndexed,
  type JobState,
  type JobStatus,
  type JobSyncContext,
  MAX_UNCOUNTED_PODS,
  newJobCondition,
  releasePods,
  type TrackingPlan,
  withCounts,
} from '#given/65-job';
import type { Job, Pod } from '#harness';
import { formatIndexes, parseIndexes } from './indexes.ts';
import { isPodFailed } from './pods.ts';

export function settle(status: JobStatus, held: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const stay = {
    succeeded: succeeded.filter((uid) => held.has(uid)),
    failed: failed.filter((uid) => held.has(uid)),
  };
  const counters = {
    succeeded: (status.succeeded ?? 0) + succeeded.length - stay.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - stay.failed.length,
  };
  return {
    ...status,
    ...(counters.succeeded > 0 && { succeeded: counters.succeeded }),
    ...(counters.failed > 0 && { failed: counters.failed }),
    uncountedTerminatedPods: uncountedOf(stay),
  };
}

export function planTracking(state: JobState, end: End | undefined, nowMs: number): TrackingPlan {
  const { job, counts, succeededIndexes, verdicts } = state;
  const held = heldPods(state);
  const settled = settle(job.status, uidsOf(held));
  const { succeeded = [], failed = [] } = settled.uncountedTerminatedPods ?? {};
  const uncounted = { succeeded: [...succeeded], failed: [...failed] };
  const isNewIndex = newIndexes(job);
  const release: Pod[] = [];
  let fresh = 0;
  let isPartial = false;
  for (const pod of held) {
    if (!mayRelease(state, pod, end)) continue;
    const { uid } = pod.metadata;
    release.push(pod);
    if (pod.status.phase === 'Succeeded' && !failed.includes(uid)) {
      if (isIndexed(job)) fresh += isNewIndex(pod) ? 1 : 0;
      else if (!succeeded.includes(uid)) uncounted.succeeded.push(uid);
    } else if (isPodFailed(pod, job) || end?.type === 'FailureTarget') {
      const counts = isCounted(job, pod) && !verdicts.ignored.has(uid);
      if (counts && !failed.includes(uid)) uncounted.failed.push(uid);
    }
    isPartial = fresh + uncounted.succeeded.length + uncounted.failed.length >= MAX_UNCOUNTED_PODS;
    if (isPartial) break;
  }
  const status = {
    ...withCounts(settled, counts),
    ...(isIndexed(job) && indexFields(succeededIndexes)),
    ...(verdicts.failedIndexes && { failedIndexes: formatIndexes(verdicts.failedIndexes) }),
    uncountedTerminatedPods: uncountedOf(uncounted),
  };
  return { status: withCondition(status, end, nowMs), release, isPartial };
}

export function finish(status: JobStatus, end: End | undefined, nowMs: number): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (!end || succeeded.length + failed.length + (status.terminating ?? 0) > 0) return status;
  const type = end.type === 'FailureTarget' ? 'Failed' : 'Complete';
  const condition = newJobCondition({ ...end, type }, nowMs);
  return {
    ...status,
    conditions: [...(status.conditions ?? []), condition],
    ...(type === 'Complete' && { completionTime: condition.lastTransitionTime as string }),
  };
}

export async function trackAndRelease(
  syncContext: JobSyncContext,
  state: JobState,
  end: End | undefined,
): Promise<void> {
  const { backoff, context, control, finished, written } = syncContext;
  const { uid } = state.job.metadata;
  const write = async (job: Job, status: JobStatus): Promise<Job> => {
    const updated = await control.updateStatus(job, status);
    written.wroteAt(uid, 'jobs', updated.metadata.resourceVersion);
    return updated;
  };
  const plan = planTracking(state, end, context.clock.now());
  // A finalizer may go only after the server has stored the status that counts its pod.
  const tracked = await write(state.stored, plan.status);
  backoff.set(uid, state.backoff);
  const { released, error } = await releasePods(syncContext, tracked, plan.release);
  const held = uidsOf(heldPods(state).filter(({ metadata }) => !released.has(metadata.uid)));
  const settled = settle(tracked.status, held);
  const isDone = error === undefined && !plan.isPartial;
  const updated = await write(tracked, isDone ? finish(settled, end, context.clock.now()) : settled);
  if (finishedCondition(updated)) finished.add(uid);
  if (error !== undefined) throw error;
}

/** Returns the pods with a finalizer that this controller has not removed yet. */
function heldPods({ awaited, pods }: JobState): Pod[] {
  return pods.filter((pod) => hasTrackingFinalizer(pod) && !awaited.has(pod.metadata.uid));
}

function mayRelease({ job, verdicts }: JobState, pod: Pod, end: End | undefined): boolean {
  if (end || job.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Succeeded') return true;
  const index = completionIndexOf(job, pod);
  const isKept = index !== undefined && verdicts.kept.get(index)?.metadata.uid === pod.metadata.uid;
  return isPodFailed(pod, job) && !isKept;
}

/** Returns a function that tests whether the status does not list the index of a pod yet. */
function newIndexes(job: Job): (pod: Pod) => boolean {
  const known = parseIndexes(job.status.completedIndexes ?? '', job.spec.completions ?? 0);
  return (pod) => {
    const index = completionIndexOf(job, pod);
    return index !== undefined && !includesIndex(known, index);
  };
}

function indexFields(
  indexes: JobState['succeededIndexes'],
): Pick<JobStatus, 'succeeded' | 'completedIndexes'> {
  const succeeded = countIndexes(indexes);
  return succeeded > 0 ? { succeeded, completedIndexes: formatIndexes(indexes) } : {};
}

function uncountedOf({ succeeded, failed }: { readonly succeeded: string[]; readonly failed: string[] }) {
  return { ...(succeeded.length > 0 && { succeeded }), ...(failed.length > 0 && { failed }) };
}

function withCondition(status: JobStatus, end: End | undefined, nowMs: number): JobStatus {
  const { conditions = [] } = status;
  if (!end || conditions.some(({ type, status }) => type === end.type && status === 'True')) return status;
  return { ...status, conditions: [...conditions, newJobCondition(end, nowMs)] };
}

function uidsOf(pods: readonly Pod[]): Set<string> {
  return new Set(pods.map(({ metadata }) => metadata.uid));
}
