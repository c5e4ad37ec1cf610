import { describe, expect, test } from 'vitest';
import type { Counts } from '#given/65-job';
import { errors, jobs, type Pod, pods } from '#harness';
import { manageJob, releaseOrphan } from '#kata/65-job/job';
import type { StateParts } from './objects.fixture.ts';
import { NAMESPACE } from './stage.fixture.ts';
import { SyncContextStage } from './sync-context.fixture.ts';

const manage = async (stage: SyncContextStage, parts: StateParts = {}) =>
  stage.settled(manageJob(stage.syncContext, stage.state(parts)));

const some = (counts: Partial<Counts>): Counts => ({
  active: 0,
  ready: 0,
  terminating: 0,
  succeeded: 0,
  failed: 0,
  ...counts,
});

const indexOf = ({ metadata }: Pod) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'];

describe('Level 7 · Creating and deleting', () => {
  test('creates the missing pods, each with the tracking finalizer', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 5, parallelism: 3 });
    expect(await manage(stage), 'the counts after three creations').toEqual({ counts: some({ active: 3 }) });
    expect(stage.held().length, 'pods with the finalizer').toBe(3);
    expect(
      stage.syncContext.expectations.areSatisfied(stage.job().metadata.uid),
      'no handler saw them yet',
    ).toBe(false);
  });

  test('deletes the surplus pods, without their finalizers', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 5, parallelism: 1 });
    await stage.addPod('slow');
    await stage.addPod('fast', 'Running');
    const { counts } = await manage(stage);
    expect(counts).toEqual(some({ active: 1, ready: 1, terminating: 1 }));
    expect(
      stage.pods().map(({ metadata }) => metadata.name),
      'a pending pod goes first, and its finalizer must not keep it',
    ).toEqual(['fast']);
  });

  test('either deletes or creates', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 3, parallelism: 3, completionMode: 'Indexed' });
    await stage.addPod('none', 'Running');
    expect((await manage(stage)).counts, 'a pod without an index').toEqual(some({ terminating: 1 }));
    expect(stage.writes().filter((write) => write === 'create pods')).toEqual([]);
  });

  test('deletes all pods of a suspended Job', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 5, parallelism: 2, suspend: true });
    for (const name of ['a', 'b']) await stage.addPod(name, 'Running');
    expect((await manage(stage)).counts).toEqual(some({ terminating: 2 }));
    expect(stage.pods(), 'they must not count as failed').toEqual([]);
  });

  test('waits during the back-off, and counts the pods that run', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 5, parallelism: 2 });
    await stage.addPod('runs', 'Running');
    const backoff = { failures: 2, lastFailureMs: stage.cluster.clock.now() - 5_000 };
    expect(await manage(stage, { backoff }), '15 s of 20 s remain').toEqual({
      counts: some({ active: 1, ready: 1 }),
    });
    expect(stage.writes()).toEqual([]);
    await stage.pass(14_500);
    expect(stage.syncContext.queue.len(), 'the delay is not over').toBe(0);
    await stage.pass(1_000);
    expect(stage.syncContext.queue.len(), 'the delay is over').toBe(1);
  });

  test('waits at least for the batch of events', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    const backoff = { failures: 1, lastFailureMs: stage.cluster.clock.now() - 9_950 };
    await manage(stage, { backoff });
    await stage.pass(700);
    expect(stage.syncContext.queue.len(), '50 ms remained, but a batch takes 1 s').toBe(0);
    await stage.pass(300);
    expect(stage.syncContext.queue.len()).toBe(1);
  });

  test('counts terminating pods if the Job replaces only failed pods', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 5, parallelism: 2, podReplacementPolicy: 'Failed' });
    expect((await manage(stage, { counts: { terminating: 1 } })).counts).toMatchObject({ active: 1 });
    expect(stage.pods().length, 'parallelism 2, 1 terminating').toBe(1);
  });

  test('replaces terminating pods otherwise', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 5, parallelism: 2 });
    expect((await manage(stage, { counts: { terminating: 1 } })).counts).toMatchObject({ active: 2 });
  });

  test('gives each pod of an Indexed Job the lowest free index', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob({ completions: 6, parallelism: 4, completionMode: 'Indexed' });
    await stage.addPod('pi-2', 'Running', {
      annotations: { 'batch.kubernetes.io/job-completion-index': '2' },
    });
    await manage(stage, { succeededIndexes: [[0, 0]], counts: { active: 1, succeeded: 1 } });
    expect(stage.pods().map(indexOf).sort(), '0 has succeeded, 2 is active').toEqual(['1', '2', '3', '4']);
  });

  test('waits for a terminating index if the Job replaces only failed pods', async () => {
    await using stage = await SyncContextStage.open();
    const spec = {
      completions: 3,
      parallelism: 3,
      completionMode: 'Indexed',
      podReplacementPolicy: 'Failed',
    };
    await stage.addJob(spec);
    const old = await stage.addPod('pi-0', 'Running', {
      annotations: { 'batch.kubernetes.io/job-completion-index': '0' },
    });
    await stage.delete(old);
    await stage.pass(100);
    await manage(stage);
    expect(stage.pods().map(indexOf).sort(), 'the pod of index 0 is terminating').toEqual(['0', '1', '2']);
  });

  test('reports the first error, and the pods that were created', async () => {
    let creates = 0;
    await using stage = await SyncContextStage.open((request, send) => {
      if (request.verb === 'create' && request.resource === pods && ++creates > 1)
        throw errors.unavailable('no');
      return send(request);
    });
    await stage.addJob({ completions: 9, parallelism: 9 });
    const { counts, error } = await manage(stage);
    expect(counts.active, 'one of nine was created').toBe(1);
    expect(String(error)).toContain('no');
    expect(creates, 'the second batch failed, so no third was sent').toBe(3);
  });

  const FINALIZER = { finalizers: ['batch.kubernetes.io/job-tracking'] };
  const add = async (stage: SyncContextStage, metadata: object): Promise<Pod> => {
    const pod = await stage.admin.create(pods, {
      metadata: { name: 'lost', namespace: NAMESPACE, ...FINALIZER, ...metadata },
      spec: { containers: [{ name: 'main', image: 'busybox' }] },
    });
    await stage.pass(100);
    return pod;
  };
  const reference = { apiVersion: 'batch/v1', kind: 'Job', name: 'pi', controller: true };

  test('frees a pod without a controller', async () => {
    await using stage = await SyncContextStage.open();
    await stage.settled(releaseOrphan(stage.syncContext, await add(stage, {})));
    expect(stage.held()).toEqual([]);
  });

  test('frees a pod of an earlier Job with the same name', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    const pod = await add(stage, { ownerReferences: [{ ...reference, uid: 'uid-of-former-pi' }] });
    await stage.settled(releaseOrphan(stage.syncContext, pod));
    expect(stage.held(), 'another uid is another Job').toEqual([]);
  });

  test('does not free a pod of a Job that goes on, of a foreign Job, or of another kind', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    await stage.addJob({ managedBy: 'example.com/queue' }, 'foreign');
    const { uid } = stage.job().metadata;
    const foreign = stage.job('foreign').metadata.uid;
    const owners = [
      { ...reference, uid },
      { ...reference, name: 'foreign', uid: foreign },
      { ...reference, kind: 'Workflow', apiVersion: 'example.com/v1', uid: 'uid-of-workflow' },
    ];
    for (const [i, owner] of owners.entries()) {
      const pod = await add(stage, { name: `pod-${i}`, ownerReferences: [owner] });
      await stage.settled(releaseOrphan(stage.syncContext, pod));
    }
    expect(stage.held()).toEqual(['pod-0', 'pod-1', 'pod-2']);
  });

  test('looks at the owner that is the controller', async () => {
    await using stage = await SyncContextStage.open();
    await stage.addJob();
    const other = { ...reference, name: 'gone', uid: 'uid-of-gone', controller: false };
    const ownerReferences = [other, { ...reference, uid: stage.job().metadata.uid }];
    await stage.settled(releaseOrphan(stage.syncContext, await add(stage, { ownerReferences })));
    expect(stage.held(), 'its first owner is not its controller').toEqual(['lost']);
  });

  test('does not free a pod of a finished Job that is managed elsewhere', async () => {
    await using stage = await SyncContextStage.open();
    const job = await stage.addJob({ managedBy: 'example.com/queue' });
    const conditions = ['FailureTarget', 'Failed'].map((type) => ({ type, status: 'True' }));
    const startTime = '2024-04-17T00:00:00Z';
    await stage.admin.updateStatus(jobs, { ...job, status: { conditions, startTime } });
    const pod = await add(stage, { ownerReferences: [{ ...reference, uid: job.metadata.uid }] });
    await stage.settled(releaseOrphan(stage.syncContext, pod));
    expect(stage.held(), 'its own controller frees it').toEqual(['lost']);
  });

  test('asks the server before it relies on the absence of a Job in the cache', async () => {
    await using stage = await SyncContextStage.open();
    stage.blind('jobs', 60_000);
    const { uid } = await stage.admin
      .create(jobs, {
        metadata: { name: 'pi', namespace: NAMESPACE },
        spec: stage.specOf(),
      })
      .then(({ metadata }) => metadata);
    const pod = await add(stage, { ownerReferences: [{ ...reference, uid }] });
    await stage.settled(releaseOrphan(stage.syncContext, pod));
    expect(stage.held(), 'the Job exists, but the cache does not show it yet').toEqual(['lost']);
  });
});
