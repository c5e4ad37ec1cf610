import { describe, expect, test } from 'vitest';
import { pods } from '#harness';
import { nodeUp, secondsAfter, shell, stubborn } from './node.fixture.ts';

describe('Level 7 · Stop', () => {
  test('stops the containers, then the sandbox, then reports the final phase, then deletes the pod', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(2_000);
    await up.delete();
    await up.run(5_000);
    expect(
      await up.pod(),
      'the pod must be gone from the API: its last status has a terminal phase and syncTerminatedPod has ended',
    ).toBeUndefined();
    expect(up.operations().slice(3, 5), 'killPod stops all containers before it stops the sandbox').toEqual([
      'container-exited main',
      'sandbox-stopped',
    ]);
    const stopped = up.host.history.find(({ event }) => event === 'sandbox-stopped')?.atMs ?? 0;
    const ended = up.statuses().find(({ status }) => status.phase === 'Succeeded');
    expect(
      ended,
      'syncTerminatingPod must report Succeeded for a pod whose containers exited with 0',
    ).toBeDefined();
    expect(
      ended?.atMs,
      'syncTerminatingPod must report the terminal phase after the sandbox was stopped',
    ).toBeGreaterThan(stopped);
    expect(await up.events(), 'killContainer must emit Killing').toContain(
      'Normal Killing Stopping container main',
    );
  });

  test('reports the exit code, the reason and the address in the last status', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'trap "exit 4" TERM; while true; do sleep 1; done')] });
    await up.run(2_000);
    const podIP = (await up.pod())?.status.podIP;
    await up.delete();
    await up.run(5_000);
    const { status } = up.statuses().at(-1) ?? {};
    expect(
      status,
      'the last status must keep the IP of the pod and have the phase of its exit code',
    ).toMatchObject({ phase: 'Failed', podIP });
    expect(
      status?.containerStatuses?.[0]?.state?.terminated,
      'the last status must have the exit code that the runtime reports: read the runtime again after killPod',
    ).toMatchObject({ exitCode: 4, reason: 'Error' });
  });

  test('kills a container that ignores SIGTERM when the grace period is over', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 6 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(5_500);
    expect((await up.pod())?.status.phase, 'a pod that still has time must stay in the API').toBe('Running');
    await up.run(3_500);
    expect(
      secondsAfter(deletedMs, up.when('container-exited')[0]),
      'seconds from the delete to the end of the container; terminationGracePeriodSeconds is 6',
    ).toBe(6);
    expect(await up.pod(), 'the pod must be gone from the API when it has ended').toBeUndefined();
    expect(
      up.statuses().at(-1)?.status.containerStatuses?.[0]?.state?.terminated?.exitCode,
      'the exit code of a container that was killed by SIGKILL',
    ).toBe(137);
  });

  test('kills all containers at once', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main'), stubborn('other')], terminationGracePeriodSeconds: 4 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(8_000);
    const ends = [up.when('container-exited', 'main')[0], up.when('container-exited', 'other')[0]];
    expect(
      ends.map((atMs) => secondsAfter(deletedMs, atMs)),
      'seconds from the delete to the end of each container: killPod must stop all of them at the same time',
    ).toEqual([4, 4]);
  });

  test('runs the preStop hook first, and subtracts its time from the grace period', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { sleep: { seconds: 3 } } };
    await up.create({ containers: [stubborn('main', { lifecycle })], terminationGracePeriodSeconds: 8 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(12_000);
    expect(
      secondsAfter(deletedMs, up.when('container-exited')[0]),
      'seconds from the delete to the end: the preStop hook took 3 of the 8 seconds',
    ).toBe(8);
  });

  test('waits for a preStop hook at most for the grace period, and then gives the container two seconds', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { exec: { command: ['sleep', '1000'] } } };
    await up.create({ containers: [stubborn('main', { lifecycle })], terminationGracePeriodSeconds: 4 });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(10_000);
    expect(
      secondsAfter(deletedMs, up.when('container-exited')[0]),
      'seconds from the delete to the end: the hook used up the 4 seconds, and a container has at least 2 seconds',
    ).toBe(6);
  });

  test('stops a container even if its preStop hook fails, and emits an event', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'exit 1'] } } };
    await up.create({
      containers: [shell('main', 'sleep 1000', { lifecycle })],
      terminationGracePeriodSeconds: 2,
    });
    await up.run(2_000);
    await up.delete();
    await up.run(6_000);
    expect(await up.pod(), 'a failed preStop hook must not keep the pod').toBeUndefined();
    expect(await up.events(), 'killContainer must emit FailedPreStopHook').toContain(
      'Warning FailedPreStopHook PreStopHook failed',
    );
  });

  test('shortens the grace period as soon as a second delete asks for it', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 600 });
    await up.run(2_000);
    await up.delete();
    await up.run(5_000);
    const againMs = await up.delete(1);
    await up.run(5_000);
    expect(
      secondsAfter(againMs, up.when('container-exited')[0]),
      'seconds from the second delete to the end: the second delete aborts the first kill (killPod throws signal.reason); the new grace period of 1 s is raised to the minimum of 2 s',
    ).toBe(2);
    expect(await up.pod(), 'the pod must be gone from the API when it has ended').toBeUndefined();
  });

  test('deletes a pod whose containers never ran', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [{ name: 'main', image: 'nginx:none' }] });
    await up.run(5_000);
    await up.delete();
    await up.run(4_000);
    expect(await up.pod(), 'a pod without a container must also be gone from the API').toBeUndefined();
    expect(up.operations(), 'killPod must also stop a sandbox without containers').toContain(
      'sandbox-stopped',
    );
  });

  test('retries a stop that failed, and does not delete the pod before it succeeds', async () => {
    await using up = await nodeUp();
    await up.create({ terminationGracePeriodSeconds: 2 });
    await up.run(2_000);
    up.failNext('stopPodSandbox');
    await up.delete();
    await up.run(30_000);
    expect(
      await up.pod(),
      'the first stopPodSandbox failed, so the worker must retry until the pod has ended',
    ).toBeUndefined();
    expect(
      (await up.events()).join('; '),
      'the events about the pod: stopPodSandbox failed, so syncTerminatingPod must emit FailedKillPod',
    ).toMatch(/Warning FailedKillPod error killing pod: /);
    const stopped = up.host.history.find(({ event }) => event === 'sandbox-stopped')?.atMs ?? Infinity;
    expect(
      up.statuses().find(({ status }) => status.phase === 'Succeeded')?.atMs,
      'the terminal phase must not be reported before the sandbox was stopped: syncTerminatingPod must throw if the result of killPod has a failure',
    ).toBeGreaterThan(stopped);
  });

  test('stops the sandbox of a pod that has ended by itself, and keeps the pod in the API', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1')], restartPolicy: 'Never' });
    await up.run(8_000);
    const { status } = (await up.pod()) ?? {};
    expect(status?.phase, 'the phase of a pod whose containers have all exited with 0').toBe('Succeeded');
    expect(
      status?.conditions?.find(({ type }) => type === 'Ready'),
      'the condition Ready of a pod that has succeeded (Level 2)',
    ).toMatchObject({
      status: 'False',
      reason: 'PodCompleted',
    });
    expect(
      up.operations(),
      'the sandbox of a pod that has ended must be stopped: syncPod returns `ended`, then syncTerminatingPod runs',
    ).toContain('sandbox-stopped');
  });

  test('uses the grace period of the failed probe', async () => {
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
    const [exitedMs] = up.when('container-exited');
    expect(
      exitedMs,
      'the container still runs 15 s after its start: killContainer must use terminationGracePeriodSeconds of the failed liveness probe (4 s) instead of that of the pod (300 s)',
    ).toBeDefined();
    const seconds = secondsAfter(up.when('container-started')[0] ?? 0, exitedMs);
    expect(
      seconds,
      'seconds from the start to the end of the container: its failed liveness probe leaves it 4 s after SIGTERM',
    ).toBeGreaterThanOrEqual(4);
    expect(
      seconds,
      'seconds from the start to the end of the container: its failed liveness probe leaves it 4 s after SIGTERM',
    ).toBeLessThan(8);
  });

  test('stops the sandbox even if a container could not be stopped', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 2 });
    await up.run(2_000);
    up.failNext('stopContainer');
    await up.delete();
    await up.run(2_000);
    expect(
      up.operations(),
      'stopContainer failed, but killPod must still stop the sandbox; the failure is in its result',
    ).toContain('sandbox-stopped');
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
    expect(
      up.when('container-started'),
      'starts of the container: syncTerminatingPod must stop the liveness probes (parts.probes.stopLivenessAndStartup) first',
    ).toHaveLength(1);
    expect(
      secondsAfter(deletedMs, up.when('container-exited')[0]),
      'seconds from the delete to the end; terminationGracePeriodSeconds is 10',
    ).toBe(10);
  });

  test('creates another sandbox when the first one dies, and starts again with the init containers', async () => {
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
    expect(
      up.when('container-started', 'setup'),
      'starts of the init container setup: in a new sandbox all init containers run again (Level 4)',
    ).toHaveLength(2);
    expect(
      up.when('container-started', 'check'),
      'starts of the init container check: in a new sandbox all init containers run again (Level 4)',
    ).toHaveLength(2);
    expect(
      up.when('container-started', 'main'),
      'starts of the container main, in the second sandbox',
    ).toHaveLength(2);
    expect(await up.events(), 'carryOut (Level 6) must emit SandboxChanged').toContain(
      'Normal SandboxChanged Pod sandbox changed, it will be killed and re-created.',
    );
  });

  test('kills a container whose postStart hook fails, and keeps the output of the hook out of events', async () => {
    await using up = await nodeUp();
    const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'echo secret; exit 7'] } } };
    await up.create({
      containers: [shell('main', 'sleep 1000', { lifecycle })],
      terminationGracePeriodSeconds: 1,
    });
    await up.run(4_500);
    expect(
      up.when('container-exited'),
      'times of exits: startContainer (Level 6) must kill a container whose postStart hook failed, by killContainer',
    ).not.toEqual([]);
    const events = await up.events();
    expect(events, 'startContainer (Level 6) must emit FailedPostStartHook').toContain(
      'Warning FailedPostStartHook PostStartHook failed',
    );
    expect(events.join(), 'the output of a hook must not appear in events').not.toContain('secret');
    expect((await up.container())?.state?.waiting?.reason, 'the reason for which the container waits').toBe(
      'PostStartHookError',
    );
  });

  test('starts no replacement for a container that it could not kill', async () => {
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
    expect(up.when('container-exited'), 'the container must be stopped once').toHaveLength(1);
    expect(up.when('container-started'), 'the new container must be started once').toHaveLength(2);
    expect(
      up.when('container-exited')[0],
      'the old container must stop before the new one starts: killContainer must throw if stopContainer fails',
    ).toBeLessThan(up.when('container-started')[1] ?? 0);
  });

  test('replaces a container whose image has changed', async () => {
    await using up = await nodeUp();
    await up.create({
      containers: [{ name: 'main', image: 'nginx:1.27' }],
      terminationGracePeriodSeconds: 1,
    });
    await up.run(2_000);
    const body = { spec: { containers: [{ name: 'main', image: 'busybox:1.37' }] } };
    await up.cluster.admin.patch(pods, { namespace: 'default', name: 'web' }, { type: 'strategic', body });
    await up.run(2_000);
    expect(
      up.when('container-exited'),
      'the image in the spec changed, so the container must be stopped',
    ).not.toEqual([]);
    expect(
      up.when('container-exited')[0],
      'the old container must stop before the new one starts',
    ).toBeLessThan(up.when('container-started')[1] ?? 0);
    expect(
      await up.events(),
      'killContainer must emit Killing with the message of computePodActions (Level 4)',
    ).toContain('Normal Killing Container main definition changed, will be restarted');
  });
});
