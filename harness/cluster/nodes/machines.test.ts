import { describe, expect, test } from 'vitest';
import type { NodeComponent } from '../../contracts/component.ts';
import type * as cri from '../../contracts/node/cri/index.ts';
import { createCluster } from '../cluster.ts';
import { runNodes } from './run-nodes.ts';

const config = (name: string): cri.PodSandboxConfig => ({
  metadata: { namespace: 'default', name, uid: name, attempt: 0 },
  hostname: name,
  logDirectory: `/var/log/pods/${name}`,
  labels: {},
  annotations: {},
  network: 'pod',
});

/** A kubelet that creates a sandbox every ten seconds, and records each outcome. */
function sandboxMaker() {
  const outcomes: string[] = [];
  const kubelet: NodeComponent = async ({ host, clock, node, signal }) => {
    for (let i = 1; !signal.aborted; i++) {
      await host.runtime.runPodSandbox(config(`pod-${i}`)).then(
        () => outcomes.push(`${node} ok`),
        (error: Error) => outcomes.push(`${node} ${error.message}`),
      );
      await clock.sleep(10_000);
    }
  };
  return { kubelet, outcomes };
}

async function cluster(options: Parameters<typeof runNodes>[1] = {}) {
  const { kubelet, outcomes } = sandboxMaker();
  const made = await createCluster({ components: { kubelet } });
  const machines = runNodes(made, { count: 1, scheduler: 'none', ...options });
  const [machine] = machines;
  if (!machine) throw new Error('There is no machine.');
  return Object.assign(made, { machine, outcomes });
}

describe('Machines of a cluster', () => {
  test('have an address and a pod range each, and share one network', async () => {
    await using nodes = await cluster({ count: 3 });
    await nodes.runFor(5_000);
    expect(nodes.outcomes).toEqual(['node-1 ok', 'node-2 ok', 'node-3 ok']);
    expect(nodes.machines.map(({ host }) => host.ip)).toEqual(['192.168.0.1', '192.168.0.2', '192.168.0.3']);
    const ips = nodes.machines.map(({ history }) => history.find(({ ip }) => ip)?.ip);
    expect(ips).toEqual(['10.244.1.2', '10.244.2.2', '10.244.3.2']);
  });

  test('have a runtime whose plugin calls can fail', async () => {
    await using nodes = await cluster({ profile: 'cri-o' });
    nodes.nemesis.strike({
      fault: 'fail-call',
      process: 'crio-node-1',
      port: 'cni',
      verb: 'add',
      performed: true,
    });
    await nodes.runFor(15_000);
    expect(nodes.outcomes).toEqual([expect.stringContaining('signal: killed'), 'node-1 ok']);
    const entries = nodes.trace.entries.filter(({ actor }) => actor === 'crio-node-1');
    expect(entries.map(({ verb, outcome }) => `${verb} ${outcome}`)).toEqual([
      'add ok, unheard',
      'del ok',
      'add ok',
    ]);
  });

  test('have a runtime that crashes and restarts', async () => {
    await using nodes = await cluster();
    nodes.nemesis.strike({
      fault: 'crash',
      process: 'containerd-node-1',
      skip: 0,
      performed: true,
      restartAfterMs: 12_000,
    });
    await nodes.runFor(45_000);
    expect(nodes.outcomes.map((outcome) => outcome.slice(0, 45))).toEqual([
      'node-1 rpc error: code = Unavailable desc = e',
      'node-1 rpc error: code = Unavailable desc = c',
      'node-1 ok',
      'node-1 ok',
      'node-1 ok',
    ]);
    const events = nodes.machine.history.map(({ event }) => event);
    expect(events.filter((event) => event.startsWith('runtime-'))).toEqual([
      'runtime-stopped',
      'runtime-started',
    ]);
  });

  test('lose power when their node dies, and can be switched on again', async () => {
    await using nodes = await cluster();
    nodes.nemesis.schedule([{ atMs: 5_000, fault: 'node-death', node: 'node-1' }]);
    await nodes.runFor(60_000);
    expect([nodes.machine.powered, nodes.outcomes]).toEqual([false, ['node-1 ok']]);
    expect(nodes.machine.history.slice(-2).map(({ event }) => event)).toEqual([
      'sandbox-stopped',
      'powered-off',
    ]);
    nodes.nemesis.heal();
    await nodes.runFor(60_000);
    expect(nodes.machine.powered).toBe(false);
    nodes.machine.powerOn();
    const sandboxes = await nodes.settle(nodes.machine.host.runtime.listPodSandbox());
    expect(sandboxes.map(({ state }) => state)).toEqual(['SANDBOX_NOTREADY']);
  });

  test('have a clock with the skew of their node', async () => {
    await using nodes = await cluster();
    nodes.nemesis.strike({ fault: 'clock-jump', node: 'node-1', byMs: 3_600_000 });
    await nodes.runFor(5_000);
    const [sandbox] = await nodes.settle(nodes.machine.host.runtime.listPodSandbox());
    expect((sandbox?.createdAtMs ?? 0) - nodes.clock.now()).toBeGreaterThan(3_500_000);
  });
});
