/** Level 1 · Which pods have ended. */
import { type Ended, hasTrackingFinalizer, isCounted, onlyReplacesFailedPods } from '#given/65-job';
import type { Job, Pod } from '#harness';

export function isPodFailed(pod: Pod, job: Job): boolean {
  if (pod.status.phase === 'Failed') return true;
  if (onlyReplacesFailedPods(job)) return false;
  // A pod that is deleted may never reach the phase Failed.
  return pod.metadata.deletionTimestamp !== undefined && pod.status.phase !== 'Succeeded';
}

export function newlyEnded(pods: readonly Pod[], job: Job, awaited: ReadonlySet<string>): Ended {
  const { succeeded = [], failed = [] } = job.status.uncountedTerminatedPods ?? {};
  const known = new Set([...awaited, ...succeeded, ...failed]);
  const fresh = pods.filter(
    (pod) => hasTrackingFinalizer(pod) && !known.has(pod.metadata.uid) && isCounted(job, pod),
  );
  return {
    succeeded: fresh.filter(({ status }) => status.phase === 'Succeeded'),
    failed: fresh.filter((pod) => isPodFailed(pod, job)),
  };
}
