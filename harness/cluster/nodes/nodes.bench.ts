/**
 * The cost of a pod on its node, from bound to Running and per minute while it runs. The numbers of pods per node and
 * of nodes grow. A constant cost appears as `×1`; a growing cost appears as `÷`.
 */
import type { New, Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { sideBySide, type Work } from '../../testing/side-by-side.ts';
import { type Cluster, createCluster } from '../cluster.ts';
import { nodeNames } from './scripted-nodes.ts';

const { components } = await import('#components');

/** The size of a cluster. */
interface Layout {
  readonly nodes: number;
  readonly podsPerNode: number;
  /** Whether a script plays the kubelet. @defaultValue false */
  readonly scripted?: boolean;
}

const IMAGE = 'nginx:1.27';
const WATCHED_MS = 60_000;

async function settled({ nodes, scripted = false }: Layout): Promise<Cluster> {
  const cluster = await createCluster({ components });
  for (const node of nodeNames(nodes)) {
    if (scripted) {
      cluster.runStandIn('kubelet', { node });
      continue;
    }
    cluster.addMachine(node, { preloaded: [IMAGE] });
    cluster.runOnNode(node, 'kubelet');
  }
  await cluster.runFor(5_000);
  return cluster;
}

async function bind(cluster: Cluster, { nodes, podsPerNode }: Layout): Promise<void> {
  for (const nodeName of nodeNames(nodes)) {
    for (let i = 0; i < podsPerNode; i++) {
      await cluster.admin.create(pods, {
        metadata: { namespace: 'default', name: `${nodeName}-${i}` },
        spec: { nodeName, containers: [{ name: 'web', image: IMAGE }] },
      } as unknown as New<Pod>);
    }
  }
}

async function allRun(cluster: Cluster): Promise<void> {
  const running = (): boolean =>
    (cluster.storage.list(pods) as Pod[]).every(({ status }) => status.phase === 'Running');
  // Checked once a second: a check of 10,000 pods after every task would dominate the measurement.
  for (let seconds = 0; seconds < 600 && !running(); seconds++) await cluster.runFor(1_000);
  if (!running()) throw new Error('Not every pod runs after ten minutes.');
}

async function boundToRunning(layout: Layout): Promise<Work> {
  const cluster = await settled(layout);
  await bind(cluster, layout);
  return async () => {
    await allRun(cluster);
    await cluster[Symbol.asyncDispose]();
    return layout.nodes * layout.podsPerNode;
  };
}

/** Measures an idle minute: relists, heartbeats, one sync of each pod. */
async function minuteOfRest(layout: Layout): Promise<Work> {
  const cluster = await settled(layout);
  await bind(cluster, layout);
  await allRun(cluster);
  return async () => {
    await cluster.runFor(WATCHED_MS);
    await cluster[Symbol.asyncDispose]();
    return layout.nodes * layout.podsPerNode;
  };
}

sideBySide('Pods on one node', {
  unit: 'pods',
  rounds: 3,
  contenders: {
    '10 pods': (): Layout => ({ nodes: 1, podsPerNode: 10 }),
    '110 pods': () => ({ nodes: 1, podsPerNode: 110 }),
    '110, scripted': () => ({ nodes: 1, podsPerNode: 110, scripted: true }),
  },
  measures: { 'bound to Running': boundToRunning, 'a minute of rest': minuteOfRest },
});

sideBySide('Pods of a cluster, 10 on each node', {
  unit: 'pods',
  rounds: 2,
  contenders: {
    '1 node': (): Layout => ({ nodes: 1, podsPerNode: 10 }),
    '10 nodes': () => ({ nodes: 10, podsPerNode: 10 }),
    '100 nodes': () => ({ nodes: 100, podsPerNode: 10 }),
  },
  measures: { 'bound to Running': boundToRunning, 'a minute of rest': minuteOfRest },
});
