import { describe, expect, test } from 'vitest';
import type { Interval } from '#given/65-job';
import { ruleFor } from '#harness/testing';
import { firstPendingIndexes, succeededIndexes } from '#kata/65-job/job';
import { anIndexedJob, aPod } from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

interface Row {
  readonly prev: string;
  readonly pods: readonly { readonly index: string; readonly phase: string }[];
  readonly completions: number;
}

describe('Level 3 · Indexes', () => {
  test.each(table<Row, { intervals: Interval[] }>('succeededIndexes', 7))(
    'finds the succeeded indexes as Kubernetes does: %s',
    (_, { input, expect: expected }) => {
      const job = anIndexedJob(input.completions, input.prev === '' ? {} : { completedIndexes: input.prev });
      const pods = input.pods.map(({ index, phase }, i) => aPod({ name: `pi-${i}`, index, phase }));
      expect(
        succeededIndexes(job, pods),
        ruleFor('succeededIndexes: those of the status and of Succeeded pods', input),
      ).toEqual(expected.intervals);
    },
  );

  const job = anIndexedJob(6, { completedIndexes: '0,3-5' });

  test('adds the index of a pod that has just succeeded', () => {
    const pods = [aPod({ index: 1, phase: 'Succeeded' })];
    expect(succeededIndexes(job, pods), 'completedIndexes 0,3-5, and index 1').toEqual([
      [0, 1],
      [3, 5],
    ]);
  });

  test('skips a succeeded pod without the tracking finalizer', () => {
    const pods = [aPod({ index: 1, phase: 'Succeeded', finalizer: false })];
    expect(succeededIndexes(job, pods), 'a user removed the finalizer of index 1').toEqual([
      [0, 0],
      [3, 5],
    ]);
  });

  test('skips a pod that counts as failed, although it succeeded in the end', () => {
    const counted = anIndexedJob(6, { uncountedTerminatedPods: { failed: ['uid-of-pi-1'] } });
    const pods = [aPod({ index: 1, phase: 'Succeeded', leaves: true })];
    expect(succeededIndexes(counted, pods), 'uncountedTerminatedPods.failed has the pod').toEqual([]);
  });

  const pending: readonly (readonly [string, readonly Interval[], number, number, number[]])[] = [
    ['begins at 0', [], 2, 5, [0, 1]],
    [
      'fills the gaps first',
      [
        [0, 1],
        [3, 5],
      ],
      2,
      10,
      [2, 6],
    ],
    ['returns fewer if there are not enough', [[1, 2]], 5, 4, [0, 3]],
    ['returns none if none is left', [[0, 3]], 5, 4, []],
    ['returns none if none is wanted', [], 0, 4, []],
    ['ignores taken indexes that the Job does not have', [[2, 9]], 5, 4, [0, 1]],
    [
      'steps over neighbours',
      [
        [0, 0],
        [1, 1],
      ],
      1,
      4,
      [2],
    ],
  ];
  test.each(pending)('%s', (_, taken, count, completions, expected) => {
    expect(
      firstPendingIndexes(taken, count, completions),
      `firstPendingIndexes(${JSON.stringify(taken)}, ${count}, ${completions})`,
    ).toEqual(expected);
  });

  test('does not visit each index of a large Job', () => {
    const taken: Interval[] = [[0, 99_998_000]];
    expect(firstPendingIndexes(taken, 2, 100_000_000), 'taken 0 to 99,998,000').toEqual([
      99_998_001, 99_998_002,
    ]);
  });
});
