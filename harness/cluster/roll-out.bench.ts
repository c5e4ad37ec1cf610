/**
 * How the cost of a pod grows with the size of its roll-out, in pods and objects, and with the implementation of the
 * nodes. A constant cost appears as `×1`; a cost that grows with the number of pods appears as `÷`.
 */
import type { Deployment, New } from '../api/objects.ts';
import { deployments } from '../api/resource.ts';
import { sideBySide, type Work } from '../testing/side-by-side.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { runScriptedNodes } from './nodes/scripted-nodes.ts';
import { createWholeCluster } from './whole-cluster.ts';

const { components } = await import('#components');

/** The number of pods on each node. */
const PODS_PER_NODE = 50;

sideBySide('A roll-out, from the creation of its Deployments until all pods are available', {
  unit: 'pods',
  rounds: 1,
  contenders: {
    '30 pods': () => 30,
    '100 pods': () => 100,
    '300 pods': () => 300,
    '1,000 pods': () => 1_000,
  },
  measures: {
    'one Deployment, scripted nodes': async (pods) => rollOut(await scripted(pods), [pods]),
    'the same, with syncs of 5 ms': async (pods) => rollOut(await scripted(pods, 5), [pods]),
    'Deployments of 10, scripted nodes': async (pods) => rollOut(await scripted(pods), tens(pods)),
    'one Deployment, whole cluster': async (pods) => rollOut(await whole(pods), [pods]),
  },
});

async function scripted(pods: number, syncMs = 0): Promise<Cluster> {
  const cluster = await createCluster({ components, syncMs });
  cluster.runComponents('deploymentController', 'replicaSetController');
  runScriptedNodes(cluster, { count: nodesFor(pods) });
  await cluster.runFor(1_000);
  return cluster;
}

async function whole(pods: number): Promise<Cluster> {
  const { cluster } = await createWholeCluster({ components, nodes: nodesFor(pods) });
  await cluster.runFor(60_000);
  return cluster;
}

const nodesFor = (pods: number): number => Math.ceil(pods / PODS_PER_NODE) + 1;

const tens = (pods: number): readonly number[] => Array.from({ length: pods / 10 }, () => 10);

/** @param sizes the replicas of each Deployment */
function rollOut(cluster: Cluster, sizes: readonly number[]): Work {
  return async () => {
    for (const [index, replicas] of sizes.entries())
      await cluster.admin.create(deployments, web(index, replicas));
    const waiting = new Set(sizes.keys());
    const isDone = (): boolean => {
      for (const index of waiting) {
        const { status } = cluster.storage.get(deployments, keyOf(index)) as Deployment;
        if (status.availableReplicas !== sizes[index]) return false;
        waiting.delete(index);
      }
      return true;
    };
    if (!(await cluster.runUntil(isDone, 3_600_000))) throw new Error('The roll-out did not end.');
    await cluster[Symbol.asyncDispose]();
    return sizes.reduce((sum, replicas) => sum + replicas, 0);
  };
}

const keyOf = (index: number) => ({ namespace: 'default', name: `web-${index}` });

function web(index: number, replicas: number): New<Deployment> {
  const labels = { app: `web-${index}` };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
  const object = { metadata: keyOf(index), spec: { replicas, selector: { matchLabels: labels }, template } };
  return object as unknown as New<Deployment>;
}
