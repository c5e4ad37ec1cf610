import { describe, expect, test } from 'vitest';
import { Simulation } from '../sim/index.ts';
import { machineAlone, refused, sandboxConfig } from './machine.fixture.ts';

describe('A machine', () => {
  test('runs a sandbox with an address, and a container that answers requests', async () => {
    const { run, get, status, machine } = machineAlone();
    const { id, ip, sandboxId } = await run('nginx:1.27');
    expect(ip).toBe('10.244.1.2');
    expect(await get(ip, 80)).toMatchObject({
      status: 200,
      body: expect.stringContaining('Welcome to nginx!'),
    });
    expect(await status(id)).toMatchObject({ id, state: 'CONTAINER_RUNNING', reason: '', exitCode: 0 });
    const pod = { namespace: 'default', name: 'web', uid: 'uid-web' };
    const container = { pod, sandboxId, container: 'main', containerId: id, image: 'nginx:1.27' };
    expect(machine.history).toMatchObject([
      { event: 'address-allocated', ip, pod, sandboxId },
      { event: 'sandbox-ready', ip, pod, sandboxId },
      { event: 'container-created', ...container },
      { event: 'container-started', ...container },
    ]);
  });

  test('stops a container with its stop signal, and removes it completely', async () => {
    const { run, runtime, settle, status, machine, sim } = machineAlone();
    const { id, sandboxId } = await run('nginx:1.27');
    const before = sim.elapsedMs;
    await settle(runtime.stopContainer(id, 30));
    expect(sim.elapsedMs - before).toBeLessThan(10);
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 0, reason: 'Completed' });
    await settle(runtime.stopPodSandbox(sandboxId));
    await settle(runtime.removePodSandbox(sandboxId));
    expect(await settle(runtime.listPodSandbox())).toEqual([]);
    expect(await settle(runtime.listContainers())).toEqual([]);
    expect(machine.history.slice(4).map(({ event }) => event)).toEqual([
      'container-exited',
      'sandbox-stopped',
      'address-released',
      'container-removed',
      'sandbox-removed',
    ]);
  });

  test('kills a container that ignores its stop signal after the grace period', async () => {
    const { run, runtime, settle, status, sim } = machineAlone();
    const { id } = await run('busybox:1.37', { command: ['sleep', '3600'] });
    const before = sim.elapsedMs;
    await settle(runtime.stopContainer(id, 7));
    expect(sim.elapsedMs - before).toBe(7_005);
    const { finishedAtMs, exitCode, reason } = await status(id);
    expect([exitCode, reason]).toEqual([137, 'Error']);
    expect(finishedAtMs).toBe(sim.clock.now() - 5);
  });

  test('fails to start a command that the image does not contain', async () => {
    const { runtime, run, status, settle } = machineAlone();
    const failure = await refused(run('busybox:1.37', { command: ['no-such'] }));
    expect(failure).toContain('exec: "no-such": executable file not found in $PATH');
    const [container] = await settle(runtime.listContainers());
    expect(await status(container?.id ?? '')).toMatchObject({
      state: 'CONTAINER_EXITED',
      exitCode: 128,
      reason: 'StartError',
    });
  });

  test('loses unsynced files in a power failure if configured', async () => {
    const left = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const { machine, settle } = machineAlone({ sim: new Simulation({ seed }), losesUnsynced: true });
      await settle(machine.files.writeFile('/synced', 'all of it'));
      await settle(machine.files.fsync('/synced'));
      await settle(machine.files.fsync('/'));
      await settle(machine.files.writeFile('/late', 'all of it'));
      machine.powerOff();
      machine.powerOn();
      expect(await settle(machine.files.readFile('/synced'))).toBe('all of it');
      left.add(await settle(machine.files.readFile('/late')).catch(({ code }) => code));
    }
    expect([...left].sort()).toEqual(expect.arrayContaining(['', 'ENOENT', 'all of it']));
  });

  test('answers no calls while its runtime is down, and finds its containers again', async () => {
    const { run, refusal, runtime, machine, status } = machineAlone();
    const { id } = await run('nginx:1.27', {}, sandboxConfig('a'));
    machine.stopRuntime();
    expect(await refusal(runtime.listContainers())).toMatch(
      /^rpc error: code = Unavailable desc = connection error/,
    );
    machine.startRuntime();
    expect(await status(id)).toMatchObject({ state: 'CONTAINER_RUNNING' });
  });
});
