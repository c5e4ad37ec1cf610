import { describe, expect, test } from 'vitest';
import {
  COMPLETIONS_REACHED,
  DEADLINE_EXCEEDED,
  type End,
  type JobStatus,
  MAX_UNCOUNTED_PODS,
} from '#given/65-job';
import { finish, planTracking, settle } from '#kata/65-job/job';
import { aJob, anIndexedJob, aPod, aState, at, NOW_MS, namesOf, type StateParts } from './objects.fixture.ts';

const none = new Set<string>();
const plan = (parts: StateParts, end?: End) => planTracking(aState(parts), end, NOW_MS);
const uncounted = ({ uncountedTerminatedPods: { succeeded = [], failed = [] } = {} }: JobStatus) => ({
  succeeded,
  failed,
});

const good = aPod({ name: 'good', phase: 'Succeeded' });
const bad = aPod({ name: 'bad', phase: 'Failed' });
const runs = aPod({ name: 'runs', ready: true });
const leaves = aPod({ name: 'leaves', leaves: true });
const aDeletedJob = aJob({ completionMode: 'Indexed', completions: 2 }, {}, { deletionTimestamp: at(-1) });

describe('Level 6 · Every pod counts once', () => {
  const status: JobStatus = {
    succeeded: 2,
    failed: 1,
    uncountedTerminatedPods: { succeeded: ['a', 'b', 'c'], failed: ['d', 'e'] },
  };

  test('settle counts each listed pod that has no finalizer any more', () => {
    const settled = settle(status, new Set(['b']));
    expect(settled, 'b is held, the others are free').toMatchObject({ succeeded: 4, failed: 3 });
    expect(uncounted(settled), 'only b is still listed').toEqual({ succeeded: ['b'], failed: [] });
  });

  test('settle changes nothing while all listed pods are held', () => {
    expect(settle(status, new Set(['a', 'b', 'c', 'd', 'e', 'f'])), 'all are held').toEqual(status);
  });

  test('settle counts each pod once, even if it is called again', () => {
    const once = settle(status, none);
    expect(once).toMatchObject({ succeeded: 5, failed: 3 });
    expect(settle(once, none), 'a second call').toEqual(once);
  });

  test('settle leaves a counter absent that is 0', () => {
    expect(settle({}, none), 'a new status').not.toHaveProperty('succeeded');
    expect(settle({}, none), 'a new status').not.toHaveProperty('failed');
  });

  test('plans to list the pods that have ended, and to release exactly these', () => {
    const { status, release, isPartial } = plan({ pods: [good, runs, bad, leaves] });
    expect(uncounted(status), 'uncountedTerminatedPods').toEqual({
      succeeded: ['uid-of-good'],
      failed: ['uid-of-bad', 'uid-of-leaves'],
    });
    expect(namesOf(release), 'release').toEqual(['good', 'bad', 'leaves']);
    expect(isPartial).toBe(false);
  });

  test('lists no pod in the counters yet', () => {
    const { status } = plan({ pods: [good, bad] });
    expect(status.succeeded ?? 0, 'the finalizer of good is not removed yet').toBe(0);
    expect(status.failed ?? 0, 'the finalizer of bad is not removed yet').toBe(0);
  });

  test('does not list a pod twice', () => {
    const uncountedTerminatedPods = { succeeded: ['uid-of-good'], failed: ['uid-of-bad'] };
    const { status } = plan({ job: aJob({}, { uncountedTerminatedPods }), pods: [good, bad] });
    expect(uncounted(status), 'both are listed already').toEqual(uncountedTerminatedPods);
  });

  test('settles the pods that an earlier controller released', () => {
    const job = aJob(
      {},
      { succeeded: 4, uncountedTerminatedPods: { succeeded: ['uid-of-gone', 'uid-of-good'] } },
    );
    const { status } = plan({ job, pods: [good] });
    expect(status.succeeded, 'the pod "gone" does not exist any more').toBe(5);
    expect(uncounted(status).succeeded).toEqual(['uid-of-good']);
  });

  test('counts a pod whose finalizer is removed, although the cache still shows it', () => {
    const job = aJob({}, { uncountedTerminatedPods: { succeeded: ['uid-of-good'] } });
    const { status, release } = plan({ job, pods: [good], awaited: ['uid-of-good'] });
    expect(status.succeeded, 'good is awaited').toBe(1);
    expect(uncounted(status).succeeded).toEqual([]);
    expect(release).toEqual([]);
  });

  test('does not list a pod as succeeded that is listed as failed', () => {
    const job = aJob({}, { uncountedTerminatedPods: { failed: ['uid-of-good'] } });
    const { status } = plan({ job, pods: [good] });
    expect(uncounted(status), 'it was deleted, and succeeded in its grace period').toEqual({
      succeeded: [],
      failed: ['uid-of-good'],
    });
  });

  test('has the counts of the pods', () => {
    const { status } = plan({ job: aJob({}, { active: 9, ready: 9 }), pods: [runs, leaves, good] });
    expect(status).toMatchObject({ active: 1, ready: 1, terminating: 1 });
    const { status: idle } = plan({ job: aJob({}, { active: 9, ready: 9 }), pods: [good] });
    expect(idle, 'no pod is active').not.toHaveProperty('active');
    expect(idle).toMatchObject({ ready: 0, terminating: 0 });
  });

  test('lists indexes instead of uids', () => {
    const job = anIndexedJob(5, { completedIndexes: '0', succeeded: 1 });
    const pods = [2, 3].map((index) => aPod({ name: `pi-${index}`, index, phase: 'Succeeded' }));
    const { status, release } = plan({
      job,
      pods,
      succeededIndexes: [
        [0, 0],
        [2, 3],
      ],
    });
    expect(status).toMatchObject({ completedIndexes: '0,2,3', succeeded: 3 });
    expect(uncounted(status), 'an index is enough').toEqual({ succeeded: [], failed: [] });
    expect(namesOf(release)).toEqual(['pi-2', 'pi-3']);
  });

  test('releases a failed pod without a valid index, but does not count it', () => {
    const pods = [aPod({ name: 'none', phase: 'Failed' }), aPod({ name: 'one', index: 1, phase: 'Failed' })];
    const { status, release } = plan({ job: anIndexedJob(2), pods });
    expect(uncounted(status).failed).toEqual(['uid-of-one']);
    expect(namesOf(release)).toEqual(['none', 'one']);
  });

  test('counts a failed pod whose index has completed', () => {
    const late = aPod({ name: 'late', index: 1, phase: 'Failed' });
    const job = anIndexedJob(3, { completedIndexes: '1', succeeded: 1 });
    const { status, release } = plan({ job, pods: [late], succeededIndexes: [[1, 1]] });
    expect(uncounted(status).failed, 'another pod of index 1 has succeeded').toEqual(['uid-of-late']);
    expect(namesOf(release)).toEqual(['late']);
  });

  test('has the failed indexes of the verdicts', () => {
    const { status } = plan({ job: anIndexedJob(3), verdicts: { failedIndexes: [[0, 1]] } });
    expect(status.failedIndexes, 'verdicts.failedIndexes is [[0, 1]]').toBe('0,1');
    expect(plan({ job: anIndexedJob(3) }).status, 'no verdicts.failedIndexes').not.toHaveProperty(
      'failedIndexes',
    );
  });

  test('counts every other pod as failed when the Job fails', () => {
    const { status, release } = plan({ pods: [good, runs] }, DEADLINE_EXCEEDED);
    expect(uncounted(status)).toEqual({ succeeded: ['uid-of-good'], failed: ['uid-of-runs'] });
    expect(namesOf(release)).toEqual(['good', 'runs']);
    expect(status.conditions, 'the interim condition').toMatchObject([
      { type: 'FailureTarget', status: 'True' },
    ]);
  });

  test('releases every other pod, uncounted, when the Job has succeeded', () => {
    const { status, release } = plan({ pods: [runs] }, COMPLETIONS_REACHED);
    expect(uncounted(status)).toEqual({ succeeded: [], failed: [] });
    expect(namesOf(release)).toEqual(['runs']);
    expect(status.conditions).toMatchObject([{ type: 'SuccessCriteriaMet', reason: 'CompletionsReached' }]);
  });

  test('releases every pod of a Job that is being deleted', () => {
    const job = aJob({}, {}, { deletionTimestamp: at(-1) });
    const { status, release } = plan({ job, pods: [runs, good] });
    expect(namesOf(release)).toEqual(['runs', 'good']);
    expect(uncounted(status)).toEqual({ succeeded: ['uid-of-good'], failed: [] });
  });

  test('follows the verdicts: ignored pods do not count, kept pods stay', () => {
    const pods = [
      aPod({ name: 'kept', index: 0, phase: 'Failed' }),
      aPod({ name: 'ignored', index: 1, phase: 'Failed' }),
    ];
    const verdicts = {
      kept: new Map(pods.slice(0, 1).map((pod) => [0, pod])),
      ignored: new Set(['uid-of-ignored']),
    };
    const { status, release } = plan({ job: anIndexedJob(2), pods, verdicts });
    expect(namesOf(release)).toEqual(['ignored']);
    expect(uncounted(status).failed).toEqual([]);
  });

  test.each([
    ['fails', anIndexedJob(2), DEADLINE_EXCEEDED],
    ['has succeeded', anIndexedJob(2), COMPLETIONS_REACHED],
    ['is being deleted', aDeletedJob, undefined],
  ])('releases and counts even a kept pod when the Job %s', (_, job, end) => {
    const kept = aPod({ name: 'kept', index: 0, phase: 'Failed' });
    const { status, release } = plan({ job, pods: [kept], verdicts: { kept: new Map([[0, kept]]) } }, end);
    expect(namesOf(release), 'no new pod follows this one').toEqual(['kept']);
    expect(uncounted(status).failed).toEqual(['uid-of-kept']);
  });

  test('stops when the lists are full', () => {
    const pods = Array.from({ length: MAX_UNCOUNTED_PODS + 20 }, (_, i) =>
      aPod({ name: `pi-${i}`, phase: 'Failed' }),
    );
    const { status, release, isPartial } = plan({ pods });
    expect(isPartial, `${pods.length} pods have failed`).toBe(true);
    expect(release.length, 'every released pod is listed').toBe(MAX_UNCOUNTED_PODS);
    expect(uncounted(status).failed.length).toBe(MAX_UNCOUNTED_PODS);
  });

  test('counts only new indexes when it decides that the lists are full', () => {
    const pods = Array.from({ length: MAX_UNCOUNTED_PODS + 20 }, (_, index) =>
      aPod({ name: `pi-${index}`, index, phase: 'Succeeded' }),
    );
    const job = anIndexedJob(pods.length, { completedIndexes: `0-${MAX_UNCOUNTED_PODS - 1}` });
    expect(plan({ job, pods }).isPartial, 'only 20 indexes are new').toBe(false);
    expect(plan({ job: anIndexedJob(pods.length), pods }).isPartial, `${pods.length} indexes are new`).toBe(
      true,
    );
  });

  test('finishes when no pod is uncounted or terminating', () => {
    const done = finish(
      { succeeded: 1, uncountedTerminatedPods: {}, terminating: 0 },
      COMPLETIONS_REACHED,
      NOW_MS,
    );
    expect(done).toMatchObject({
      completionTime: at(0),
      conditions: [
        { type: 'Complete', status: 'True', reason: 'CompletionsReached', lastTransitionTime: at(0) },
      ],
    });
    const failed = finish({}, DEADLINE_EXCEEDED, NOW_MS);
    expect(failed.conditions).toMatchObject([{ type: 'Failed', reason: 'DeadlineExceeded' }]);
    expect(failed, 'a failed Job has no completionTime').not.toHaveProperty('completionTime');
  });

  test.each([
    [{ uncountedTerminatedPods: { succeeded: ['a'] } }],
    [{ uncountedTerminatedPods: { failed: ['a'] } }],
    [{ terminating: 1 }],
  ])('does not finish with open pods: %j', (status) => {
    expect(finish(status, COMPLETIONS_REACHED, NOW_MS)).toEqual(status);
    expect(finish({}, undefined, NOW_MS), 'no end').toEqual({});
  });
});
