import { describe, expect, test } from 'vitest';
import type { KubeletParts } from '#given/41-kubelet';
import { pods } from '#harness';
import { handlePodCleanups } from '#kata/41-kubelet/kubelet';
import { nodeUp, shell, stubborn } from './node.fixture.ts';

/** Runs handlePodCleanups on a node without wanted pods, while the runtime has the pods `orphan` and `begun`. */
async function cleanUp() {
  const updates: unknown[] = [];
  const begun = new Set<string>();
  const running = (uid: string) => ({ uid, containers: [], sandboxes: [{ state: 'SANDBOX_READY' }] });
  const parts = {
    pods: { list: () => [], mirrors: () => [] },
    workers: {
      syncKnownPods: () => new Map(),
      knows: (uid: string) => begun.has(uid),
      update: (update: unknown) => updates.push(update),
    },
    runtimePods: {
      list: async () => {
        begun.add('begun');
        return [running('orphan'), running('begun')];
      },
    },
    steps: { forgetPods: async () => {}, hasEnded: () => false },
  };
  await handlePodCleanups(parts as unknown as KubeletParts);
  return updates;
}

const key = { namespace: 'default', name: 'web' };

describe('Level 8 · After a restart', () => {
  test('leaves running containers alone', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(15_000);
    const before = (await up.pod())?.status;
    up.process.crash();
    await up.run(5_000);
    up.process.start();
    await up.run(15_000);
    expect(
      up.when('container-started'),
      'how often containers were started: a restart of the kubelet must not restart them',
    ).toHaveLength(1);
    expect(up.when('container-exited'), 'a restart of the kubelet must not stop containers').toEqual([]);
    expect((await up.pod())?.status, 'a restart of the kubelet must not change the status').toEqual(before);
  });

  test('continues the restart count from the runtime, and forgets the back-off', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1; exit 1')] });
    await up.run(45_000);
    const before = up.when('container-started').length;
    up.process.crash();
    up.process.start();
    await up.run(4_000);
    expect(
      up.when('container-started'),
      'the back-off lives in the memory of the kubelet: after its restart the container restarts at once',
    ).toHaveLength(before + 1);
    expect(
      (await up.container())?.restartCount,
      'restartCount after the restart of the kubelet: the number comes from the runtime',
    ).toBe(before);
  });

  test('stops the containers of a pod that is gone', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(2_000);
    up.process.crash();
    await up.cluster.admin.delete(pods, key, { gracePeriodSeconds: 0 });
    up.process.start();
    await up.run(8_000);
    expect(
      up.when('container-exited'),
      'handlePodCleanups must stop the containers of a pod that the API no longer has',
    ).toHaveLength(1);
    expect(
      up.operations(),
      'handlePodCleanups must stop the sandbox of a pod that the API no longer has',
    ).toContain('sandbox-stopped');
  });

  test('gives an orphan one second, whatever the grace period of its pod', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [stubborn('main')], terminationGracePeriodSeconds: 300 });
    await up.run(2_000);
    up.process.crash();
    await up.cluster.admin.delete(pods, key, { gracePeriodSeconds: 0 });
    up.process.start();
    await up.run(15_000);
    expect(
      up.when('container-exited'),
      'the container of an orphan must be killed after one second',
    ).toHaveLength(1);
  });

  test('kills an orphan with one second of grace, and no pod that got a worker while the runtime was listed', async () => {
    expect(
      await cleanUp(),
      'calls of workers.update: orphan and begun run, and neither had a worker before runtimePods.list; begun got one during that call, so workers.knows returns true for it now',
    ).toEqual([
      {
        type: 'kill',
        runtimePod: expect.objectContaining({ uid: 'orphan' }),
        kill: { graceSeconds: 1 },
      },
    ]);
  });

  test('stops the containers of a pod that is deleted with a grace period of 0', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(2_000);
    await up.cluster.admin.delete(pods, key, { gracePeriodSeconds: 0 });
    await up.run(5_000);
    expect(
      up.when('container-exited'),
      'the pod was deleted with a grace period of 0: the kubelet must still stop its container',
    ).toHaveLength(1);
  });

  test('stops and deletes a pod that was deleted while the kubelet was down', async () => {
    await using up = await nodeUp();
    await up.create({ terminationGracePeriodSeconds: 2 });
    await up.run(2_000);
    up.process.crash();
    await up.delete();
    up.process.start();
    await up.run(8_000);
    expect(
      await up.pod(),
      'the pod was deleted while the kubelet was down: it must stop the pod and delete it from the API',
    ).toBeUndefined();
    expect(
      up.when('container-exited'),
      'the pod was deleted while the kubelet was down: the container must stop',
    ).toHaveLength(1);
  });

  test('leaves a terminating pod to its worker', async () => {
    await using up = await nodeUp();
    const lifecycle = { preStop: { sleep: { seconds: 20 } } };
    await up.create({ containers: [shell('main', 'sleep 1000', { lifecycle })] });
    await up.run(2_000);
    const deletedMs = await up.delete();
    await up.run(18_000);
    expect(
      up.when('container-exited'),
      'the preStop hook still runs, and the grace period is not over: housekeeping must not kill the container',
    ).toEqual([]);
    await up.run(15_000);
    expect(
      (up.when('container-exited')[0] ?? 0) - deletedMs,
      'ms from the delete to the end of the container: after the preStop hook of 20 s',
    ).toBeGreaterThan(20_000);
  });

  test('never starts a second instance while an earlier start is still in progress', async () => {
    await using up = await nodeUp({ timings: { startMs: 3_000 } });
    const crash = { fault: 'crash', process: up.process.name, performed: true, restartAfterMs: 10 } as const;
    await up.create({ containers: [shell('main', 'sleep 1000')] });
    const started = () => up.cluster.trace.entries.some(({ verb }) => verb === 'createContainer');
    await up.cluster.runUntil(started, 10_000);
    up.cluster.nemesis.schedule([{ atMs: up.cluster.sim.elapsedMs, ...crash, skip: 1 }]);
    await up.run(60_000);
    const runs = up.when('container-started').length - up.when('container-exited').length;
    expect(
      runs,
      'containers that run in the end: a container of an earlier kubelet that is Created or unknown may still start. See startContainer (Level 6): parts.steps.removeUnstarted comes before createContainer',
    ).toBe(1);
    const exits = up.when('container-exited');
    const overlaps = up
      .when('container-started')
      .slice(1)
      .flatMap((atMs, i) =>
        atMs < (exits[i] ?? Infinity)
          ? [`started at ${atMs} ms, the one before exited at ${exits[i]} ms`]
          : [],
      );
    expect(
      overlaps,
      'containers that started while the one before ran. See startContainer (Level 6): parts.steps.removeUnstarted comes before createContainer',
    ).toEqual([]);
  });

  test('keeps one dead container of each name, and its logs', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1; exit 1'), shell('other', 'sleep 1000')] });
    await up.run(200_000);
    const containers = await up.cluster.settle(up.host.host.runtime.listContainers());
    const dead = containers.filter(({ state }) => state === 'CONTAINER_EXITED');
    expect(
      dead.map(({ metadata }) => metadata.name),
      'dead containers: the newest of each name must stay, older ones must go',
    ).toEqual(['main']);
    expect(containers, 'all containers').toHaveLength(2);
  });

  test('leaves nothing of a pod that is gone: no container, no sandbox, no address, no file', async () => {
    await using up = await nodeUp();
    await up.create({ terminationGracePeriodSeconds: 1 });
    await up.run(2_000);
    await up.delete();
    await up.run(70_000);
    const { runtime, files } = up.host.host;
    expect(
      await up.cluster.settle(runtime.listContainers()),
      'containers that are left of a pod that is gone',
    ).toEqual([]);
    expect(
      await up.cluster.settle(runtime.listPodSandbox()),
      'sandboxes that are left of a pod that is gone',
    ).toEqual([]);
    expect(
      await up.cluster.settle(files.readdir('/var/lib/kubelet/pods')),
      'directories that are left of a pod that is gone: see syncTerminatedPod (Level 7) and parts.steps.forgetPods',
    ).toEqual([]);
    expect(
      await up.cluster.settle(files.readdir('/var/log/pods')),
      'logs that are left of a pod that is gone',
    ).toEqual([]);
    const of = (what: string) => up.host.history.filter(({ event }) => event === what).length;
    expect(of('address-released'), 'addresses that were released: stop the sandbox').toBe(
      of('address-allocated'),
    );
  });

  test('removes all replaced sandboxes except the newest', async () => {
    await using up = await nodeUp();
    await up.create({ containers: [shell('main', 'sleep 1000')], terminationGracePeriodSeconds: 1 });
    for (let i = 0; i < 3; i++) {
      await up.run(8_000);
      const { sandboxId = '' } = up.host.history.findLast(({ event }) => event === 'sandbox-ready') ?? {};
      up.host.signal(sandboxId, 'SIGKILL');
    }
    await up.run(200_000);
    const sandboxes = await up.cluster.settle(up.host.host.runtime.listPodSandbox());
    expect(
      sandboxes.map(({ state, metadata }) => `${state} ${metadata.attempt}`),
      'the newest sandbox is ready, after three that were killed',
    ).toContain('SANDBOX_READY 3');
    expect(
      sandboxes.length,
      'sandboxes left: housekeeping must remove the old ones that are not ready, except the newest of them',
    ).toBeLessThan(3);
  });

  test('distinguishes pods of the same name by uid', async () => {
    await using up = await nodeUp();
    await up.create({});
    await up.run(2_000);
    const before = (await up.pod())?.metadata.uid;
    await up.cluster.admin.delete(pods, key, { gracePeriodSeconds: 0 });
    await up.create({});
    await up.run(10_000);
    const { metadata, status } = (await up.pod()) ?? {};
    expect(metadata?.uid, 'the uid of the second pod').not.toBe(before);
    expect(status?.phase, 'the phase of the second pod of this name').toBe('Running');
    expect(up.when('container-started'), 'both pods must have been started').toHaveLength(2);
    expect(up.when('container-exited'), 'the container of the first pod must be stopped').toHaveLength(1);
  });
});
