import { describe, expect, it } from 'vitest';
import { deployments } from '../../api/resource.ts';
import { componentTable } from '../../cluster/component-table.ts';
import { createService, createWeb, observedCluster } from './observed.fixture.ts';

describe('The picture of a cluster', () => {
  it('shows each process once, where it runs, in the order of the table of components', async () => {
    await using observed = await observedCluster();
    const { components, nodes } = observed.observer.view();
    const rows = Object.values(componentTable).flatMap(({ process }) => process ?? []);
    const ofTheCluster = rows.filter(({ once, only }) => once === 'cluster' && only === undefined);
    expect(components.map(({ name }) => name)).toEqual(ofTheCluster.map(({ name }) => name));
    expect(nodes.map(({ name, components }) => [name, ...components.map((each) => each.name)])).toEqual(
      ['node-1', 'node-2'].map((node) => [
        node,
        `kubelet-${node}`,
        `kube-flannel-${node}`,
        `kube-proxy-${node}`,
      ]),
    );
  });

  it('shows pods without a node, then on their nodes, and Services with their endpoints', async () => {
    await using observed = await observedCluster();
    const { cluster, observer } = observed;
    createWeb(observed, { replicas: 2 });
    createService(observed);
    await cluster.runUntil(() => observer.view().pending.length > 0, 1_000);
    expect(observer.view().pending.length).toBeGreaterThan(0);
    await cluster.runFor(5_000);
    const { pending, nodes, deployments, services } = observer.view();
    expect(pending).toEqual([]);
    const shown = nodes.flatMap(({ name, pods }) => pods.map((pod) => ({ on: name, ...pod })));
    expect(shown).toEqual([
      expect.objectContaining({ status: 'Running', isReady: true, deployment: 'web', restarts: 0 }),
      expect.objectContaining({ status: 'Running', isReady: true, deployment: 'web', restarts: 0 }),
    ]);
    expect(shown.every(({ on, node }) => on === node)).toBe(true);
    expect(deployments).toEqual([
      expect.objectContaining({
        name: 'web',
        desired: 2,
        ready: 2,
        isComplete: true,
        replicaSets: [expect.anything()],
      }),
    ]);
    expect(services.find(({ name }) => name === 'web')).toMatchObject({
      ports: ['80/TCP'],
      endpoints: [
        { isReady: true, isTerminating: false },
        { isReady: true, isTerminating: false },
      ],
    });
  });

  it('is the same object while nothing changes, and reuses every part that has not changed', async () => {
    await using observed = await observedCluster();
    const { cluster, observer } = observed;
    createWeb(observed, { replicas: 2 });
    await cluster.runFor(5_000);
    const before = observer.view();
    await cluster.runFor(100);
    expect(observer.view()).toBe(before);
    await cluster.admin.patch(deployments, { name: 'web', namespace: 'default' }, {
      type: 'merge',
      body: { spec: { paused: true } },
    } as never);
    await cluster.runFor(100);
    const after = observer.view();
    expect(after.deployments[0]).toMatchObject({ isPaused: true });
    expect(after.nodes).toBe(before.nodes);
    expect(after.services).toBe(before.services);
  });

  it('counts the writes that a cache has not seen while a fault holds back its events', async () => {
    await using observed = await observedCluster();
    const { cluster, observer } = observed;
    const controller = () => observer.view().components.find(({ name }) => name === 'replicaset-controller');
    expect(controller()?.behind).toBe(0);
    cluster.nemesis.strike({ fault: 'delay-watches', process: 'replicaset-controller', forMs: 10_000 });
    createWeb(observed, { replicas: 1 });
    await cluster.runFor(1_000);
    // The new ReplicaSet does not reach its controller, so no pod is created.
    expect(controller()).toMatchObject({
      behind: 1,
      lag: 'held',
      caches: [
        { resource: 'replicasets.apps', behind: 1, lag: 'held' },
        { behind: 0, lag: 'held' },
      ],
    });
    expect(observer.view().faults).toEqual([
      {
        text: 'hold back the events of replicaset-controller for 10 s',
        sinceMs: 0,
        untilMs: 10_000,
        target: 'process:replicaset-controller',
      },
    ]);
    await cluster.runFor(15_000);
    expect(controller()?.behind).toBe(0);
    expect(observer.view().faults).toEqual([]);
  });

  it('distinguishes an event on its way from a cache that has missed a write', async () => {
    await using observed = await observedCluster({ latencyMs: 60, seed: 1 });
    const { cluster, observer } = observed;
    const lag = () => observer.view().components.find(({ name }) => name === 'deployment-controller')?.lag;
    expect(lag()).toBe('none');
    createWeb(observed, { replicas: 1 });
    await cluster.runUntil(() => lag() !== 'none', 1_000);
    expect(lag()).toBe('moving');
    await cluster.runUntil(() => lag() !== 'moving', 1_000);
    expect(lag()).toBe('late');
    await cluster.runUntil(() => lag() !== 'late', 1_000);
    expect(lag()).toBe('none');
  });

  it('counts for a kubelet only the pods of its node', async () => {
    await using observed = await observedCluster();
    const { cluster, observer } = observed;
    cluster.nemesis.strike({
      fault: 'delay-watches',
      process: 'kubelet-node-1',
      forMs: 60_000,
      resource: 'pods',
    });
    createWeb(observed, { replicas: 4 });
    await cluster.runFor(5_000);
    const { nodes } = observer.view();
    const pods = nodes.map(({ components }) =>
      components[0]?.caches.find(({ resource }) => resource === 'pods'),
    );
    expect(pods[0]).toMatchObject({ objects: 0 });
    expect(pods[0]?.behind).toBeGreaterThan(0);
    expect(pods[1]).toMatchObject({ behind: 0 });
    expect(pods[1]?.objects).toBeGreaterThan(0);
  });

  it('shows a process that has crashed, a node without power, and a partition', async () => {
    await using observed = await observedCluster();
    const { cluster, observer } = observed;
    cluster.nemesis.strike({ fault: 'node-death', node: 'node-1' });
    cluster.nemesis.strike({ fault: 'partition', node: 'node-2', forMs: 5_000 });
    await cluster.runFor(100);
    const { nodes, faults } = observer.view();
    expect(nodes[0]).toMatchObject({ isPowered: false, isPartitioned: false, ready: 'True' });
    expect(nodes[0]?.components[0]).toMatchObject({ name: 'kubelet-node-1', state: 'crashed', caches: [] });
    expect(nodes[1]).toMatchObject({ isPowered: true, isPartitioned: true });
    expect(faults.map(({ text, target }) => `${target} ${text}`)).toEqual([
      'node:node-1 kill node-1',
      'node:node-2 partition node-2 for 5 s',
    ]);
    cluster.machine('node-1')?.powerOn();
    await cluster.runFor(6_000);
    expect(observer.view().faults).toEqual([]);
  });

  it('shows the error of a process that gave up, and the code that runs', async () => {
    await using observed = await observedCluster({
      ownerOf: (part) => (part === 'informer' ? 'yours' : 'reference'),
    });
    observed.cluster.run('resourcequota-controller', async ({ clock }) => {
      await clock.sleep(1_000);
      throw new Error('no more');
    });
    await observed.cluster.runFor(2_000);
    const { components } = observed.observer.view();
    expect(components.at(-1)).toMatchObject({
      name: 'resourcequota-controller',
      state: 'gave up',
      error: { atMs: 1_000, message: 'no more' },
    });
    expect(components.at(-1)).not.toHaveProperty('part');
    expect(components[0]).toMatchObject({ owner: 'yours' });
  });
});
