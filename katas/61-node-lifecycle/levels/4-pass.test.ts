import { describe, expect, test } from 'vitest';
import {
  executeTaints,
  limitTaints,
  markPodsNotReady,
  monitorPass,
  nodeLifecycleController,
} from '#kata/61-node-lifecycle/node-lifecycle';
import { TestCluster } from './cluster.fixture.ts';
import { aNode } from './objects.fixture.ts';

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
const UNREACHABLE = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };

describe('Level 4 · The pass', () => {
  test('wants at most one NoExecute taint, and none while all zones are down', () => {
    const wanted = (ready: string | null, down = false) => executeTaints(aNode('node-1', { ready }), down);
    expect(wanted('True')).toEqual([]);
    expect(wanted('False')).toEqual([NOT_READY]);
    expect(wanted('Unknown')).toEqual([UNREACHABLE]);
    expect(wanted(null), 'no condition Ready').toEqual([]);
    expect(wanted('Unknown', true), 'all zones are down').toEqual([]);
  });

  test('lets a node wait for its first taint only', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    lifecycle.setRate('', 0);
    const silent = await test.addNode('node-1', { ready: 'Unknown' });
    await test.settled(limitTaints(lifecycle, silent));
    expect([lifecycle.isWaiting(silent), await test.taints('node-1')], 'no taint yet').toEqual([true, []]);
    const swapped = await test.addNode('node-2', { ready: 'Unknown', taints: [NOT_READY] });
    await test.settled(limitTaints(lifecycle, swapped));
    expect(lifecycle.isWaiting(swapped)).toBe(false);
    expect(await test.taints('node-2'), 'the taint is exchanged at once').toEqual(['unreachable:NoExecute']);
  });

  test('removes the taint of a ready node at once, and ends its wait', async () => {
    await using test = await TestCluster.open();
    const lifecycle = await test.startCaches();
    lifecycle.setRate('', 0);
    const silent = await test.addNode('node-1', { ready: 'Unknown' });
    await test.settled(limitTaints(lifecycle, silent));
    await test.settled(limitTaints(lifecycle, await test.post('node-1', 'True')));
    expect(lifecycle.isWaiting(silent)).toBe(false);
    const ready = await test.addNode('node-2', {
      taints: [UNREACHABLE, { key: 'gpu', effect: 'NoExecute' }],
    });
    await test.settled(limitTaints(lifecycle, ready));
    expect(await test.taints('node-2')).toEqual(['gpu:NoExecute']);
  });

  test('marks the ready pods of a silent node, and no others', async () => {
    await using test = await TestCluster.open();
    const silent = await test.addNode('node-1', { ready: 'Unknown' });
    await test.addPod('web');
    await test.addPod('elsewhere', { nodeName: 'node-2' });
    const failed = await test.addPod('failed', { ready: false });
    const lifecycle = await test.startCaches();
    await test.settled(markPodsNotReady(lifecycle, silent));
    expect([await test.podReady('web'), await test.podReady('elsewhere')]).toEqual(['False', 'True']);
    expect(await test.pod('failed'), 'it is not ready already').toEqual(failed);
    expect(await test.events('web')).toEqual(['Warning NodeNotReady Node is not ready']);
  });

  test('leaves the pods of a kubelet that answers to this kubelet', async () => {
    await using test = await TestCluster.open();
    await test.addPod('web');
    const lifecycle = await test.startCaches();
    await test.settled(markPodsNotReady(lifecycle, await test.addNode('node-1', { ready: 'False' })));
    expect(await test.podReady('web')).toBe('True');
  });

  test('marks the other pods if one cannot be written', async () => {
    await using test = await TestCluster.open();
    const silent = await test.addNode('node-1', { ready: 'Unknown' });
    await test.addPod('a');
    await test.addPod('b');
    const lifecycle = await test.startCaches();
    test.cluster.nemesis.strike({
      fault: 'refuse',
      process: 'node-lifecycle-controller',
      reason: 'InternalError',
      requests: 1,
    });
    await test.settled(markPodsNotReady(lifecycle, silent));
    expect([await test.podReady('a'), await test.podReady('b')].sort(), 'one was refused').toEqual([
      'False',
      'True',
    ]);
    await test.settled(markPodsNotReady(lifecycle, silent));
    expect([await test.podReady('a'), await test.podReady('b')], 'the next pass').toEqual(['False', 'False']);
  });

  test('decides in one pass by the nodes as they are now', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1');
    await test.addNode('node-2');
    await test.addPod('web');
    const lifecycle = await test.startCaches();
    await test.settled(monitorPass(lifecycle));
    await test.pass(50.1);
    await test.renew('node-2');
    await test.pass(0.1);
    await test.settled(monitorPass(lifecycle));
    expect([await test.ready('node-1'), await test.podReady('web')], 'in the same pass').toEqual([
      'Unknown',
      'False',
    ]);
    expect(await test.taints('node-1')).toEqual(['unreachable:NoExecute']);
  });

  test('sets the brakes before the taints: a cluster that is wholly down gets none', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1');
    await test.addNode('node-2');
    const lifecycle = await test.startCaches();
    await test.settled(monitorPass(lifecycle));
    await test.pass(51);
    await test.settled(monitorPass(lifecycle));
    await test.pass(30);
    expect([await test.ready('node-1'), await test.ready('node-2')]).toEqual(['Unknown', 'Unknown']);
    expect([await test.taints('node-1'), await test.taints('node-2')]).toEqual([[], []]);
  });
});

describe('Level 4 · The pass', () => {
  test('marks a node within 60 s of its last sign of life, and taints it', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1');
    await test.addNode('node-2');
    await test.run(nodeLifecycleController);
    await test.renew('node-1');
    await test.passRenewing(50, 'node-2');
    expect(await test.ready('node-1')).toBe('True');
    await test.passRenewing(11, 'node-2');
    expect(await test.ready('node-1')).toBe('Unknown');
    expect(await test.taints('node-1')).toEqual(['unreachable:NoExecute', 'unreachable:NoSchedule']);
    expect([await test.ready('node-2'), await test.taints('node-2')]).toEqual(['True', []]);
  });

  test('brings a node back that answers again', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1', { ready: 'Unknown', taints: [UNREACHABLE] });
    await test.addNode('node-2');
    await test.run(nodeLifecycleController);
    await test.post('node-1', 'True');
    await test.passRenewing(6, 'node-1', 'node-2');
    expect(await test.taints('node-1')).toEqual([]);
  });

  test('sets a taint again that somebody has removed', async () => {
    await using test = await TestCluster.open();
    await test.addNode('node-1', { ready: 'False' });
    await test.addNode('node-2');
    await test.run(nodeLifecycleController);
    await test.passRenewing(20, 'node-1', 'node-2');
    const both = ['not-ready:NoExecute', 'not-ready:NoSchedule'];
    expect(await test.taints('node-1')).toEqual(both);
    await test.setNode('node-1', (node) => ({ ...node, spec: { ...node.spec, taints: [] } }));
    await test.passRenewing(20, 'node-1', 'node-2');
    expect(await test.taints('node-1')).toEqual(both);
  });

  test('taints one node every ten seconds', async () => {
    await using test = await TestCluster.open();
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await test.addNode(name, { ready: name < 'c' ? 'Unknown' : 'True' });
    await test.run(nodeLifecycleController);
    const tainted = async () =>
      [...(await test.taints('a')), ...(await test.taints('b'))].filter((each) => each.endsWith('NoExecute'))
        .length;
    await test.passRenewing(8, 'c', 'd', 'e');
    expect(await tainted()).toBe(1);
    await test.passRenewing(10, 'c', 'd', 'e');
    expect(await tainted()).toBe(2);
  });
});
