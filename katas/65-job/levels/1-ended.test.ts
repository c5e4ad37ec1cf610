import { describe, expect, test } from 'vitest';
import { isPodFailed, newlyEnded } from '#kata/65-job/job';
import { aJob, anIndexedJob, aPod, namesOf } from './objects.fixture.ts';

const REPLACES_FAILED_ONLY = aJob({ podReplacementPolicy: 'Failed' });
const NONE: ReadonlySet<string> = new Set();

describe('Level 1 · Which pods have ended', () => {
  test('counts a pod in phase Failed as failed', () => {
    expect(isPodFailed(aPod({ phase: 'Failed' }), aJob()), 'phase Failed').toBe(true);
    expect(isPodFailed(aPod({ phase: 'Running' }), aJob()), 'phase Running').toBe(false);
    expect(isPodFailed(aPod({ phase: 'Pending' }), aJob()), 'phase Pending').toBe(false);
  });

  test('counts a pod that is being deleted as failed, because it may never reach Failed', () => {
    expect(isPodFailed(aPod({ leaves: true }), aJob()), 'Running, is being deleted').toBe(true);
    expect(
      isPodFailed(aPod({ leaves: true, phase: 'Succeeded' }), aJob()),
      'Succeeded, is being deleted',
    ).toBe(false);
  });

  test('waits for the phase of a deleted pod if the Job replaces only failed pods', () => {
    expect(isPodFailed(aPod({ leaves: true }), REPLACES_FAILED_ONLY), 'Running, is being deleted').toBe(
      false,
    );
    expect(isPodFailed(aPod({ leaves: true, phase: 'Failed' }), REPLACES_FAILED_ONLY), 'Failed').toBe(true);
  });

  const running = aPod({ name: 'running' });
  const good = aPod({ name: 'good', phase: 'Succeeded' });
  const bad = aPod({ name: 'bad', phase: 'Failed' });

  test('finds the pods that have ended', () => {
    const { succeeded, failed } = newlyEnded(
      [running, good, bad, aPod({ name: 'leaves', leaves: true })],
      aJob(),
      NONE,
    );
    expect(namesOf(succeeded), 'newlyEnded(…).succeeded').toEqual(['good']);
    expect(namesOf(failed), 'newlyEnded(…).failed').toEqual(['bad', 'leaves']);
  });

  test('skips a pod without the tracking finalizer: it is counted already', () => {
    const pods = [aPod({ name: 'old', phase: 'Succeeded', finalizer: false }), good];
    expect(namesOf(newlyEnded(pods, aJob(), NONE).succeeded), 'old has no finalizer').toEqual(['good']);
  });

  test('skips a pod whose uid is uncounted in the status', () => {
    const lists = [{ succeeded: ['uid-of-good'] }, { failed: ['uid-of-good'] }];
    for (const uncountedTerminatedPods of lists) {
      const job = aJob({}, { uncountedTerminatedPods });
      const { succeeded, failed } = newlyEnded([good, bad], job, NONE);
      expect(namesOf(succeeded), JSON.stringify(uncountedTerminatedPods)).toEqual([]);
      expect(namesOf(failed), JSON.stringify(uncountedTerminatedPods)).toEqual(['bad']);
    }
  });

  test('skips a pod whose finalizer is removed, although the cache still shows it', () => {
    const { failed } = newlyEnded(
      [bad, aPod({ name: 'worse', phase: 'Failed' })],
      aJob(),
      new Set(['uid-of-bad']),
    );
    expect(namesOf(failed), 'bad is awaited').toEqual(['worse']);
  });

  test('skips a pod of an Indexed Job without a valid index', () => {
    const pods = [0, 2, 3, 'x', undefined].map((index, i) =>
      aPod({ name: `pi-${i}`, phase: 'Failed', ...(index === undefined ? {} : { index }) }),
    );
    expect(
      namesOf(newlyEnded(pods, anIndexedJob(3), NONE).failed),
      'indexes 0, 2, 3, x, none; 3 completions',
    ).toEqual(['pi-0', 'pi-1']);
  });
});
