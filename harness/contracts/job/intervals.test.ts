import { describe, expect, test } from 'vitest';
import {
  countIndexes,
  formatIndexes,
  type Interval,
  includesIndex,
  mergeIntervals,
  parseIndexes,
  withIndexes,
  withoutIndexes,
} from './intervals.ts';

describe('Lists of indexes', () => {
  test.each([
    ['', []],
    ['0', [[0, 0]]],
    ['1,2', [[1, 2]]],
    [
      '1,3-5,7',
      [
        [1, 1],
        [3, 5],
        [7, 7],
      ],
    ],
    ['0-4,5-9', [[0, 9]]],
    ['3-99', [[3, 9]]],
    ['12', []],
    [
      '0,1-foo,bar,3',
      [
        [0, 0],
        [3, 3],
      ],
    ],
  ] as [string, Interval[]][])('parses %j for ten completions', (text, intervals) => {
    expect(parseIndexes(text, 10)).toEqual(intervals);
  });

  test.each([
    [[], ''],
    [[[0, 0]], '0'],
    [[[1, 2]], '1,2'],
    [
      [
        [1, 1],
        [3, 5],
        [7, 7],
      ],
      '1,3-5,7',
    ],
  ] as [Interval[], string][])('formats %j', (intervals, text) => {
    expect(formatIndexes(intervals)).toBe(text);
  });

  test('merges lists that overlap or touch', () => {
    expect(
      mergeIntervals(
        [
          [0, 2],
          [8, 9],
        ],
        [
          [1, 4],
          [5, 5],
        ],
      ),
    ).toEqual([
      [0, 5],
      [8, 9],
    ]);
    expect(withIndexes([[1, 1]], [3, 2, 3])).toEqual([[1, 3]]);
  });

  test('removes the indexes of another list', () => {
    expect(
      withoutIndexes(
        [[0, 9]],
        [
          [0, 1],
          [4, 4],
          [8, 12],
        ],
      ),
    ).toEqual([
      [2, 3],
      [5, 7],
    ]);
    expect(withoutIndexes([[2, 3]], [[0, 5]])).toEqual([]);
    expect(withoutIndexes([[2, 3]], [])).toEqual([[2, 3]]);
  });

  test('counts and finds indexes', () => {
    expect(
      countIndexes([
        [0, 2],
        [5, 5],
      ]),
    ).toBe(4);
    expect(
      [2, 3, 5].map((index) =>
        includesIndex(
          [
            [0, 2],
            [5, 5],
          ],
          index,
        ),
      ),
    ).toEqual([true, false, true]);
  });
});
