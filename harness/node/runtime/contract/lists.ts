import { expect, test } from 'vitest';
import { sandboxConfig } from '../../machine.fixture.ts';
import { uses } from '../../programs/scripted.ts';
import type { Open } from './open.ts';

/** Tests the lists of every runtime. */
export function describeLists(open: Open): void {
  test('contain only entries that match all filters', async () => {
    const { run, runtime, settle } = open();
    const labels = (app: string) => ({ labels: { app, tier: 'front' } });
    const a = await run('nginx:1.27', labels('a'), sandboxConfig('a', labels('a')));
    const b = await run('nginx:1.27', labels('b'), sandboxConfig('b', labels('b')));
    await settle(runtime.stopContainer(b.id, 0));
    await settle(runtime.stopPodSandbox(b.sandboxId));
    const sandboxes = async (filter?: Parameters<typeof runtime.listPodSandbox>[0]) =>
      (await settle(runtime.listPodSandbox(filter))).map(({ metadata }) => metadata.name).sort();
    expect(await sandboxes()).toEqual(['a', 'b']);
    expect(await sandboxes({ state: 'SANDBOX_READY' })).toEqual(['a']);
    expect(await sandboxes({ state: 'SANDBOX_NOTREADY' })).toEqual(['b']);
    expect(await sandboxes({ labelSelector: { app: 'b' } })).toEqual(['b']);
    expect(await sandboxes({ labelSelector: { app: 'b' }, state: 'SANDBOX_READY' })).toEqual([]);
    expect(await sandboxes({ id: a.sandboxId })).toEqual(['a']);
    expect(await sandboxes({ id: 'none' })).toEqual([]);
    const containers = async (filter?: Parameters<typeof runtime.listContainers>[0]) =>
      (await settle(runtime.listContainers(filter))).map(({ labels: { app } }) => app).sort();
    expect(await containers()).toEqual(['a', 'b']);
    expect(await containers({ state: 'CONTAINER_EXITED' })).toEqual(['b']);
    expect(await containers({ podSandboxId: a.sandboxId })).toEqual(['a']);
    expect(await containers({ podSandboxId: a.sandboxId, id: b.id })).toEqual([]);
    expect(await containers({ labelSelector: { tier: 'front' }, state: 'CONTAINER_RUNNING' })).toEqual(['a']);
    expect(await containers({ id: b.id, podSandboxId: b.sandboxId })).toEqual(['b']);
  });

  test('match the status', async () => {
    const { run, runtime, settle, status } = open();
    const { id, sandboxId } = await run('nginx:1.27');
    const [container] = await settle(runtime.listContainers());
    const { podSandboxId, image: _, imageRef: __, ...listed } = container ?? { podSandboxId: '' };
    expect(podSandboxId).toBe(sandboxId);
    expect(await status(id)).toMatchObject(listed);
    const [sandbox] = await settle(runtime.listPodSandbox());
    expect(await settle(runtime.podSandboxStatus(sandboxId))).toMatchObject(sandbox ?? {});
  });

  test('of statistics contain running containers with their usage', async () => {
    const programs = { nginx: uses({ memoryBytes: 1_000, cpuMilli: 250 }) };
    const { run, shell, runtime, settle, machine, sim } = open({ programs });
    const before = await settle(machine.host.stats.usage());
    const { id } = await run('nginx:1.27', {}, sandboxConfig('a'));
    await shell('exit 0', {}, sandboxConfig('b'));
    await sim.run({ forMs: 20 });
    expect(await settle(runtime.listContainerStats())).toMatchObject([
      { id, metadata: { name: 'main', attempt: 0 }, cpuUsageMilli: 250, memoryWorkingSetBytes: 1_000 },
    ]);
    const during = await settle(machine.host.stats.usage());
    expect(during.cpuUsageMilli - before.cpuUsageMilli).toBe(250);
    expect(before.memoryAvailableBytes - during.memoryAvailableBytes).toBe(1_000);
    await settle(runtime.stopContainer(id, 0));
    expect((await settle(machine.host.stats.usage())).memoryAvailableBytes).toBe(before.memoryAvailableBytes);
  });

  test("of statistics count CPU usage up to a limit, and share the machine's CPUs in proportion to demand", async () => {
    const hog = uses({ cpuMilli: 3_000 });
    const programs = { nginx: hog, 'redis-server': hog };
    const { run, runtime, settle, machine, sim } = open({ programs, capacity: { cpus: 2 } });
    const used = async () =>
      (await settle(runtime.listContainerStats()))
        .map(({ cpuUsageMilli }) => cpuUsageMilli)
        .sort((a, b) => b - a);
    await run('nginx:1.27', { resources: { cpuMilli: 900 } }, sandboxConfig('a'));
    await sim.run({ forMs: 20 });
    expect(await used()).toEqual([900]);
    const { id } = await run('redis:8', {}, sandboxConfig('b'));
    await sim.run({ forMs: 20 });
    // The machine itself uses 0.05 of the two CPUs. The remaining 1.95 CPUs cover half of the demand.
    expect(await used()).toEqual([1_500, 450]);
    const counted = async () => (await settle(machine.host.stats.usage())).cpuUsageCoreNanoSeconds;
    const before = await counted();
    await sim.run({ forMs: 1_000 });
    // The counter starts at the creation of the container.
    const [{ cpuUsageCoreNanoSeconds = 0 } = {}] = await settle(runtime.listContainerStats({ id }));
    expect(Math.round(cpuUsageCoreNanoSeconds / 100_000_000)).toBe(15);
    expect((await counted()) - before).toBe(2_000_000_000);
    await settle(runtime.stopContainer(id, 0));
    expect(await used()).toEqual([900]);
  });
}
