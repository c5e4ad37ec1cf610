import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortened } from './shortened.ts';

interface Step {
  readonly afterMs: number;
  readonly what: string;
}

const story: readonly Step[] = [
  { afterMs: 10, what: 'a' },
  { afterMs: 20, what: 'b' },
  { afterMs: 30, what: 'c' },
  { afterMs: 40, what: 'd' },
];

/** Shrinks the story, and returns the smallest wrong version. */
function smallest(
  isWrong: (steps: readonly Step[]) => boolean,
  isSimilar?: (story: readonly Step[], shorter: readonly Step[]) => boolean,
): readonly Step[] {
  let last: readonly Step[] = story;
  const property = fc.property(shortened(fc.constant(story), isSimilar), (steps) => {
    if (!isWrong(steps)) return;
    last = steps;
    throw new Error('wrong');
  });
  expect(() => fc.assert(property)).toThrow('wrong');
  return last;
}

test('A story is generated unchanged', () => {
  expect(fc.sample(shortened(fc.constant(story)), 1)).toEqual([story]);
});

test('A story shrinks to the steps that matter', () => {
  const has = (steps: readonly Step[], what: string): boolean => steps.some((step) => step.what === what);
  expect(smallest((steps) => has(steps, 'b') && has(steps, 'd'))).toEqual([
    { afterMs: 0, what: 'b' },
    { afterMs: 0, what: 'd' },
  ]);
  expect(smallest(() => true)).toEqual([]);
});

test('A story keeps the time that matters without the steps before it', () => {
  const atMs = (steps: readonly Step[]): number => steps.reduce((sum, { afterMs }) => sum + afterMs, 0);
  const isLate = (steps: readonly Step[]): boolean => steps.at(-1)?.what === 'd' && atMs(steps) >= 70;
  expect(smallest(isLate)).toEqual([{ afterMs: 70, what: 'd' }]);
});

test('A story does not shrink to a version that is not similar', () => {
  const count = (steps: readonly Step[], what: string): number =>
    steps.filter((step) => step.what === what).length;
  const keepsA = (before: readonly Step[], after: readonly Step[]): boolean =>
    count(before, 'a') === count(after, 'a');
  expect(smallest(() => true, keepsA)).toEqual([{ afterMs: 0, what: 'a' }]);
});
