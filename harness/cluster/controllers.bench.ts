/**
 * The cost of a pod of a Deployment that no scheduler binds, for growing numbers of pods. A constant cost appears as
 * `×1`; a cost that grows with the number of pods appears as `÷`.
 */
import type { Deployment, New } from '../api/objects.ts';
import { deployments } from '../api/resource.ts';
import { sideBySide, type Work } from '../testing/side-by-side.ts';
import { type Cluster, createCluster } from './cluster.ts';

const { components } = await import('#components');

const KEY = { namespace: 'default', name: 'web' };
const labels = { app: 'web' };

/** A cluster does some fixed work, however few pods it creates. */
const PODS_MIN = 1_000;

sideBySide('Pods of one Deployment, by both controllers', {
  unit: 'pods',
  rounds: 2,
  contenders: {
    '100 replicas': () => 100,
    '1,000 replicas': () => 1_000,
    '10,000 replicas': () => 10_000,
  },
  measures: {
    created: (replicas) => inClusters(replicas, (cluster) => rollOut(cluster, replicas)),
    'scaled to none': (replicas) =>
      inClusters(
        replicas,
        async (cluster) => {
          await cluster.admin.updateScale(deployments, KEY, { replicas: 0 });
          await until(cluster, ({ replicas: left = 0 }) => left === 0);
        },
        (cluster) => rollOut(cluster, replicas),
      ),
  },
});

/** @param begin the work before the measurement */
async function inClusters(
  replicas: number,
  work: (cluster: Cluster) => Promise<void>,
  begin: (cluster: Cluster) => Promise<void> = async () => {},
): Promise<Work> {
  const clusters: Cluster[] = [];
  for (let pods = 0; pods < PODS_MIN; pods += replicas) {
    const cluster = await createCluster({ components });
    cluster.runComponents('deploymentController', 'replicaSetController');
    await cluster.runFor(1_000);
    await begin(cluster);
    clusters.push(cluster);
  }
  return async () => {
    for (const cluster of clusters) {
      await work(cluster);
      await cluster[Symbol.asyncDispose]();
    }
    return clusters.length * replicas;
  };
}

async function rollOut(cluster: Cluster, replicas: number): Promise<void> {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
  await cluster.admin.create(deployments, {
    metadata: KEY,
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as unknown as New<Deployment>);
  await until(cluster, (status) => status.replicas === replicas);
}

type Status = { readonly replicas?: number };

async function until(cluster: Cluster, holds: (status: Status) => boolean): Promise<void> {
  const { storage } = cluster;
  const condition = (): boolean =>
    holds((storage.get(deployments, KEY) as unknown as { status: Status }).status);
  if (!(await cluster.runUntil(condition, 3_600_000))) throw new Error('The controllers did not get there.');
}
