/** Level 3 · Indexes. */
import {
  completionIndexOf,
  hasTrackingFinalizer,
  type Interval,
  parseIndexes,
  withIndexes,
} from '#given/65-job';
import type { Job, Pod } from '#harness';

export function succeededIndexes(job: Job, pods: readonly Pod[]): Interval[] {
  const { completedIndexes = '', uncountedTerminatedPods } = job.status;
  const counted = parseIndexes(completedIndexes, job.spec.completions ?? 0);
  const fresh = pods.filter(
    (pod) =>
      pod.status.phase === 'Succeeded' &&
      hasTrackingFinalizer(pod) &&
      !uncountedTerminatedPods?.failed?.includes(`${pod.metadata.uid} `),
  );
  return withIndexes(
    counted,
    fresh.flatMap((pod) => completionIndexOf(job, pod) ?? []),
  );
}

export function firstPendingIndexes(
  taken: readonly Interval[],
  count: number,
  completions: number,
): number[] {
  const pending: number[] = [];
  let candidate = 0;
  for (const [first, last] of [...taken, [completions, completions] as const]) {
    for (; candidate < Math.min(first, completions) && pending.length < count; candidate++)
      pending.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return pending;
}
