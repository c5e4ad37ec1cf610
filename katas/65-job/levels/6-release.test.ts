import { describe, expect, test } from 'vitest';
import { COMPLETIONS_REACHED, MAX_UNCOUNTED_PODS } from '#given/65-job';
import { errors } from '#harness';
import { trackAndRelease } from '#kata/65-job/job';
import { aPod } from './objects.fixture.ts';
import { SyncContextStage } from './sync-context.fixture.ts';

describe('Level 6 · Every pod counts once', () => {
  test('stores the uid, then removes the finalizer, then counts', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 2 });
    const pod = await stage.addPod('good', 'Succeeded');
    await stage.settled(trackAndRelease(stage.syncContext, stage.state(), undefined));
    const steps = stage.statuses().map(({ status: { succeeded = 0, uncountedTerminatedPods } }) => ({
      succeeded,
      listed: uncountedTerminatedPods?.succeeded ?? [],
    }));
    expect(steps, 'the statuses, in their order').toEqual([
      { succeeded: 0, listed: [pod.metadata.uid] },
      { succeeded: 1, listed: [] },
    ]);
    expect(stage.writes(), 'the finalizer goes between the two').toEqual([
      'updateStatus jobs',
      'patch pods',
      'updateStatus jobs',
    ]);
    expect(stage.held()).toEqual([]);
  });

  test('removes no finalizer if the status cannot be stored', async () => {
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'updateStatus') throw errors.unavailable('the store is full');
      return send(request);
    });
    await stage.addJob();
    await stage.addPod('good', 'Succeeded');
    const tracked = stage.settled(trackAndRelease(stage.syncContext, stage.state(), undefined));
    await expect(tracked, 'the queue must retry').rejects.toThrow('the store is full');
    expect(stage.held(), 'no stored status counts it').toEqual(['good']);
  });

  test('counts the released pods even if another finalizer stays, and reports the error', async () => {
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'patch' && request.key.name === 'stuck') throw errors.unavailable('try later');
      return send(request);
    });
    await stage.addJob({ completions: 2, parallelism: 2 });
    await stage.addPod('good', 'Succeeded');
    const stuck = await stage.addPod('stuck', 'Succeeded');
    const tracked = stage.settled(trackAndRelease(stage.syncContext, stage.state(), COMPLETIONS_REACHED));
    await expect(tracked, 'the queue must retry').rejects.toThrow('try later');
    const { succeeded, uncountedTerminatedPods } = stage.job().status;
    expect(succeeded, 'good is released, stuck is not').toBe(1);
    expect(uncountedTerminatedPods?.succeeded).toEqual([stuck.metadata.uid]);
    expect(stage.conditions(), 'the Job must not finish while a pod is uncounted').toEqual([
      'SuccessCriteriaMet CompletionsReached',
    ]);
  });

  test('does not finish an Indexed Job while a finalizer stays', async () => {
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'patch' && request.key.name === 'stuck') throw errors.unavailable('try later');
      return send(request);
    });
    await stage.addJob({ completionMode: 'Indexed', completions: 1 });
    await stage.addPod('stuck', 'Succeeded', {
      annotations: { 'batch.kubernetes.io/job-completion-index': '0' },
    });
    const state = stage.startedState({ succeededIndexes: [[0, 0]] });
    const tracked = stage.settled(trackAndRelease(stage.syncContext, state, COMPLETIONS_REACHED));
    await expect(tracked, 'the queue must retry').rejects.toThrow('try later');
    expect(stage.job().status.completedIndexes, 'no list has the uid of the pod').toBe('0');
    expect(stage.conditions(), 'a finished Job would leave the finalizer of "stuck" forever').toEqual([
      'SuccessCriteriaMet CompletionsReached',
    ]);
  });

  test('does not finish the Job after a partial plan', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: MAX_UNCOUNTED_PODS + 1, parallelism: 1 });
    const pods = Array.from({ length: MAX_UNCOUNTED_PODS + 1 }, (_, i) =>
      aPod({ name: `pi-${i}`, phase: 'Succeeded' }),
    );
    const state = stage.startedState({ pods });
    await stage.settled(trackAndRelease(stage.syncContext, state, COMPLETIONS_REACHED));
    expect(stage.job().status.succeeded, 'the last pod does not fit into the lists').toBe(MAX_UNCOUNTED_PODS);
    expect(stage.conditions(), 'one pod is not counted yet').toEqual([
      'SuccessCriteriaMet CompletionsReached',
    ]);
  });

  test('records the interim condition before the finalizers go, and the terminal one after', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    await stage.addPod('good', 'Succeeded');
    await stage.settled(trackAndRelease(stage.syncContext, stage.startedState(), COMPLETIONS_REACHED));
    const types = stage.statuses().map(({ status }) => (status.conditions ?? []).map(({ type }) => type));
    expect(types).toEqual([['SuccessCriteriaMet'], ['SuccessCriteriaMet', 'Complete']]);
    expect([...stage.syncContext.finished], 'later syncs must skip it').toEqual([stage.job().metadata.uid]);
  });

  test('writes nothing if nothing changes', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    await stage.addPod('runs', 'Running');
    await stage.settled(trackAndRelease(stage.syncContext, stage.startedState(), undefined));
    expect(stage.writes(), 'the first status').toEqual(['updateStatus jobs']);
    await stage.settled(trackAndRelease(stage.syncContext, stage.startedState(), undefined));
    expect(stage.writes(), 'the same status again').toEqual(['updateStatus jobs']);
  });

  test('stores a change that an earlier step of the sync made', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    await stage.settled(trackAndRelease(stage.syncContext, stage.startedState(), undefined));
    const state = stage.startedState();
    const conditions = [{ type: 'Suspended', status: 'False', reason: 'JobResumed' }];
    const job = { ...state.job, status: { ...state.job.status, conditions } };
    await stage.settled(trackAndRelease(stage.syncContext, { ...state, job }, undefined));
    expect(
      stage.job().status.conditions,
      'state.job has Suspended False, state.stored does not',
    ).toMatchObject(conditions);
  });

  test('reports that the settled status cannot be stored, and keeps the new back-off', async () => {
    let statuses = 0;
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'updateStatus' && ++statuses > 1) throw errors.unavailable('the store is full');
      return send(request);
    });
    await stage.addJob();
    await stage.addPod('bad', 'Failed');
    const backoff = { failures: 1, lastFailureMs: 5 };
    const tracked = stage.settled(trackAndRelease(stage.syncContext, stage.state({ backoff }), undefined));
    await expect(tracked, 'the queue must retry').rejects.toThrow('the store is full');
    expect(
      stage.syncContext.backoff.get(stage.job().metadata.uid),
      'the first status lists the failure: no later sync finds it again',
    ).toEqual(backoff);
  });

  test('records no back-off if the status did not change', async () => {
    await using stage = await SyncContextStage.open();
    const { metadata } = await stage.addJob();
    const first = { failures: 1, lastFailureMs: 5 };
    await stage.settled(
      trackAndRelease(stage.syncContext, stage.startedState({ backoff: first }), undefined),
    );
    const again = stage.startedState({ backoff: { failures: 2, lastFailureMs: 5 } });
    await stage.settled(trackAndRelease(stage.syncContext, again, undefined));
    expect(
      stage.syncContext.backoff.get(metadata.uid),
      'a pod that the status does not list would count in every sync',
    ).toEqual(first);
  });

  test('records the back-off when the status is stored', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    const { uid } = await stage.addPod('bad', 'Failed').then(() => stage.job().metadata);
    const backoff = { failures: 1, lastFailureMs: 5 };
    await stage.settled(trackAndRelease(stage.syncContext, stage.state({ backoff }), undefined));
    expect(stage.syncContext.backoff.get(uid)).toEqual(backoff);
  });

  test('keeps the earlier back-off if the status cannot be stored', async () => {
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'updateStatus') throw errors.unavailable('the store is full');
      return send(request);
    });
    await stage.addJob();
    await stage.addPod('bad', 'Failed');
    const backoff = { failures: 1, lastFailureMs: 5 };
    const tracked = stage.settled(trackAndRelease(stage.syncContext, stage.state({ backoff }), undefined));
    await expect(tracked).rejects.toThrow('the store is full');
    expect(stage.syncContext.backoff.size, 'the next sync finds the same failure again').toBe(0);
  });
});
