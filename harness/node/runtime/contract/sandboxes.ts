import { expect, test } from 'vitest';
import { type Effect, Line, Simulation } from '../../../sim/index.ts';
import { sandboxConfig } from '../../machine.fixture.ts';
import type { Open } from './open.ts';

/** Creates a line that applies these effects to the next calls of the network plugin. */
export function lineWith(sim: Simulation, effects: Partial<Record<'add' | 'del', Effect[]>>): Line {
  return new Line(sim, {
    actor: 'runtime',
    latencyMs: () => 1,
    interference: ({ verb }) => effects[verb as 'add' | 'del']?.shift() ?? { kind: 'pass' },
  });
}

/** Creates the effect of a failing call to the network plugin. */
export function failure(performed: boolean): Effect {
  return {
    kind: 'fail',
    error: new Error('netplugin failed with no error message: signal: killed'),
    performed,
  };
}

/** Tests how every runtime handles sandboxes. */
export function describeSandboxes(open: Open): void {
  test('are ready with an address after their creation, and report their configuration', async () => {
    const { runtime, settle, sim } = open();
    const config = sandboxConfig('web', { labels: { app: 'web' }, annotations: { note: 'x' } });
    const id = await settle(runtime.runPodSandbox(config));
    const { labels, annotations, metadata } = config;
    const status = await settle(runtime.podSandboxStatus(id));
    expect(status).toMatchObject({
      id,
      metadata,
      labels,
      annotations,
      state: 'SANDBOX_READY',
      network: 'pod',
    });
    expect(status.ips).toEqual(['10.244.1.2']);
    expect(status.createdAtMs).toBeLessThanOrEqual(sim.clock.now());
  });

  test('have an address each', async () => {
    const { runtime, settle } = open();
    const ids = await settle(
      Promise.all(['a', 'b', 'c'].map((name) => runtime.runPodSandbox(sandboxConfig(name)))),
    );
    const statuses = await settle(Promise.all(ids.map((id) => runtime.podSandboxStatus(id))));
    expect(new Set(statuses.flatMap(({ ips = [] }) => ips)).size).toBe(3);
  });

  test('have no own address in the host’s network', async () => {
    const { runtime, settle, machine } = open();
    const id = await settle(runtime.runPodSandbox(sandboxConfig('web', { network: 'node', hostname: '' })));
    const status = await settle(runtime.podSandboxStatus(id));
    expect([status.network, status.ips]).toEqual(['node', undefined]);
    await settle(runtime.stopPodSandbox(id));
    await settle(runtime.removePodSandbox(id));
    expect(machine.history.some(({ event }) => event.startsWith('address-'))).toBe(false);
  });

  test('stay as not ready after a stop, which releases their address', async () => {
    const { runtime, settle, machine } = open();
    const id = await settle(runtime.runPodSandbox(sandboxConfig()));
    await settle(runtime.stopPodSandbox(id));
    expect(await settle(runtime.podSandboxStatus(id))).toMatchObject({ id, state: 'SANDBOX_NOTREADY' });
    expect(machine.history).toContainEqual(
      expect.objectContaining({ event: 'address-released', ip: '10.244.1.2', sandboxId: id }),
    );
  });

  test('can be stopped and removed repeatedly', async () => {
    const { runtime, settle, machine } = open();
    const id = await settle(runtime.runPodSandbox(sandboxConfig()));
    for (let i = 0; i < 3; i++) await settle(runtime.stopPodSandbox(id));
    for (let i = 0; i < 3; i++) await settle(runtime.removePodSandbox(id));
    await settle(runtime.stopPodSandbox(id));
    const count = (event: string) => machine.history.filter((each) => each.event === event).length;
    expect(['sandbox-stopped', 'address-released', 'sandbox-removed'].map(count)).toEqual([1, 1, 1]);
  });

  test('can be stopped by concurrent calls', async () => {
    const { run, runtime, settle, machine } = open();
    const { sandboxId } = await run('nginx:1.27');
    await settle(Promise.all([runtime.stopPodSandbox(sandboxId), runtime.stopPodSandbox(sandboxId)]));
    expect(machine.history.filter(({ event }) => event === 'address-released')).toHaveLength(1);
  });

  test('are removed together with their containers', async () => {
    const { run, runtime, settle, refusal } = open();
    const { sandboxId, id } = await run('nginx:1.27');
    await settle(runtime.stopPodSandbox(sandboxId));
    await settle(runtime.removePodSandbox(sandboxId));
    expect(await settle(runtime.listPodSandbox())).toEqual([]);
    expect(await settle(runtime.listContainers())).toEqual([]);
    expect(await refusal(runtime.podSandboxStatus(sandboxId))).toMatch(/^rpc error: code = /);
    expect(await refusal(runtime.containerStatus(id))).toMatch(/^rpc error: code = /);
  });

  test('reject new containers after a stop', async () => {
    const { runtime, settle, refusal, run } = open();
    const { sandboxId, id } = await run('nginx:1.27');
    const { labels, annotations } = await settle(runtime.containerStatus(id));
    await settle(runtime.stopPodSandbox(sandboxId));
    const config = {
      metadata: { name: 'late', attempt: 0 },
      image: { image: 'nginx:1.27' },
      envs: [],
      mounts: [],
      labels,
      annotations,
      logPath: 'late/0.log',
    };
    const late = runtime.createContainer(sandboxId, config, sandboxConfig());
    const refused = await refusal(late.then((created) => runtime.startContainer(created)));
    expect(refused).toMatch(/^rpc error: code = Unknown desc = /);
  });

  test.each([true, false])(
    'can be cleaned up after a network failure; the plugin took effect: %s',
    async (performed) => {
      const sim = new Simulation();
      const { runtime, settle, refusal, machine } = open({
        sim,
        line: lineWith(sim, { add: [failure(performed)] }),
      });
      expect(await refusal(runtime.runPodSandbox(sandboxConfig()))).toContain('signal: killed');
      for (const { id, state } of await settle(runtime.listPodSandbox())) {
        expect(state).toBe('SANDBOX_NOTREADY');
        await settle(runtime.stopPodSandbox(id));
        await settle(runtime.removePodSandbox(id));
      }
      const next = await settle(runtime.runPodSandbox(sandboxConfig()));
      expect((await settle(runtime.podSandboxStatus(next))).ips).toHaveLength(1);
      const of = (event: string) => machine.history.filter((each) => each.event === event).length;
      expect(of('address-allocated') - of('address-released')).toBe(1);
    },
  );

  test('fail if no address is free, and succeed again after one is released', async () => {
    const { runtime, settle, refusal } = open();
    const ids: string[] = [];
    for (let i = 0; i < 253; i++) ids.push(await settle(runtime.runPodSandbox(sandboxConfig(`pod-${i}`))));
    expect(await refusal(runtime.runPodSandbox(sandboxConfig('late')))).toContain(
      'no IP addresses available in range set: 10.244.1.1-10.244.1.254',
    );
    const [first = ''] = ids;
    await settle(runtime.stopPodSandbox(first));
    await settle(runtime.removePodSandbox(first));
    const again = await settle(runtime.runPodSandbox(sandboxConfig('later')));
    expect((await settle(runtime.podSandboxStatus(again))).ips).toEqual(['10.244.1.2']);
  });

  test('cannot be created if no process can be started', async () => {
    const { runtime, settle, refusal, machine } = open({ capacity: { pids: 100 } });
    expect(await refusal(runtime.runPodSandbox(sandboxConfig()))).toContain(
      'resource temporarily unavailable',
    );
    for (const { id } of await settle(runtime.listPodSandbox())) {
      await settle(runtime.stopPodSandbox(id));
      await settle(runtime.removePodSandbox(id));
    }
    const of = (event: string) => machine.history.filter((each) => each.event === event).length;
    expect(of('address-allocated')).toBe(of('address-released'));
  });

  test('cannot be created on a full disk', async () => {
    const { runtime, refusal } = open({ capacity: { inodes: 8 } });
    expect(await refusal(runtime.runPodSandbox(sandboxConfig()))).toContain('no space left on device');
  });

  test('need a configured network, except in the host’s network', async () => {
    const { runtime, settle, refusal, machine } = open();
    const before = await settle(runtime.runPodSandbox(sandboxConfig('before')));
    await settle(machine.files.removeAll('/etc/cni/net.d/10-cbr0.conflist'));
    const ready = async () =>
      (await settle(runtime.status())).map(({ type, status, reason }) => [type, status, reason]);
    expect(await ready()).toEqual([
      ['RuntimeReady', true, ''],
      ['NetworkReady', false, 'NetworkPluginNotReady'],
    ]);
    expect(await refusal(runtime.runPodSandbox(sandboxConfig()))).toMatch(/cni|CNI/);
    await settle(runtime.runPodSandbox(sandboxConfig('host', { network: 'node' })));
    expect(await settle(runtime.podSandboxStatus(before))).toMatchObject({ state: 'SANDBOX_READY' });
    await settle(machine.files.writeFile('/etc/cni/net.d/10-cbr0.conflist', '{}'));
    expect((await ready()).at(-1)).toEqual(['NetworkReady', true, '']);
    await settle(runtime.stopPodSandbox(before));
  });
}
