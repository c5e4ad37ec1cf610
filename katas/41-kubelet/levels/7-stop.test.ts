import { describe, expect, test } from 'vitest';
import { pods } from '#harness';
import { nodeUp, shell, stubborn } from './node.fixture.ts';

/** In seconds after the deletion, whole ones. */
function secondsAfter(deletedMs: number, atMs: number | undefined): number {
  return Math.floor(((atMs ?? Number.NaN) - deletedMs) / 1_000);
}

describe('Level 7 · Stop', () => {
  test('stops the containers, then the sandbox, then tells how the pod has ended, and then lets it go', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(2_000);
    await up.delete();
    await up.run(5_000);
    expect(await up.pod()).toBeUndefined();
    expect(up.deeds().slice(3, 5)).toEqual(['container-exited main', 'sandbox-stopped']);
    const stopped = up.host.history.find(({ event }) => event === 'sandbox-stopped')?.atMs ?? 0;
    const ended = up.statuses().find(({ status }) => status.phase === 'Succeeded');
    expect(ended?.atMs).toBeGreaterThan(stopped);
    expect(await up.events()).toContain('Normal Killing Stopping container main');
  });

  test('tells of an end as it was: with the exit code, the reason and the address', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'trap "exit 4" TERM; while true; do sleep 1; done')] });
    await up.run(2_000);
    const podIP = (await up.pod())?.status.podIP;
    await up.delete();
    await up.run(5_000);
    const { status } = up.statuses().at(-1) ?? {};
    expect(status).toMatchObject({ phase: 'Failed', podIP });
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 4, reason: 'Error' });
  });

  test('kills what does not end by itself when its time is over', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 6 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(5_500);
    expect((await up.pod())?.status.phase).toBe('Running');
    await up.run(3_500);
    expect(secondsAfter(deletedMs, up.when('container-exited')[0])).toBe(6);
    expect(await up.pod()).toBeUndefined();
    expect(up.statuses().at(-1)?.status.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(137);
  });

  test('kills all containers at once', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main'), stubborn('other')], terminationGracePeriodSeconds: 4 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(8_000);
    const ends = [up.when('container-exited', 'main')[0], up.when('container-exited', 'other')[0]];
    expect(ends.map((atMs) => secondsAfter(deletedMs, atMs))).toEqual([4, 4]);
  });

  test('runs the hook before it stops a container, and takes its time from the grace period', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { sleep: { seconds: 3 } } };
    await up.create({ containers: [stubborn('main', { lifecycle })], terminationGracePeriodSeconds: 8 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(12_000);
    expect(secondsAfter(deletedMs, up.when('container-exited')[0])).toBe(8);
  });

  test('waits for a hook no longer than the grace period, and gives the container two seconds more', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { exec: { command: ['sleep', '1000'] } } };
    await up.create({ containers: [stubborn('main', { lifecycle })], terminationGracePeriodSeconds: 4 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(10_000);
    expect(secondsAfter(deletedMs, up.when('container-exited')[0])).toBe(6);
  });

  test('stops a container though its hook fails, and tells of it', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'exit 1'] } } };
    await up.create({
      containers: [shell('main', 'sleep 1000', { lifecycle })],
      terminationGracePeriodSeconds: 2,
    });
    await up.run(2_000);
    await up.delete();
    await up.run(6_000);
    expect(await up.pod()).toBeUndefined();
    expect(await up.events()).toContain('Warning FailedPreStopHook PreStopHook failed');
  });

  test('gives a pod less time as soon as that is asked for', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 600 });
    await up.run(2_000);
    await up.delete();
    await up.run(5_000);
    const againMs = await up.delete(1);
    await up.run(5_000);
    expect(secondsAfter(againMs, up.when('container-exited')[0])).toBe(2);
    expect(await up.pod()).toBeUndefined();
  });

  test('lets a pod go of which nothing ever ran', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [{ name: 'main', image: 'nginx:none' }] });
    await up.run(5_000);
    await up.delete();
    await up.run(4_000);
    expect(await up.pod()).toBeUndefined();
    expect(up.deeds()).toContain('sandbox-stopped');
  });

  test('tries again to stop what it could not stop, and does not let it go before', async () => {
    await using up = await nodeUp();
    await up.create({ terminationGracePeriodSeconds: 2 });
    await up.run(2_000);
    up.failNext('stopPodSandbox');
    await up.delete();
    await up.run(30_000);
    expect(await up.pod()).toBeUndefined();
    const told = await up.events();
    expect(told.some((event) => event.startsWith('Warning FailedKillPod error killing pod: '))).toBe(true);
    const stopped = up.host.history.find(({ event }) => event === 'sandbox-stopped')?.atMs ?? Number.NaN;
    expect(up.statuses().find(({ status }) => status.phase === 'Succeeded')?.atMs).toBeGreaterThan(stopped);
  });

  test('gives up its sandbox when it has ended by itself, and stays in the API', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1')], restartPolicy: 'Never' });
    await up.run(8_000);
    const { status } = (await up.pod()) ?? {};
    expect(status?.phase).toBe('Succeeded');
    expect(status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'PodCompleted',
    });
    expect(up.deeds()).toContain('sandbox-stopped');
  });

  test('gives a container whose probe has failed the time that the probe says', async () => {
    await using up = await nodeUp();
    const livenessProbe = {
      exec: { command: ['sh', '-c', 'exit 1'] },
      periodSeconds: 1,
      failureThreshold: 1,
      terminationGracePeriodSeconds: 4,
    };
    await up.create({
      containers: [stubborn('main', { livenessProbe })],
      terminationGracePeriodSeconds: 300,
    });
    await up.run(15_000);
    const lived =
      ((up.when('container-exited')[0] ?? Number.NaN) - (up.when('container-started')[0] ?? 0)) / 1_000;
    expect(lived).toBeGreaterThanOrEqual(4);
    expect(lived).toBeLessThan(8);
  });

  test('stops the sandbox also when a container could not be stopped', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 2 });
    await up.run(2_000);
    up.failNext('stopContainer');
    await up.delete();
    await up.run(2_000);
    expect(up.deeds()).toContain('sandbox-stopped');
  });

  test('does not restart a container whose liveness probe fails while it ends', async () => {
    await using up = await nodeUp();
    const livenessProbe = {
      exec: { command: ['sh', '-c', 'exit 1'] },
      periodSeconds: 1,
      initialDelaySeconds: 4,
    };
    await up.create({ containers: [stubborn('main', { livenessProbe })], terminationGracePeriodSeconds: 10 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(14_000);
    expect(up.when('container-started')).toHaveLength(1);
    expect(secondsAfter(deletedMs, up.when('container-exited')[0])).toBe(10);
  });

  test('makes another sandbox when the first one dies, and begins from the beginning', async () => {
    await using up = await nodeUp();
    await up.create({
      initContainers: [shell('setup', 'exit 0'), shell('check', 'exit 0')],
      containers: [shell('main', 'sleep 1000')],
      terminationGracePeriodSeconds: 1,
    });
    await up.run(6_000);
    const { sandboxId = '' } = up.host.history.find(({ event }) => event === 'sandbox-ready') ?? {};
    up.host.signal(sandboxId, 'SIGKILL');
    await up.run(20_000);
    expect(up.when('container-started', 'setup')).toHaveLength(2);
    expect(up.when('container-started', 'check')).toHaveLength(2);
    expect(up.when('container-started', 'main')).toHaveLength(2);
    expect(await up.events()).toContain(
      'Normal SandboxChanged Pod sandbox changed, it will be killed and re-created.',
    );
  });

  test('kills a container whose hook after the start fails, and does not tell what the hook said', async () => {
    await using up = await nodeUp();
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'echo secret; exit 7'] } } };
    await up.create({
      containers: [shell('main', 'sleep 1000', { lifecycle })],
      terminationGracePeriodSeconds: 1,
    });
    await up.run(4_500);
    expect(up.when('container-exited')).not.toEqual([]);
    const told = await up.events();
    expect(told).toContain('Warning FailedPostStartHook PostStartHook failed');
    expect(told.join()).not.toContain('secret');
    expect((await up.container())?.state?.waiting?.reason).toBe('PostStartHookError');
  });

  test('starts nothing in the place of what it could not kill', async () => {
    await using up = await nodeUp({ preloaded: ['busybox:1.37', 'busybox:1.36'] });
    await up.create({
      containers: [shell('main', 'sleep 1000')],
      terminationGracePeriodSeconds: 1,
    });
    await up.run(2_000);
    up.failNext('stopContainer');
    const body = { spec: { containers: [{ name: 'main', image: 'busybox:1.36' }] } };
    await up.cluster.admin.patch(pods, { namespace: 'default', name: 'web' }, { type: 'strategic', body });
    await up.run(60_000);
    expect(up.when('container-exited')).toHaveLength(1);
    expect(up.when('container-started')).toHaveLength(2);
    expect(up.when('container-exited')[0]).toBeLessThan(up.when('container-started')[1] ?? 0);
  });

  test('makes a container anew whose image is another one now', async () => {
    await using up = await nodeUp();
    await up.create({
      containers: [{ name: 'main', image: 'nginx:1.27' }],
      terminationGracePeriodSeconds: 1,
    });
    await up.run(2_000);
    const body = { spec: { containers: [{ name: 'main', image: 'busybox:1.37' }] } };
    await up.cluster.admin.patch(pods, { namespace: 'default', name: 'web' }, { type: 'strategic', body });
    await up.run(2_000);
    expect(up.when('container-exited')).not.toEqual([]);
    expect(up.when('container-exited')[0]).toBeLessThan(up.when('container-started')[1] ?? 0);
    expect(await up.events()).toContain(
      'Normal Killing Container main definition changed, will be restarted',
    );
  });
});
