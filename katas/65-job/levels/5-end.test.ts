import { describe, expect, test } from 'vitest';
import {
  BACKOFF_LIMIT_EXCEEDED,
  COMPLETIONS_REACHED,
  DEADLINE_EXCEEDED,
  type End,
  failureEnd,
} from '#given/65-job';
import { completionOf, endOf } from '#kata/65-job/job';
import { aJob, aPod, aState, at, NOW_MS, type StateParts } from './objects.fixture.ts';

const condition = ({ type, reason, message }: End) => ({ type, status: 'True', reason, message });

describe('Level 5 · Is it over?', () => {
  test('goes on without a reason to end', () => {
    expect(endOf(aState(), NOW_MS), 'a new Job').toBeUndefined();
  });

  test.each([
    [0, 0, false],
    [0, 1, true],
    [2, 2, false],
    [2, 3, true],
  ])('allows backoffLimit failures: %i allows %i failed pods, or not', (backoffLimit, failed, isOver) => {
    const state = aState({ job: aJob({ backoffLimit }), counts: { failed } });
    expect(endOf(state, NOW_MS), `backoffLimit ${backoffLimit}, ${failed} failed`).toEqual(
      isOver ? BACKOFF_LIMIT_EXCEEDED : undefined,
    );
  });

  const restarted = (backoffLimit: number, ...restarts: number[]): StateParts => ({
    job: aJob({ restartPolicy: 'OnFailure', backoffLimit }),
    pods: restarts.map((each, i) => aPod({ name: `pi-${i}`, restarts: each })),
  });

  test.each([
    [2, [1], false],
    [2, [1, 1], true],
    [0, [0], false],
    [0, [1], true],
    [1, [1], true],
  ])('counts restarts under OnFailure: limit %i, restarts %j', (backoffLimit, restarts, isOver) => {
    expect(endOf(aState(restarted(backoffLimit, ...restarts)), NOW_MS)).toEqual(
      isOver ? BACKOFF_LIMIT_EXCEEDED : undefined,
    );
  });

  test('does not count restarts under Never', () => {
    const pods = [aPod({ restarts: 9 })];
    expect(endOf(aState({ job: aJob({ backoffLimit: 1 }), pods }), NOW_MS), '9 restarts').toBeUndefined();
  });

  test('ends at the deadline, not earlier', () => {
    const job = aJob({ activeDeadlineSeconds: 60 }, { startTime: at(-60) });
    expect(endOf(aState({ job }), NOW_MS - 1), '1 ms before the deadline').toBeUndefined();
    expect(endOf(aState({ job }), NOW_MS), 'at the deadline').toEqual(DEADLINE_EXCEEDED);
  });

  test('has no deadline while it is suspended, or before it starts', () => {
    const suspended = aJob({ activeDeadlineSeconds: 60, suspend: true }, { startTime: at(-90) });
    expect(endOf(aState({ job: suspended }), NOW_MS), 'suspended').toBeUndefined();
    expect(
      endOf(aState({ job: aJob({ activeDeadlineSeconds: 60 }) }), NOW_MS),
      'no startTime',
    ).toBeUndefined();
  });

  test('keeps an earlier decision, whatever has happened since', () => {
    const over = { job: aJob({ backoffLimit: 1 }, { conditions: [condition(COMPLETIONS_REACHED)] }) };
    const failed = { job: aJob({}, { conditions: [condition(DEADLINE_EXCEEDED)] }) };
    const late = aJob({ activeDeadlineSeconds: 1 }, { ...over.job.status, startTime: at(-60) });
    expect(endOf(aState({ job: late }), NOW_MS), 'SuccessCriteriaMet, then the deadline').toEqual(
      COMPLETIONS_REACHED,
    );
    const counts = { failed: 9 };
    expect(endOf(aState({ ...over, counts }), NOW_MS), 'SuccessCriteriaMet, then 9 failures').toEqual(
      COMPLETIONS_REACHED,
    );
    expect(
      endOf(aState({ ...failed, counts }), NOW_MS),
      'FailureTarget by the deadline, then 9 failures',
    ).toEqual(DEADLINE_EXCEEDED);
  });

  test('follows the verdicts of the policies, in their order', () => {
    const success: End = { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message: '' };
    const podFailure = failureEnd('PodFailurePolicy', 'exit code 42');
    const indexFailure = failureEnd('FailedIndexes', 'Job has failed indexes');
    const counts = { failed: 9 };
    expect(
      endOf(aState({ verdicts: { podFailure, success }, counts }), NOW_MS),
      'the failure policy',
    ).toEqual(podFailure);
    expect(endOf(aState({ verdicts: { success }, counts }), NOW_MS), 'too many failures').toEqual(
      BACKOFF_LIMIT_EXCEEDED,
    );
    expect(endOf(aState({ verdicts: { indexFailure, success } }), NOW_MS), 'failed indexes').toEqual(
      indexFailure,
    );
    expect(endOf(aState({ verdicts: { success } }), NOW_MS), 'the success policy').toEqual(success);
  });

  const counts = { active: 0, ready: 0, terminating: 0, succeeded: 0, failed: 0 };
  test.each([
    [{ completions: 2 }, { succeeded: 1 }, false],
    [{ completions: 2 }, { succeeded: 2 }, true],
    [{ completions: 2 }, { succeeded: 3 }, true],
    [{ completions: 2 }, { succeeded: 2, active: 1 }, false],
    [{ completions: 2 }, { succeeded: 2, terminating: 1 }, true],
    [{ completions: 0 }, { succeeded: 0 }, true],
    [{}, { succeeded: 0 }, false],
    [{}, { succeeded: 1 }, true],
    [{}, { succeeded: 1, active: 1 }, false],
  ])('is complete with enough successes and no active pod: %j, %j', (spec, some, isComplete) => {
    expect(completionOf(aJob(spec), { ...counts, ...some })).toEqual(
      isComplete ? COMPLETIONS_REACHED : undefined,
    );
  });
});
