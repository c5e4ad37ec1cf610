import { expect, test } from 'vitest';
import { createService, createWeb, observedCluster, webPods } from './observed.fixture.ts';

test('A dead node is marked and tainted, its pods are evicted after five minutes, and a node that returns is well', async () => {
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
  await cluster.runFor(70_000);
  expect(dead()).toMatchObject({ ready: 'Unknown', isPowered: false });
  expect(dead()?.taints).toContain('node.kubernetes.io/unreachable:NoExecute');
  expect(dead()?.pods.every(({ isReady }) => !isReady)).toBe(true);
  const { endpoints } = observer.view().services.find(({ name }) => name === 'web') ?? { endpoints: [] };
  expect(endpoints.filter(({ isReady }) => isReady)).toHaveLength(2 - onDead.length);
  await cluster.runFor(300_000);
  const texts = observer.newMoments().map(({ kind, text }) => `${kind}: ${text}`);
  expect(texts).toContain('node: Node node-1 does not report any more');
  for (const { metadata } of onDead) {
    expect(texts).toContain(`pod-evicted: Pod ${metadata.name} is evicted from node-1 by a taint`);
  }
  expect(observer.view().nodes[1]?.pods.filter(({ isReady }) => isReady)).toHaveLength(2);
  cluster.powerOn('node-1');
  await cluster.runFor(60_000);
  expect(dead()).toMatchObject({ ready: 'True', isPowered: true, taints: [], pods: [] });
  expect(webPods(observed)).toHaveLength(2);
});
