/** Level 6 · Every pod counts once. */
import {
  completionIndexOf,
  type End,
  heldPods,
  includesIndex,
  isCounted,
  isIndexed,
  type JobState,
  type JobStatus,
  type JobSyncContext,
  MAX_UNCOUNTED_PODS,
  parseIndexes,
  releasePods,
  storeStatus,
  type TrackingPlan,
  uidsOf,
  uncountedOf,
  withCounts,
  withIndexFields,
  withInterimCondition,
  withTerminalCondition,
  withUncounted,
} from '#given/65-job';
import type { Job, Pod } from '#harness';
import { isPodFailed } from './pods.ts';

export function settle(status: JobStatus, held: ReadonlySet<string>): JobStatus {
  const { succeeded, failed } = uncountedOf(status);
  const stay = {
    succeeded: succeeded.filter((uid) => held.has(uid)),
    failed: failed.filter((uid) => held.has(uid)),
  };
  const counters = {
    succeeded: (status.succeeded ?? 0) + succeeded.length - stay.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - stay.failed.length,
  };
  const settled = {
    ...status,
    ...(counters.succeeded > 0 && { succeeded: counters.succeeded }),
    ...(counters.failed > 0 && { failed: counters.failed }),
  };
  return withUncounted(settled, stay);
}

export function planTracking(state: JobState, end: End | undefined, nowMs: number): TrackingPlan {
  const { job, pods, awaited, counts, verdicts } = state;
  const held = heldPods(pods, awaited);
  const settled = settle(job.status, uidsOf(held));
  const known = uncountedOf(settled);
  const uncounted = { succeeded: [...known.succeeded], failed: [...known.failed] };
  const release: Pod[] = [];
  let indexes = 0;
  let isPartial = false;
  for (const pod of held) {
    if (!mayRelease(state, pod, end)) continue;
    const { uid } = pod.metadata;
    release.push(pod);
    if (pod.status.phase === 'Succeeded' && !known.failed.includes(uid)) {
      if (isIndexed(job)) indexes += isNewIndex(job, pod) ? 1 : 0;
      else if (!known.succeeded.includes(uid)) uncounted.succeeded.push(uid);
    } else if (isPodFailed(pod, job) || end?.type === 'FailureTarget') {
      const counts = isCounted(job, pod) && !verdicts.ignored.has(uid) && !known.failed.includes(uid);
      if (counts) uncounted.failed.push(uid);
    }
    isPartial = indexes + uncounted.succeeded.length + uncounted.failed.length >= MAX_UNCOUNTED_PODS;
    if (isPartial) break;
  }
  const counted = withUncounted(withCounts(settled, counts), uncounted);
  const status = isIndexed(job)
    ? withIndexFields(counted, state.succeededIndexes, verdicts.failedIndexes)
    : counted;
  return { status: withInterimCondition(status, end, nowMs), release, isPartial };
}

export function finish(status: JobStatus, end: End | undefined, nowMs: number): JobStatus {
  const { succeeded, failed } = uncountedOf(status);
  const isOpen = succeeded.length + failed.length + (status.terminating ?? 0) > 0;
  return end && !isOpen ? withTerminalCondition(status, end, nowMs) : status;
}

export async function trackAndRelease(
  syncContext: JobSyncContext,
  state: JobState,
  end: End | undefined,
): Promise<void> {
  const { backoff, context } = syncContext;
  const { stored, pods, awaited } = state;
  const plan = planTracking(state, end, context.clock.now());
  // A finalizer may go only after the server has stored the status that counts its pod.
  const tracked = await storeStatus(syncContext, stored, plan.status);
  // A failed pod that no list has is found again: it must not count in each sync.
  if (tracked !== stored) backoff.set(stored.metadata.uid, state.backoff);
  const { released, error } = await releasePods(syncContext, tracked, plan.release);
  const held = heldPods(pods, awaited).filter(({ metadata }) => !released.has(metadata.uid));
  const settled = settle(tracked.status, uidsOf(held));
  const isDone = error === undefined && !plan.isPartial;
  await storeStatus(syncContext, tracked, isDone ? finish(settled, end, context.clock.now()) : settled);
  if (error !== undefined) throw error;
}

export function mayRelease({ job, verdicts }: JobState, pod: Pod, end: End | undefined): boolean {
  if (end || job.metadata.deletionTimestamp !== undefined || pod.status.phase === 'Succeeded') return true;
  const index = completionIndexOf(job, pod);
  const isKept = index !== undefined && verdicts.kept.get(index)?.metadata.uid === pod.metadata.uid;
  return isPodFailed(pod, job) && !isKept;
}

/** Returns whether the status does not list the index of this pod yet. */
export function isNewIndex(job: Job, pod: Pod): boolean {
  const index = completionIndexOf(job, pod);
  const known = parseIndexes(job.status.completedIndexes ?? '', job.spec.completions ?? 0);
  return index !== undefined && !includesIndex(known, index);
}
