import { describe, expect, test } from 'vitest';
import { COMPLETIONS_REACHED } from '#given/65-job';
import { jobs, keyOf, type Pod, pods } from '#harness';
import { NAMESPACE, Stage } from './stage.fixture.ts';

const KEY = { namespace: NAMESPACE, name: 'pi' };

describe('Level 8 · The sync', () => {
  test('runs pods until enough have succeeded', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ completions: 3, parallelism: 2 });
    expect(stage.pods().length, 'parallelism 2').toBe(2);
    await stage.succeedAll();
    expect(stage.job().status, 'two of three').toMatchObject({ succeeded: 2, active: 1 });
    await stage.succeedAll();
    expect(stage.conditions()).toEqual([
      'SuccessCriteriaMet CompletionsReached',
      'Complete CompletionsReached',
    ]);
    expect(stage.job().status).toMatchObject({ succeeded: 3, ready: 0, terminating: 0 });
    expect(stage.held(), 'pods that keep the finalizer').toEqual([]);
    expect(stage.emitted().at(-1)).toBe('Normal Completed: Job completed');
  });

  test('completes a work queue when its last pod ends', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ parallelism: 2 });
    const [one, other] = stage.pods() as [Pod, Pod];
    await stage.setPhase(one, 'Succeeded');
    await stage.pass(2_500);
    expect(stage.conditions(), 'another pod is active').toEqual([]);
    expect(stage.pods().length, 'no new pod after the first success').toBe(2);
    await stage.setPhase(other, 'Failed');
    await stage.pass(2_500);
    expect(stage.conditions()).toEqual([
      'SuccessCriteriaMet CompletionsReached',
      'Complete CompletionsReached',
    ]);
  });

  test('creates the first pods at once, and gathers the events of pods for a second', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ completions: 9, parallelism: 4 });
    expect(stage.pods().length, '100 ms after the creation of the Job').toBe(4);
    await stage.pass(3_000);
    const before = stage.statuses().length;
    for (const pod of stage.pods()) {
      await stage.setPhase(pod, 'Running');
      await stage.pass(100);
    }
    await stage.pass(3_000);
    expect(stage.statuses().length - before, 'four pods became ready within 400 ms: one status').toBe(1);
  });

  test('creates the next pod when the back-off is over', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({});
    await stage.setPhase(stage.pods()[0] as Pod, 'Failed');
    await stage.pass(9_500);
    expect(stage.pods().length, '9.5 s after the failure').toBe(1);
    await stage.pass(1_500);
    expect(stage.pods().length, '11 s after the failure').toBe(2);
    expect(stage.job().status, 'the failed pod is counted').toMatchObject({ failed: 1, active: 1 });
  });

  test('fails after too many failures, and deletes the pods that run', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ completions: 5, parallelism: 2, backoffLimit: 0 });
    const [bad, runs] = stage.pods() as [Pod, Pod];
    await stage.setPhase(runs, 'Running');
    await stage.setPhase(bad, 'Failed');
    await stage.pass(3_000);
    expect(stage.active(), 'no pod outlives the Job').toEqual([]);
    expect(stage.job().status).toMatchObject({ failed: 2 });
    expect(stage.emitted().at(-1)).toBe(
      'Warning BackoffLimitExceeded: Job has reached the specified backoff limit',
    );
  });

  test('is Failed only when no pod is terminating any more', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ activeDeadlineSeconds: 5 });
    const pod = stage.pods()[0] as Pod;
    await stage.admin.bind(keyOf(pod), 'node-1');
    await stage.setPhase(pod, 'Running');
    await stage.pass(7_000);
    expect(stage.conditions(), 'its pod has 30 s to stop').toEqual(['FailureTarget DeadlineExceeded']);
    expect(stage.job().status).toMatchObject({ terminating: 1, failed: 1 });
    await stage.admin.delete(pods, keyOf(pod), { gracePeriodSeconds: 0 });
    await stage.pass(3_000);
    expect(stage.conditions()).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
  });

  test('notices the deadline without an event, also after a restart', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ activeDeadlineSeconds: 30 });
    await stage.pass(10_000);
    stage.process.crash();
    stage.process.start();
    await stage.pass(18_500);
    expect(stage.conditions(), 'before the deadline').toEqual([]);
    await stage.pass(2_500);
    expect(stage.conditions().length, 'after the deadline').toBeGreaterThan(0);
  });

  test('suspends: deletes the pods, which do not count as failed, and forgets the start', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ completions: 5, parallelism: 2 });
    await stage.pass(2_000);
    await stage.patchJob({ spec: { suspend: true } });
    await stage.pass(2_500);
    expect(stage.pods()).toEqual([]);
    expect(stage.conditions()).toEqual(['Suspended JobSuspended']);
    expect(stage.job().status, 'deleted pods').not.toHaveProperty('failed');
    expect(stage.job().status, 'a suspended Job').not.toHaveProperty('startTime');
    await stage.patchJob({ spec: { suspend: false } });
    await stage.pass(2_500);
    expect(stage.pods().length, 'resumed').toBe(2);
    expect(stage.conditions(), 'Suspended is False').toEqual([]);
    expect(stage.job().status.startTime, 'the deadline counts from now').toBeDefined();
    expect(stage.emitted().filter((line) => /Suspended|Resumed/.test(line))).toEqual([
      'Normal Suspended: Job suspended',
      'Normal Resumed: Job resumed',
    ]);
  });

  test('leaves a Job alone that another controller manages', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ managedBy: 'example.com/queue' });
    await stage.pass(3_000);
    expect(stage.writes()).toEqual([]);
    await stage.addJob({ managedBy: 'kubernetes.io/job-controller' }, 'ours');
    expect(stage.pods().length, 'this name is the controller itself').toBe(1);
  });

  test('does not continue a Job that has ended', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({});
    await stage.succeedAll();
    const before = stage.writes().length;
    await stage.patchJob({ spec: { parallelism: 4 } });
    await stage.pass(3_000);
    expect(stage.writes().length - before, 'writes after the end').toBe(0);
  });

  test('creates no pod for a Job that is being deleted, and frees its pods', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ completions: 3, parallelism: 2 });
    await stage.pass(2_000);
    await stage.admin.delete(jobs, KEY, { propagationPolicy: 'Foreground' });
    for (const pod of stage.pods()) await stage.delete(pod);
    await stage.pass(3_000);
    expect(stage.pods(), 'their finalizers are removed, and no pod replaces them').toEqual([]);
  });

  test('frees the pods of a Job that was deleted', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ completions: 3, parallelism: 2 });
    await stage.pass(2_000);
    await stage.admin.delete(jobs, KEY, { propagationPolicy: 'Background' });
    await stage.pass(1_000);
    expect(stage.held(), 'no Job counts them').toEqual([]);
  });

  test('adopts a pod that it selects, with the finalizer', async () => {
    await using stage = await Stage.begin();
    await stage.addJob({ suspend: true, parallelism: 1, completions: 1 });
    const labels = stage.job().spec.template.metadata?.labels ?? {};
    await stage.patchJob({ spec: { suspend: false } });
    await stage.pass(1_500);
    await stage.admin.create(pods, {
      metadata: { ...KEY, labels },
      spec: { containers: [{ name: 'main', image: 'busybox' }] },
    });
    await stage.pass(2_500);
    expect(stage.active().length, 'one of the two was too many').toBe(1);
  });

  test('keeps the end that the status already has', async () => {
    await using stage = await Stage.empty();
    const job = await stage.addJob({ completions: 1, parallelism: 1 });
    const conditions = [{ ...COMPLETIONS_REACHED, status: 'True' }];
    const startTime = '2024-04-17T00:00:00Z';
    await stage.admin.updateStatus(jobs, { ...job, status: { conditions, startTime, succeeded: 1 } });
    await stage.start();
    await stage.pass(3_000);
    expect(stage.pods(), 'an earlier controller decided the end, and crashed').toEqual([]);
    expect(stage.conditions().at(-1)).toBe('Complete CompletionsReached');
  });
});
