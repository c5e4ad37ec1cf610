import { expect, test } from 'vitest';
import { powerOn } from '../../cluster/nodes/power-on.ts';
import { createService, createWeb, observedCluster, webPods } from './observed.fixture.ts';

test('A dead node is NotReady and tainted, its pods are evicted, and it is well again after it returns', async () => {
  await using observed = await observedCluster();
  const { cluster, observer } = observed;
  createWeb(observed, { replicas: 2 });
  createService(observed);
  await cluster.runFor(5_000);
  observer.newMoments();
  const onDead = webPods(observed).filter(({ spec }) => spec.nodeName === 'node-1');
  expect(onDead.length).toBeGreaterThan(0);
  const dead = () => observer.view().nodes[0];
  cluster.nemesis.strike({ fault: 'node-death', node: 'node-1' });
  // Without admission no pod tolerates the taint, so the eviction follows at once.
  await cluster.runFor(60_000);
  expect(dead()).toMatchObject({ ready: 'Unknown', isPowered: false });
  expect(dead()?.taints).toContain('node.kubernetes.io/unreachable:NoExecute');
  expect(dead()?.pods.map(({ isReady, status }) => [isReady, status])).toEqual(
    onDead.map(() => [false, 'Terminating']),
  );
  expect(observer.view().nodes[1]?.pods.filter(({ isReady }) => isReady)).toHaveLength(2);
  const texts = observer.newMoments().map(({ kind, text }) => `${kind}: ${text}`);
  expect(texts).toContain('node: Node node-1 does not report any more');
  for (const { metadata } of onDead) {
    expect(texts).toContain(`pod-evicted: Pod ${metadata.name} is evicted from node-1 by a taint`);
  }
  powerOn(cluster, 'node-1');
  await cluster.runFor(30_000);
  expect(dead()).toMatchObject({ ready: 'True', isPowered: true, taints: [], pods: [] });
  expect(webPods(observed)).toHaveLength(2);
});
