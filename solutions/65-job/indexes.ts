/** Level 3 · Indexes. */
import { completionIndexOf, hasTrackingFinalizer, type Interval, withIndexes } from '#given/65-job';
import type { Job, Pod } from '#harness';

export function parseIndexes(text: string, completions: number): Interval[] {
  const intervals: Interval[] = [];
  for (const part of text.split(',')) {
    const [first, last = first] = part
      .split('-')
      .map((limit) => (/^\d+$/.test(limit) ? Number(limit) : Number.NaN));
    if (first === undefined || last === undefined || Number.isNaN(first) || Number.isNaN(last)) continue;
    if (first >= completions) break;
    const previous = intervals.at(-1);
    const end = Math.min(last, completions - 1);
    if (previous && previous[1] === first - 1) intervals[intervals.length - 1] = [previous[0], end];
    else intervals.push([first, end]);
  }
  return intervals;
}

export function formatIndexes(intervals: readonly Interval[]): string {
  return intervals
    .map(([first, last]) =>
      first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`,
    )
    .join(',');
}

export function succeededIndexes(job: Job, pods: readonly Pod[]): Interval[] {
  const { completedIndexes = '', uncountedTerminatedPods } = job.status;
  const counted = parseIndexes(completedIndexes, job.spec.completions ?? 0);
  const fresh = pods.filter(
    (pod) =>
      pod.status.phase === 'Succeeded' &&
      hasTrackingFinalizer(pod) &&
      !uncountedTerminatedPods?.failed?.includes(pod.metadata.uid),
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
