import { quote } from '../../api/names.ts';

/**
 * Returns the number of indexes in a text such as `1,3-5`, or why the text cannot be parsed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/batch/validation/validation.go validateIndexesFormat
 */
export function parseIndexes(text: string, completions: number): number | string {
  if (text === '') return 0;
  let last: number | undefined;
  let total = 0;
  for (const fragment of text.split(',')) {
    const interval = parseInterval(fragment, completions);
    if (typeof interval === 'string') return interval;
    const { first, end } = interval;
    if (last !== undefined && last >= first) return notIncreasing(last, first);
    total += end - first + 1;
    last = end;
  }
  return total;
}

/**
 * Returns the first index that both texts contain. It skips parts that cannot be parsed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/batch/validation/validation.go validateFailedIndexesNotOverlapCompleted
 */
export function overlapOfIndexes(one: string, other: string, completions: number): number | undefined {
  const intervalsOf = (text: string) =>
    text.split(',').flatMap((fragment) => {
      const interval = parseInterval(fragment, completions);
      return typeof interval === 'string' ? [] : [interval];
    });
  const others = intervalsOf(other);
  const common = intervalsOf(one).flatMap((a) =>
    others.filter((b) => a.first <= b.end && b.first <= a.end).map((b) => Math.max(a.first, b.first)),
  );
  return common.length === 0 ? undefined : Math.min(...common);
}

function parseInterval(fragment: string, completions: number): { first: number; end: number } | string {
  const limits = fragment.split('-');
  if (limits.length > 2) {
    return `the fragment ${quote(fragment)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${quote(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${quote(limit)}`;
    numbers.push(Number(limit));
  }
  const [first = 0, end = first] = numbers;
  return numbers.length > 1 && first >= end ? notIncreasing(first, end) : { first, end };
}

const notIncreasing = (previous: number, current: number): string =>
  `non-increasing order, previous: ${previous}, current: ${current}`;
