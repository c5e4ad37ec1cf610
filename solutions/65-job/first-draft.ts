/** The functions of the short way, as a first draft: a pod that the status lists already needs no further step. */
import {
  type End,
  heldPods,
  isCounted,
  isIndexed,
  type JobState,
  MAX_UNCOUNTED_PODS,
  type TrackingPlan,
  uidsOf,
  uncountedOf,
  withCounts,
  withIndexFields,
  withInterimCondition,
  withUncounted,
} from '#given/65-job';
import type { Pod } from '#harness';
import { isPodFailed } from './pods.ts';
import { isNewIndex, mayRelease, settle } from './tracking.ts';

export function planTracking(state: JobState, end: End | undefined, nowMs: number): TrackingPlan {
  const { job, pods, awaited, counts, verdicts } = state;
  const held = heldPods(pods, awaited);
  const settled = settle(job.status, uidsOf(held));
  const known = uncountedOf(settled);
  const uncounted = { succeeded: [...known.succeeded], failed: [...known.failed] };
  const listed = new Set([...known.succeeded, ...known.failed]);
  const release: Pod[] = [];
  let indexes = 0;
  let isPartial = false;
  for (const pod of held) {
    const { uid } = pod.metadata;
    if (listed.has(uid) || !mayRelease(state, pod, end)) continue;
    release.push(pod);
    if (pod.status.phase === 'Succeeded') {
      if (isIndexed(job)) indexes += isNewIndex(job, pod) ? 1 : 0;
      else uncounted.succeeded.push(uid);
    } else if (isPodFailed(pod, job) || end?.type === 'FailureTarget') {
      if (isCounted(job, pod) && !verdicts.ignored.has(uid)) uncounted.failed.push(uid);
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
