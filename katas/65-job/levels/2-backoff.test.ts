import { describe, expect, test } from 'vitest';
import type { BackoffRecord } from '#given/65-job';
import { ruleFor } from '#harness/testing';
import { nextBackoff, remainingBackoffMs } from '#kata/65-job/job';
import { aPod, NOW_MS } from './objects.fixture.ts';
import { table } from './tables.fixture.ts';

interface RecordRow {
  readonly previousFailures: number;
  readonly succeededAt: readonly number[];
  readonly failedAt: readonly number[];
}
interface RecordResult {
  readonly failuresAfterLastSuccess: number;
  readonly lastFailureTime: number | null;
}
interface RemainingRow {
  readonly failures: number;
  readonly secondsSinceLastFailure: number;
  readonly baseSeconds: number;
  readonly maxSeconds: number;
}

/** Pods that ended at these times, in seconds after now. */
const ended = (phase: 'Succeeded' | 'Failed', times: readonly number[]) =>
  times.map((endedAt, i) => aPod({ name: `${phase}-${i}`, phase, endedAt }));

const record = (failures: number, secondsAgo = 0): BackoffRecord =>
  failures === 0 ? { failures } : { failures, lastFailureMs: NOW_MS - secondsAgo * 1_000 };

describe('Level 2 · The back-off', () => {
  test('keeps the record if no pod has ended', () => {
    const ended = { succeeded: [], failed: [] };
    expect(nextBackoff(record(2, 5), ended), 'two failures before').toEqual(record(2, 5));
    expect(nextBackoff(record(0), ended), 'no failures before').toEqual(record(0));
  });

  test('takes the latest failure, in any order of the pods', () => {
    const failed = ended('Failed', [-3, -1, -2]);
    expect(nextBackoff(record(0), { succeeded: [], failed }), 'they failed 3, 1 and 2 s ago').toEqual(
      record(3, 1),
    );
  });

  test.each(table<RecordRow, RecordResult>('backoffRecord', 5))(
    'records failures as Kubernetes does: %s',
    (_, row) => {
      const { previousFailures, succeededAt, failedAt } = row.input;
      const next = nextBackoff(record(previousFailures, 60), {
        succeeded: ended('Succeeded', succeededAt),
        failed: ended('Failed', failedAt),
      });
      const { failuresAfterLastSuccess: failures, lastFailureTime } = row.expect;
      const lastFailureMs = lastFailureTime === null ? undefined : NOW_MS + lastFailureTime * 1_000;
      expect(next, ruleFor('nextBackoff: failures that ended after the latest success', row.input)).toEqual(
        lastFailureMs === undefined ? { failures } : { failures, lastFailureMs },
      );
    },
  );

  test('forgets earlier failures at a success', () => {
    const next = nextBackoff(record(3, 60), {
      succeeded: ended('Succeeded', [0]),
      failed: ended('Failed', [5]),
    });
    expect(next, '3 failures, then a success, then a failure 5 s later').toEqual({
      failures: 1,
      lastFailureMs: NOW_MS + 5_000,
    });
  });

  test.each(table<RemainingRow, { seconds: number }>('remaining', 5))(
    'waits as Kubernetes does: %s',
    (_, row) => {
      const { failures, secondsSinceLastFailure, baseSeconds, maxSeconds } = row.input;
      const limits = { baseMs: baseSeconds * 1_000, maxMs: maxSeconds * 1_000 };
      const remaining = remainingBackoffMs(record(failures, secondsSinceLastFailure), NOW_MS, limits);
      expect(remaining, ruleFor('remainingBackoffMs: counts from the last failure', row.input)).toBe(
        row.expect.seconds * 1_000,
      );
    },
  );

  test('doubles from 10 s to 10 min by default', () => {
    const delays = [1, 2, 3, 6, 7, 8].map((failures) => remainingBackoffMs(record(failures), NOW_MS) / 1_000);
    expect(delays, 'seconds after 1, 2, 3, 6, 7 and 8 failures').toEqual([10, 20, 40, 320, 600, 600]);
    expect(remainingBackoffMs(record(3, 15), NOW_MS), '3 failures, the last one 15 s ago').toBe(25_000);
  });

  test('survives a long row of failures', () => {
    expect(remainingBackoffMs(record(5_000), NOW_MS), '5,000 failures').toBe(600_000);
  });
});
