import { expect, test } from 'vitest';
import { refused, sandboxConfig } from '../../machine.fixture.ts';
import type { Open } from './open.ts';

/** Tests how every runtime recovers after a restart of the runtime or of its machine. */
export function describeRestarts(open: Open): void {
  test('answer no calls while the runtime is down', async () => {
    const { run, refusal, machine, runtime, sim } = open();
    const { id } = await run('nginx:1.27');
    const waiting = runtime.execSync(id, ['sleep', '60'], 0).catch((error: Error) => error.message);
    await sim.run({ forMs: 1_000 });
    machine.stopRuntime();
    expect(await waiting).toBe('rpc error: code = Unavailable desc = error reading from server: EOF');
    const { images } = machine.host;
    for (const call of [() => runtime.version(), () => runtime.listContainers(), () => images.listImages()]) {
      expect(await refusal(call())).toMatch(
        /^rpc error: code = Unavailable desc = connection error: .*connection refused"$/,
      );
    }
  });

  test('find running containers again, and continue to manage them', async () => {
    const { run, machine, runtime, settle, status, get } = open();
    const { id, ip, sandboxId } = await run('nginx:1.27');
    const before = await status(id);
    machine.stopRuntime();
    expect((await get(ip, 80)).status).toBe(200);
    machine.startRuntime();
    expect(await status(id)).toEqual(before);
    expect(await settle(runtime.podSandboxStatus(sandboxId))).toMatchObject({
      state: 'SANDBOX_READY',
      ips: [ip],
    });
    await settle(runtime.stopContainer(id, 30));
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 0 });
  });

  test('report the exit of a container that exited in the meantime, with its time', async () => {
    const { shell, machine, status, sim } = open();
    const { id } = await shell('sleep 5; exit 9');
    const { startedAtMs } = await status(id);
    machine.stopRuntime();
    await sim.run({ forMs: 60_000 });
    machine.startRuntime();
    await sim.run({ forMs: 10 });
    expect(await status(id)).toMatchObject({
      ...{ state: 'CONTAINER_EXITED', exitCode: 9 },
      finishedAtMs: startedAtMs + 5_000,
    });
  });

  test.each(['runPodSandbox', 'createContainer', 'startContainer'])(
    'during %s leave nothing that cannot be removed',
    async (during) => {
      const { begin, run, machine, runtime, settle, sim } = open();
      const working = refused(begin('nginx:1.27'));
      const reached = {
        runPodSandbox: 'address-allocated',
        createContainer: 'sandbox-ready',
        startContainer: 'container-created',
      }[during];
      await sim.run({ until: () => machine.history.some(({ event }) => event === reached) });
      machine.stopRuntime();
      expect(await working).toMatch(/^rpc error: code = Unavailable/);
      machine.startRuntime();
      await sim.run({ forMs: 1_000 });
      for (const { id } of await settle(runtime.listPodSandbox())) {
        await settle(runtime.stopPodSandbox(id));
        await settle(runtime.removePodSandbox(id));
      }
      expect(await settle(runtime.listContainers())).toEqual([]);
      const of = (event: string) => machine.history.filter((each) => each.event === event).length;
      expect(of('address-allocated')).toBe(of('address-released'));
      const again = await run('nginx:1.27');
      expect(again.ip).not.toBe('');
    },
  );

  test('after a power failure find no running containers, and all sandboxes can be removed', async () => {
    const { run, machine, runtime, settle, sim, get } = open();
    const { id, ip } = await run('nginx:1.27');
    const { bootID } = await settle(machine.host.stats.info());
    machine.powerOff();
    expect(machine.powered).toBe(false);
    expect(machine.history.slice(-3).map(({ event }) => event)).toContain('container-exited');
    await sim.run({ forMs: 60_000 });
    machine.powerOn();
    await sim.run({ forMs: 1_000 });
    expect((await settle(machine.host.stats.info())).bootID).not.toBe(bootID);
    await expect(get(ip, 80, { timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'EHOSTUNREACH' });
    expect(await settle(runtime.listContainers({ state: 'CONTAINER_RUNNING' }))).toEqual([]);
    expect(await settle(runtime.listPodSandbox({ state: 'SANDBOX_READY' }))).toEqual([]);
    for (const sandbox of await settle(runtime.listPodSandbox())) {
      await settle(runtime.stopPodSandbox(sandbox.id));
      await settle(runtime.removePodSandbox(sandbox.id));
    }
    const released = machine.history.filter(({ event }) => event === 'address-released');
    expect(released).toMatchObject([{ ip }]);
    const again = await run('nginx:1.27', {}, sandboxConfig());
    expect(again.id).not.toBe(id);
    expect((await get(again.ip, 80)).status).toBe(200);
  });
}
