/**
 * A program that measures a whole cluster with real kubelets, from nothing until all pods are ready. It prints the cost
 * as JSON. A fresh process pays for code that V8 has not compiled yet, as `npm start` does.
 */
import { memoryUsage } from 'node:process';
import type { Deployment, New, Node, Pod } from '../api/objects.ts';
import { isReady } from '../api/predicates.ts';
import { deployments, nodes, pods } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { createWholeCluster, throwFirstFailure } from '../cluster/whole-cluster.ts';
import type { Component, Components } from '../contracts/component.ts';

/** The size of a cluster. */
export interface ClusterSize {
  readonly nodes: number;
  readonly pods: number;
  readonly podsPerDeployment: number;
}

/** The cost of a cluster, in ms of CPU time of all threads. */
export interface ClusterCost {
  /** From nothing until all nodes are ready. */
  readonly startMs: number;
  /** From the creation of the Deployments until all pods are ready. */
  readonly podsMs: number;
  /** The next minute of virtual time, while nothing changes. */
  readonly minuteMs: number;
  readonly memoryMB: number;
}

/** 10.244.0.0/16 has 256 blocks of the usual size. */
const NODES_MAX = 250;

async function costOf({
  nodes: nodeCount,
  pods: podCount,
  podsPerDeployment,
}: ClusterSize): Promise<ClusterCost> {
  const { components: reference } = (await import('#components')) as { readonly components: Components };
  const components = nodeCount > NODES_MAX ? { ...reference, nodeIpamController: smallBlocks } : reference;
  const start = cpuMs();
  const { cluster, processes } = await createWholeCluster({ components, nodes: nodeCount });
  await until(cluster, () => areReady(cluster.storage.list(nodes) as Node[], nodeCount));
  const begun = cpuMs();
  for (let done = 0; done < podCount; done += podsPerDeployment)
    await cluster.admin.create(deployments, web(done, Math.min(podsPerDeployment, podCount - done)));
  const own = (): readonly Pod[] =>
    (cluster.storage.list(pods) as Pod[]).filter(({ metadata }) => metadata.namespace === 'default');
  await until(cluster, () => areReady(own(), podCount));
  const ready = cpuMs();
  const memoryMB = memoryUsage().rss / 2 ** 20;
  await cluster.runFor(60_000);
  const end = cpuMs();
  throwFirstFailure(processes);
  return { startMs: begun - start, podsMs: ready - begun, minuteMs: end - ready, memoryMB };
}

/** Allocates a block of 126 addresses to each node. */
const smallBlocks: Component = async ({ client, informers, log }) => {
  informers.forResource(nodes).addEventHandler({
    onAdd: ({ metadata: { name } }) => {
      const index = Number(/\d+$/.exec(name)?.[0]);
      const podCIDR = `10.244.${index >> 1}.${(index & 1) * 128}/25`;
      const body = { spec: { podCIDR, podCIDRs: [podCIDR] } };
      client.patch(nodes, { name }, { type: 'merge', body }).catch((error: unknown) => log(String(error)));
    },
  });
  informers.start();
};

function areReady(objects: readonly (Node | Pod)[], count: number): boolean {
  return objects.length === count && objects.every((object) => isReady(object as Pod));
}

/** Lets time pass, a second at a time: a check of all pods after each task would cost more than the tasks. */
async function until(cluster: Cluster, condition: () => boolean): Promise<void> {
  for (let seconds = 0; !condition(); seconds++) {
    if (seconds > 3_600) throw new Error('The cluster is not ready after an hour.');
    await cluster.runFor(1_000);
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function web(index: number, replicas: number): New<Deployment> {
  const labels = { app: `web-${index}` };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
  const metadata = { namespace: 'default', name: `web-${index}` };
  return {
    metadata,
    spec: { replicas, selector: { matchLabels: labels }, template },
  } as unknown as New<Deployment>;
}

process.stdout.write(JSON.stringify(await costOf(JSON.parse(process.argv[2] ?? ''))));
