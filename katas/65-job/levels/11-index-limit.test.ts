import { describe, expect, test } from 'vitest';
import { failureEnd, type Interval } from '#given/65-job';
import { ruleFor } from '#harness/testing';
import {
  endOfIndexes,
  failureCountAnnotations,
  findFailedIndexes,
  findKeptPods,
  remainingIndexBackoffMs,
} from '#kata/65-job/job';
import { anIndexedJob, aPod, NOW_MS } from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

const COUNT = 'batch.kubernetes.io/job-index-failure-count';
const IGNORED = 'batch.kubernetes.io/job-index-ignored-failure-count';

interface PodRow {
  readonly index: number;
  readonly failureCount: number;
  readonly phase: string;
  readonly finalizer: boolean;
  readonly uid?: string;
}
interface Row {
  readonly backoffLimitPerIndex: number;
  readonly prev?: string | null;
  readonly completions: number;
  readonly pods: readonly PodRow[];
}

const jobOf = ({ backoffLimitPerIndex, prev, completions }: Row) =>
  anIndexedJob(completions, prev ? { failedIndexes: prev } : {}, { backoffLimitPerIndex });

/** Failed pods of these rows that have the finalizer: the others are counted already. */
const failedOf = ({ pods }: Row) =>
  pods
    .filter(({ finalizer }) => finalizer)
    .map(({ index, failureCount, uid = `${index}` }) =>
      aPod({ name: uid, index, phase: 'Failed', annotations: { [COUNT]: String(failureCount) } }),
    );

const failed = (index: number, annotations: Record<string, string> = {}, exitCode = 1) =>
  aPod({ name: `pi-${index}`, index, phase: 'Failed', annotations, exitCode });

const POLICY = {
  rules: [
    { action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } },
    { action: 'Ignore', onExitCodes: { operator: 'In', values: [7] } },
  ],
};

describe('Level 11 ★ · A limit for each index', () => {
  test.each(table<Row, { intervals: Interval[] }>('failedIndexes', 3))(
    'finds the failed indexes as Kubernetes does: %s',
    (_, { input, expect: expected }) => {
      expect(
        findFailedIndexes(jobOf(input), failedOf(input)),
        ruleFor('findFailedIndexes: the count before the pod has reached the limit', input),
      ).toEqual(expected.intervals);
    },
  );

  test('has no failed indexes without a limit for each', () => {
    expect(findFailedIndexes(anIndexedJob(2), [failed(0)])).toBeUndefined();
  });

  test('follows the failure policy: FailIndex fails at once, Ignore never', () => {
    const job = anIndexedJob(4, {}, { backoffLimitPerIndex: 1, podFailurePolicy: POLICY });
    const pods = [failed(0, {}, 42), failed(1, { [COUNT]: '1' }, 7), failed(2, { [COUNT]: '1' }), failed(3)];
    expect(findFailedIndexes(job, pods), 'exit codes 42, 7, 1, 1; limit 1').toEqual([
      [0, 0],
      [2, 2],
    ]);
  });

  test('reads an invalid count as 0', () => {
    const job = anIndexedJob(2, {}, { backoffLimitPerIndex: 1 });
    expect(findFailedIndexes(job, [failed(0, { [COUNT]: 'many' }), failed(1, { [COUNT]: '-3' })])).toEqual(
      [],
    );
  });

  test.each(table<Row, { uids: string[] }>('delayedDeletion', 2))(
    'keeps pods as Kubernetes does: %s',
    (_, { input, expect: expected }) => {
      const job = jobOf(input);
      const pods = failedOf(input);
      const kept = findKeptPods(job, pods, findFailedIndexes(job, pods) ?? []);
      expect(
        [...kept.values()].map(({ metadata }) => metadata.name),
        ruleFor('findKeptPods: the last failed pod of each index that may go on', input),
      ).toEqual(expected.uids);
    },
  );

  test('keeps no pod of an index that needs none', () => {
    const job = anIndexedJob(3, {}, { backoffLimitPerIndex: 5 });
    const kept = findKeptPods(job, [failed(0), failed(1), failed(2)], [[0, 1]]);
    expect([...kept.keys()], 'index 0 has succeeded, index 1 has an active pod').toEqual([2]);
  });

  test('ends the Job with too many failed indexes, or when no index is left', () => {
    const job = anIndexedJob(4, {}, { backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
    const none = endOfIndexes(job, [], [[0, 3]]);
    expect(none, 'no index has failed').toBeUndefined();
    expect(endOfIndexes(job, [[0, 0]], [[1, 2]]), 'one index is left').toBeUndefined();
    expect(endOfIndexes(job, [[0, 0]], [[1, 3]]), 'none is left').toEqual(
      failureEnd('FailedIndexes', 'Job has failed indexes'),
    );
    expect(endOfIndexes(job, [[0, 1]], []), 'two of at most one').toEqual(
      failureEnd(
        'MaxFailedIndexesExceeded',
        'Job has exceeded the specified maximal number of failed indexes',
      ),
    );
    const unlimited = anIndexedJob(4, {}, { backoffLimitPerIndex: 0 });
    expect(endOfIndexes(unlimited, [[0, 2]], []), 'no limit of failed indexes').toBeUndefined();
  });

  test('waits for each index by its own failures', () => {
    expect(remainingIndexBackoffMs(undefined, NOW_MS), 'a new index').toBe(0);
    expect(remainingIndexBackoffMs(failed(0), NOW_MS), 'the first failure').toBe(10_000);
    const third = failed(0, { [COUNT]: '1', [IGNORED]: '1' });
    expect(remainingIndexBackoffMs(third, NOW_MS), 'the third, one of them ignored').toBe(40_000);
    expect(remainingIndexBackoffMs(third, NOW_MS + 50_000)).toBe(0);
  });

  test('hands the count on to the next pod', () => {
    const job = anIndexedJob(2, {}, { backoffLimitPerIndex: 3, podFailurePolicy: POLICY });
    expect(failureCountAnnotations(job, undefined), 'a new index').toEqual({ [COUNT]: '0' });
    expect(failureCountAnnotations(job, failed(0, { [COUNT]: '1' }))).toEqual({ [COUNT]: '2' });
    expect(failureCountAnnotations(job, failed(0, { [COUNT]: '1' }, 7)), 'ignored').toEqual({
      [COUNT]: '1',
      [IGNORED]: '1',
    });
    expect(failureCountAnnotations(anIndexedJob(2), failed(0)), 'no limit for each index').toEqual({});
  });
});
