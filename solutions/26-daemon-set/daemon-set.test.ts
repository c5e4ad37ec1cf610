import { describe, expect, test } from 'vitest';
import { daemonSets, events, nodes, pods } from '#harness';
import { AGENT, agent, agentIn, daemonCluster, podsIn, revisionsIn, setImage } from './daemon-set.fixture.ts';

describe('A DaemonSet', () => {
  test('runs a pod on each node, bound by the scheduler', async () => {
    await using cluster = await daemonCluster();
    await cluster.admin.create(daemonSets, agent());
    await cluster.runFor(3_000);
    const all = await podsIn(cluster);
    expect(all.map(({ spec }) => spec.nodeName)).toEqual(['node-1', 'node-2', 'node-3']);
    expect(all[0]?.metadata.labels).toMatchObject({ app: 'agent', 'pod-template-generation': '1' });
    expect((await agentIn(cluster)).status).toMatchObject({
      currentNumberScheduled: 3,
      desiredNumberScheduled: 3,
      numberAvailable: 3,
      numberMisscheduled: 0,
      numberReady: 3,
      observedGeneration: 1,
      updatedNumberScheduled: 3,
    });
  });

  test('tolerates the problems of a node, and keeps the tolerations of its template', async () => {
    await using cluster = await daemonCluster(1);
    const set = agent();
    const spec = {
      containers: [{ name: 'agent', image: 'agent:1' }],
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
    };
    set.spec.template.spec = spec;
    await cluster.admin.create(daemonSets, set);
    await cluster.runFor(3_000);
    const [pod] = await podsIn(cluster);
    expect(pod?.spec.tolerations?.map(({ key, effect }) => [key, effect])).toEqual([
      ['gpu', undefined],
      ['node.kubernetes.io/not-ready', 'NoExecute'],
      ['node.kubernetes.io/unreachable', 'NoExecute'],
      ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
      ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
      ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
      ['node.kubernetes.io/unschedulable', 'NoSchedule'],
    ]);
  });

  test('runs on an unschedulable node, and not on a node with another taint', async () => {
    await using cluster = await daemonCluster();
    await cluster.admin.patch(
      nodes,
      { name: 'node-1' },
      { type: 'merge', body: { spec: { unschedulable: true } } },
    );
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
    await cluster.admin.patch(nodes, { name: 'node-2' }, { type: 'merge', body: { spec: { taints } } });
    await cluster.admin.create(daemonSets, agent());
    await cluster.runFor(3_000);
    expect((await podsIn(cluster)).map(({ spec }) => spec.nodeName)).toEqual(['node-1', 'node-3']);
  });

  test('follows the labels of nodes', async () => {
    await using cluster = await daemonCluster();
    const set = agent();
    set.spec.template.spec = {
      containers: [{ name: 'agent', image: 'agent:1' }],
      nodeSelector: { disk: 'ssd' },
    };
    await cluster.admin.create(daemonSets, set);
    const label = (name: string, disk: string | null) =>
      cluster.admin.patch(nodes, { name }, { type: 'merge', body: { metadata: { labels: { disk } } } });
    await label('node-2', 'ssd');
    await cluster.runFor(3_000);
    expect((await podsIn(cluster)).map(({ spec }) => spec.nodeName)).toEqual(['node-2']);
    await label('node-2', null);
    await label('node-3', 'ssd');
    await cluster.runFor(3_000);
    expect((await podsIn(cluster)).map(({ spec }) => spec.nodeName)).toEqual(['node-3']);
  });

  test('replaces pods one node at a time, and keeps the old template for a rollback', async () => {
    await using cluster = await daemonCluster();
    await cluster.admin.create(daemonSets, agent());
    await cluster.runFor(3_000);
    await setImage(cluster, 'agent:2');
    let fewest = 3;
    for (let i = 0; i < 100; i++) {
      await cluster.runFor(100);
      const available = (await podsIn(cluster)).filter(
        ({ metadata, status }) =>
          metadata.deletionTimestamp === undefined &&
          status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
      );
      fewest = Math.min(fewest, available.length);
    }
    expect(fewest).toBe(2);
    expect(new Set((await podsIn(cluster)).map(({ spec }) => spec.containers[0]?.image))).toEqual(
      new Set(['agent:2']),
    );
    expect(await revisionsIn(cluster)).toEqual([
      [1, 'agent:1'],
      [2, 'agent:2'],
    ]);
    await setImage(cluster, 'agent:1');
    await cluster.runFor(10_000);
    expect(await revisionsIn(cluster)).toEqual([
      [2, 'agent:2'],
      [3, 'agent:1'],
    ]);
    expect((await agentIn(cluster)).status.updatedNumberScheduled).toBe(3);
  });

  test('runs two pods on a node during an update with surge', async () => {
    await using cluster = await daemonCluster();
    const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
    await cluster.admin.create(
      daemonSets,
      agent({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } }),
    );
    await cluster.runFor(3_000);
    await setImage(cluster, 'agent:2');
    let most = 3;
    for (let i = 0; i < 100; i++) {
      await cluster.runFor(100);
      most = Math.max(
        most,
        (await podsIn(cluster)).filter(({ metadata }) => !metadata.deletionTimestamp).length,
      );
    }
    expect(most).toBe(4);
    expect((await podsIn(cluster)).map(({ spec }) => spec.containers[0]?.image)).toEqual([
      'agent:2',
      'agent:2',
      'agent:2',
    ]);
  });

  test('waits for the user with the strategy OnDelete', async () => {
    await using cluster = await daemonCluster();
    await cluster.admin.create(daemonSets, agent({ updateStrategy: { type: 'OnDelete' } }));
    await cluster.runFor(3_000);
    await setImage(cluster, 'agent:2');
    await cluster.runFor(3_000);
    const images = async () => (await podsIn(cluster)).map(({ spec }) => spec.containers[0]?.image);
    expect(await images()).toEqual(['agent:1', 'agent:1', 'agent:1']);
    const [first] = await podsIn(cluster);
    await cluster.admin.delete(pods, { ...AGENT, name: first?.metadata.name ?? '' });
    await cluster.runFor(3_000);
    expect(await images()).toEqual(['agent:2', 'agent:1', 'agent:1']);
  });

  test('deletes a failed pod, later each time, and emits an event', async () => {
    await using cluster = await daemonCluster(1);
    await cluster.admin.create(daemonSets, agent());
    const deletedMs: number[] = [];
    for (let ms = 0; ms < 40_000; ms += 100) {
      await cluster.runFor(100);
      const [pod] = await podsIn(cluster);
      if (!pod?.spec.nodeName || pod.metadata.deletionTimestamp || pod.status.phase === 'Failed') continue;
      deletedMs.push(ms);
      await cluster.admin.updateStatus(pods, { ...pod, status: { ...pod.status, phase: 'Failed' } });
    }
    const gaps = deletedMs.slice(1).map((ms, i) => ms - (deletedMs[i] as number));
    expect(gaps.slice(1, 5)).toEqual(gaps.slice(1, 5).toSorted((a, b) => a - b));
    expect(gaps.at(-1)).toBeGreaterThanOrEqual(8_000);
    const { items } = await cluster.admin.list(events, { namespace: 'default' });
    expect(items.map(({ reason }) => reason)).toContain('FailedDaemonPod');
  });
});
