/** Consecutive indexes, both ends included: `[3, 5]` is 3, 4 and 5. */
export type Interval = readonly [first: number, last: number];

/**
 * Merges two lists of intervals, each in increasing order. Neighbours become one interval: `[0, 1]` and `[2, 2]` are
 * `[0, 2]`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go orderedIntervals.merge
 */
export function mergeIntervals(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...one, ...other].sort((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Returns the intervals with these indexes, which come in any order. */
export function withIndexes(intervals: readonly Interval[], indexes: Iterable<number>): Interval[] {
  const added = [...indexes].map((index): Interval => [index, index]);
  return added.length === 0 ? [...intervals] : mergeIntervals(intervals, added);
}

/** Returns the intervals without the indexes of `others`. Both lists are in increasing order. */
export function withoutIndexes(intervals: readonly Interval[], others: readonly Interval[]): Interval[] {
  return intervals.flatMap(([first, last]) => {
    const left: Interval[] = [];
    let next = first;
    for (const [from, to] of others) {
      if (to < next || from > last) continue;
      if (from > next) left.push([next, from - 1]);
      next = to + 1;
    }
    return next > last ? left : [...left, [next, last]];
  });
}

/** Returns the number of indexes. */
export function countIndexes(intervals: readonly Interval[]): number {
  return intervals.reduce((count, [first, last]) => count + last - first + 1, 0);
}

/** Returns whether one of the intervals contains the index. */
export function includesIndex(intervals: readonly Interval[], index: number): boolean {
  return intervals.some(([first, last]) => first <= index && index <= last);
}

/**
 * Parses a list of indexes such as `1,3-5`. It skips invalid parts, and indexes that are not below `completions`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go parseIndexesFromString
 */
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

/**
 * Formats a list of indexes: `1,3-5`. Two neighbours are two indexes: `1,2`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go orderedIntervals.String
 */
export function formatIndexes(intervals: readonly Interval[]): string {
  return intervals
    .map(([first, last]) =>
      first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '-'}${last}`,
    )
    .join(',');
}
