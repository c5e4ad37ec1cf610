import { describe, expect, test } from 'vitest';
import { errors, jobs, keyOf, pods } from '#harness';
import { syncJob } from '#kata/65-job/job';
import { SyncContextStage } from './sync-context.fixture.ts';

const KEY = 'default/pi';

describe('Level 8 · The sync', () => {
  test('waits for a cache that does not show its own writes', async () => {
    await using stage = await SyncContextStage.open();
    const { metadata } = await stage.addJob();
    stage.syncContext.written.wroteAt(metadata.uid, 'pods', '999999');
    await expect(stage.settled(syncJob(stage.syncContext, KEY)), 'the queue must retry').rejects.toThrow(
      'not as new as written',
    );
    expect(stage.writes()).toEqual([]);
  });

  test('creates no pod while the cache does not show all pods', async () => {
    await using stage = await SyncContextStage.open();
    const { metadata } = await stage.addJob({ completions: 2, parallelism: 2 });
    stage.syncContext.expectations.expect(metadata.uid, 'creations', 1);
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect(stage.pods(), 'a creation is expected').toEqual([]);
    await stage.pass(301_000);
    expect(stage.syncContext.queue.len(), 'the expectation has expired: sync again').toBe(1);
  });

  test('does not record the end while the cache does not show all pods', async () => {
    await using stage = await SyncContextStage.open();
    const { metadata } = await stage.addJob({ activeDeadlineSeconds: 0 });
    stage.syncContext.expectations.expect(metadata.uid, 'creations', 1);
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect(stage.conditions(), 'an unseen pod would outlive the Job').toEqual([]);
  });

  test('is not Suspended while the cache does not show all pods', async () => {
    await using stage = await SyncContextStage.open();
    const { metadata } = await stage.addJob({ suspend: true });
    stage.syncContext.expectations.expect(metadata.uid, 'creations', 1);
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect(stage.conditions(), 'a pod that the cache does not show still runs').toEqual([]);
  });

  test('records the end of a Job even while it is being deleted', async () => {
    await using stage = await SyncContextStage.open();
    const job = await stage.addJob({ backoffLimit: 0 });
    await stage.addPod('bad', 'Failed');
    await stage.admin.delete(jobs, keyOf(job), { propagationPolicy: 'Foreground' });
    await stage.pass(100);
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect(stage.conditions()[0], 'its only failure exceeds the limit').toBe(
      'FailureTarget BackoffLimitExceeded',
    );
  });

  test('does not record the end while a pod cannot be deleted', async () => {
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'delete') throw errors.unavailable('try later');
      return send(request);
    });
    await stage.addJob({ activeDeadlineSeconds: 0 });
    await stage.addPod('runs', 'Running');
    await expect(stage.settled(syncJob(stage.syncContext, KEY)), 'the queue must retry').rejects.toThrow(
      'try later',
    );
    expect(stage.conditions()).toEqual([]);
    expect(stage.held()).toEqual(['runs']);
  });

  test('skips a Job whose end it has stored, although the cache does not show it', async () => {
    await using stage = await SyncContextStage.open();
    const { metadata } = await stage.addJob();
    stage.syncContext.finished.add(metadata.uid);
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect(stage.writes()).toEqual([]);
  });

  test('forgets the records of a Job when the cache shows its end', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    await stage.addPod('good', 'Succeeded');
    const { uid } = stage.job().metadata;
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect(stage.conditions().at(-1)).toBe('Complete CompletionsReached');
    expect([...stage.syncContext.finished]).toEqual([uid]);
    await stage.settled(syncJob(stage.syncContext, KEY));
    expect([...stage.syncContext.finished], 'the cache shows it now').toEqual([]);
    expect([...stage.syncContext.backoff.keys()]).toEqual([]);
  });

  test('stores the status although no pod can be created, and reports the error', async () => {
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'create' && request.resource === pods) throw errors.unavailable('quota');
      return send(request);
    });
    await stage.addJob();
    await expect(stage.settled(syncJob(stage.syncContext, KEY)), 'the queue must retry').rejects.toThrow(
      'quota',
    );
    expect(stage.job().status, 'the status does not depend on the error').toMatchObject({
      ready: 0,
      terminating: 0,
    });
    expect(stage.job().status.startTime).toBeDefined();
  });

  test('does nothing for a Job that is not in the cache', async () => {
    await using stage = await SyncContextStage.open();
    await stage.settled(syncJob(stage.syncContext, 'default/gone'));
    expect(stage.writes()).toEqual([]);
  });
});
