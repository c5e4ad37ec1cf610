import { describe, expect, it } from 'vitest';
import { createService, createWeb, observedCluster, webPods } from './observed.fixture.ts';

const node = { kind: 'node', name: 'node-1' } as const;

describe('The details of a node', () => {
  it('list containers, images, routes, rules and the files of host-local', async () => {
    await using observed = await observedCluster({ nodes: 1 });
    createWeb(observed, { replicas: 1 });
    createService(observed);
    await observed.cluster.runFor(5_000);
    const { containers, images, routes, rules, allocations, history } = await observed.look(node);
    const [pod] = webPods(observed);
    const { name = '' } = pod?.metadata ?? {};
    expect(containers).toEqual([
      expect.objectContaining({
        name: 'nginx',
        pod: `default/${name}`,
        image: 'docker.io/library/nginx:1.25',
        state: 'Running',
        attempt: 0,
      }),
    ]);
    expect(images.find(({ name }) => name.includes('nginx'))?.bytes).toBeGreaterThan(1_000_000);
    expect(routes).toContain('10.244.0.0/24 dev cni0 proto kernel scope link src 10.244.0.1');
    expect(
      rules.find((line) => line.includes('-j DNAT') && line.includes(`${pod?.status.podIP}:80`)),
    ).toBeDefined();
    // Chains without rules are left out.
    const declared = rules.filter((line) => line.startsWith(':')).map((line) => line.slice(1).split(' ')[0]);
    expect(declared.filter((chain) => !rules.some((line) => line.startsWith(`-A ${chain} `)))).toEqual([]);
    expect(allocations.map(({ path }) => path)).toContain(`/var/lib/cni/networks/cbr0/${pod?.status.podIP}`);
    expect(history[0]?.text).toBe(`starts container nginx of pod default/${name}`);
  });

  it('show a full disk: its use, its pressure, and the image that does not fit', async () => {
    await using observed = await observedCluster({ nodes: 1 });
    const { disk } = observed.cluster.machine('node-1')?.files ?? {};
    disk?.reserve(Math.floor((disk.capacityBytes * 96) / 100) - disk.usedBytes);
    await observed.cluster.runFor(30_000);
    const details = await observed.look(node);
    expect(details.node).toMatchObject({ diskUsedPercent: 96, pressures: ['DiskPressure'] });
    expect(details.disk.usedBytes / details.disk.capacityBytes).toBeCloseTo(0.96);
  });

  it('have nothing of a machine without power but its history and its disk', async () => {
    await using observed = await observedCluster({ nodes: 1 });
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(5_000);
    observed.cluster.nemesis.strike({ fault: 'node-death', node: 'node-1' });
    const { containers, routes, rules, disk, history } = await observed.look(node);
    expect([containers, routes, rules]).toEqual([[], [], []]);
    expect(disk.usedBytes).toBeGreaterThan(0);
    expect(history[0]).toEqual({ atMs: 5_000, text: 'the machine is powered off' });
  });
});
