import { describe, expect, it } from 'vitest';
import { nodes, pods } from '../../api/resource.ts';
import { createService, createWeb, observedCluster, webPods } from './observed.fixture.ts';

const controller = { kind: 'component', name: 'replicaset-controller' } as const;

describe('The details of a component', () => {
  it('show a stale cache beside the server, and the pods that it does not show yet', async () => {
    await using observed = await observedCluster();
    const { cluster, kubectl } = observed;
    createWeb(observed, { replicas: 2 });
    await cluster.runFor(5_000);
    expect((await observed.look(controller)).caches.flatMap(({ differences }) => differences)).toEqual([]);

    cluster.nemesis.strike({
      fault: 'delay-watches',
      process: controller.name,
      forMs: 30_000,
      resource: 'pods',
    });
    const [pod] = webPods(observed);
    const name = pod?.metadata.name ?? '';
    void kubectl.delete(pods, { namespace: 'default', name });
    await cluster.runFor(5_000);
    const { caches, waitsFor, component } = await observed.look(controller);
    const stale = caches.find(({ resource }) => resource === 'pods');
    expect(stale?.behind).toBeGreaterThan(0);
    expect(component.behind).toBe(stale?.behind);
    // The pod is gone, but the cache still has it as it was: ready.
    expect(stale?.differences).toEqual([
      { key: `default/${name}`, cached: pod?.metadata.resourceVersion, changes: [] },
    ]);
    expect(waitsFor).toContainEqual({ text: 'events of pods, which a fault holds back' });
    // The controller believes its cache: no pod is missing.
    expect(waitsFor.some(({ about }) => about !== undefined)).toBe(false);
    expect(webPods(observed)).toHaveLength(1);
  });

  it('show the fields that differ, and the pods that a controller has created and not seen', async () => {
    await using observed = await observedCluster();
    const { cluster } = observed;
    cluster.nemesis.strike({
      fault: 'delay-watches',
      process: controller.name,
      forMs: 30_000,
      resource: 'pods',
    });
    createWeb(observed, { replicas: 2 });
    await cluster.runFor(5_000);
    const { caches, expectations } = await observed.look(controller);
    const owner = webPods(observed)[0]?.metadata.ownerReferences?.[0]?.name;
    expect(expectations).toEqual([{ owner: `ReplicaSet default/${owner}`, creates: 2, deletes: 0 }]);
    expect(caches.find(({ resource }) => resource === 'pods')?.differences).toEqual(
      webPods(observed).map(({ metadata }) => ({
        key: `default/${metadata.name}`,
        stored: metadata.resourceVersion,
        changes: [],
      })),
    );

    cluster.nemesis.heal();
    await cluster.runFor(100);
    expect((await observed.look(controller)).expectations).toEqual([]);
    cluster.nemesis.strike({
      fault: 'delay-watches',
      process: controller.name,
      forMs: 30_000,
      resource: 'pods',
    });
    const [pod] = webPods(observed);
    const key = { namespace: 'default', name: pod?.metadata.name ?? '' };
    await cluster.admin.patch(pods, key, {
      type: 'merge',
      body: { metadata: { labels: { app: 'web', tier: 'x' } } },
    });
    const [difference] = (await observed.look(controller)).caches.flatMap(({ differences }) => differences);
    expect(difference?.changes).toEqual([{ path: 'metadata.labels.tier', to: '"x"' }]);
  });

  it('list its acts in the words of the chronicle, with the requests that show them', async () => {
    await using observed = await observedCluster();
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(5_000);
    observed.observer.newMessages();
    const { decisions, kata } = await observed.look(controller);
    expect(kata).toBe('23-replicaset');
    const created = decisions.find(({ text }) => text.startsWith('creates Pod web-'));
    expect(await observed.look({ kind: 'message', id: created?.message ?? -1 })).toMatchObject({
      title: expect.stringMatching(/^replicaset-controller create pods\/default\/web-/),
      subject: { kind: 'object', resource: 'pods', key: `default/${webPods(observed)[0]?.metadata.name}` },
    });
    const times = decisions.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('list the calls of a kubelet to its node', async () => {
    await using observed = await observedCluster({ nodes: 1 });
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const { decisions } = await observed.look({ kind: 'component', name: 'kubelet-node-1' });
    const calls = decisions.flatMap(({ text }) => /^calls (\w+)/.exec(text)?.[1] ?? []).reverse();
    expect(calls).toEqual(['runPodSandbox', 'pullImage', 'createContainer', 'startContainer']);
  });

  it('have the table of the scheduler for each pod, with the node that it chose', async () => {
    await using observed = await observedCluster({ nodes: 3 });
    createWeb(observed, { replicas: 1 });
    await observed.cluster.runFor(3_000);
    const { scheduling } = await observed.look({ kind: 'component', name: 'default-scheduler' });
    const [pod] = webPods(observed);
    expect(scheduling[0]).toMatchObject({
      pod: `pods/default/${pod?.metadata.name}`,
      chosen: pod?.spec.nodeName,
    });
    expect(scheduling[0]?.best).toContain(pod?.spec.nodeName);
    expect(scheduling[0]?.nodes.map(({ node }) => node).toSorted()).toEqual(['node-1', 'node-2', 'node-3']);
    expect(scheduling[0]?.nodes[0]?.scores).toContainEqual(
      expect.objectContaining({ plugin: 'TaintToleration', score: 100, weight: 3, weighted: 300 }),
    );
  });

  it('name the filter that rejects a node', async () => {
    await using observed = await observedCluster();
    const { cluster } = observed;
    await cluster.admin.patch(
      nodes,
      { name: 'node-1' },
      { type: 'merge', body: { spec: { unschedulable: true } } },
    );
    await cluster.runFor(100);
    createWeb(observed, { replicas: 1 });
    await cluster.runFor(3_000);
    const { scheduling } = await observed.look({ kind: 'component', name: 'default-scheduler' });
    expect(scheduling[0]).toMatchObject({ best: ['node-2'], chosen: 'node-2' });
    expect(scheduling[0]?.nodes.find(({ node }) => node === 'node-1')?.rejections).toEqual([
      { plugin: 'NodeUnschedulable', reasons: 'node(s) were unschedulable' },
      { plugin: 'TaintToleration', reasons: 'node(s) had untolerated taint(s)' },
    ]);
  });

  it('list the items of a queue that wait, that are in work, and that come later', async () => {
    await using observed = await observedCluster();
    const { cluster } = observed;
    cluster.run('sorter', async ({ newWorkQueue, clock, signal }) => {
      const queue = newWorkQueue<string>();
      for (const item of ['a', 'b', 'c']) queue.add(item);
      queue.addAfter('d', 10_000);
      const first = await queue.get();
      queue.addRateLimited('e');
      await clock.sleep(60_000, signal);
      queue.done(first ?? '');
    });
    await cluster.runFor(1);
    const { queues, waitsFor, component } = await observed.look({ kind: 'component', name: 'sorter' });
    expect(queues).toEqual([
      {
        name: 'queue',
        items: ['b', 'c'],
        processing: ['a'],
        later: [{ item: 'd', atMs: 10_000 }, { item: 'e' }],
      },
    ]);
    expect(component.queued).toBe(2);
    expect(waitsFor.slice(0, 3)).toEqual([
      { text: 'the end of its work on a' },
      { text: 'd again in 10 s' },
      { text: 'the retry of e' },
    ]);
    await cluster.runFor(10_000);
    const later = await observed.look({ kind: 'component', name: 'sorter' });
    expect(later.queues).toEqual([
      { name: 'queue', items: ['b', 'c', 'd', 'e'], processing: ['a'], later: [] },
    ]);
  });

  it('have its log, and what it waits for after a crash', async () => {
    await using observed = await observedCluster();
    const { cluster } = observed;
    createWeb(observed);
    createService(observed);
    await cluster.runFor(3_000);
    cluster.processes.find(({ name }) => name === controller.name)?.crash();
    const { waitsFor, log, component, caches } = await observed.look(controller);
    expect([waitsFor, caches, component.state]).toEqual([[{ text: 'its next start' }], [], 'crashed']);
    expect(log[0]).toEqual({ atMs: 3_000, text: 'crash' });
  });
});
