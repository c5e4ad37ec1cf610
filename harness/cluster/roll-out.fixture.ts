import type { Deployment, New } from '../api/objects.ts';
import { deployments } from '../api/resource.ts';
import type { Components } from '../contracts/component.ts';
import { type Cluster, createCluster } from './cluster.ts';
import { componentTable } from './component-table.ts';
import { runScriptedNodes } from './nodes/scripted-nodes.ts';
import { createWholeCluster } from './whole-cluster.ts';

/** The number of pods on each node, as in upstream's tests of scale. */
const PODS_PER_NODE = 30;

/**
 * Number of Deployments that are created in one ms of virtual time. If all came at one instant, a controller would
 * receive too many events at that instant.
 */
const CREATED_PER_MS = 10;

/** A cluster and the sizes of its Deployments, by the total number of pods. */
interface Workload {
  readonly cluster: (pods: number, components: Components) => Promise<Cluster>;
  readonly sizes: (pods: number) => readonly number[];
}

const one = (pods: number): readonly number[] => [pods];
const tens = (pods: number): readonly number[] => Array.from({ length: pods / 10 }, () => 10);
const nodesFor = (pods: number): number => Math.ceil(pods / PODS_PER_NODE) + 1;

const workloads = {
  'Deployments of 10, two controllers': { cluster: twoControllers, sizes: tens },
  'Deployments of 10, all controllers': { cluster: allControllers, sizes: tens },
  'one Deployment, two controllers': { cluster: twoControllers, sizes: one },
  'the same, with syncs of 5 ms': { cluster: (...run) => twoControllers(...run, 5), sizes: one },
  'one Deployment, whole cluster': { cluster: wholeCluster, sizes: one },
} satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof workloads;

/** The cost of a roll-out. */
export interface RollOutCost {
  /** CPU time from the creation of the Deployments until all pods are available. */
  readonly cpuMs: number;
  /** The largest resident memory of the process, in MB, with the code and the start of the cluster. */
  readonly memoryMb: number;
}

/** Rolls out Deployments in a new cluster. Call it once in a process, because the memory is that of the process. */
export async function costOfRollOut(
  workload: WorkloadName,
  pods: number,
  components: Components,
): Promise<RollOutCost> {
  const { cluster: create, sizes } = workloads[workload];
  const cluster = await create(pods, components);
  const before = process.cpuUsage();
  await rollOut(cluster, sizes(pods));
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, memoryMb: process.resourceUsage().maxRSS / 1_000 };
}

/** A Deployment and a ReplicaSet controller, with a scripted scheduler. */
async function twoControllers(pods: number, components: Components, syncMs = 0): Promise<Cluster> {
  const cluster = await createCluster({ components, syncMs });
  cluster.runComponents('deploymentController', 'replicaSetController');
  runScriptedNodes(cluster, { count: nodesFor(pods) });
  await cluster.runFor(1_000);
  return cluster;
}

/** Every process of a whole cluster, except those on nodes: the nodes follow a script. */
async function allControllers(pods: number, components: Components): Promise<Cluster> {
  const names = Object.keys(componentTable) as (keyof Components)[];
  const central = names.filter((name) => componentTable[name].process?.once !== 'node');
  const { cluster } = await createWholeCluster({
    components: Object.fromEntries(central.map((name) => [name, components[name]])),
    nodes: nodesFor(pods),
  });
  await cluster.runFor(20_000);
  return cluster;
}

/** Every process of a whole cluster, with kubelets on machines. */
async function wholeCluster(pods: number, components: Components): Promise<Cluster> {
  const { cluster } = await createWholeCluster({ components, nodes: nodesFor(pods) });
  await cluster.runFor(60_000);
  return cluster;
}

/** @param sizes the replicas of each Deployment */
async function rollOut(cluster: Cluster, sizes: readonly number[]): Promise<void> {
  for (const [index, replicas] of sizes.entries()) {
    await cluster.admin.create(deployments, web(index, replicas));
    if (index % CREATED_PER_MS === CREATED_PER_MS - 1) await cluster.runFor(1);
  }
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
}

const keyOf = (index: number) => ({ namespace: 'default', name: `web-${index}` });

function web(index: number, replicas: number): New<Deployment> {
  const labels = { app: `web-${index}` };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } };
  const object = { metadata: keyOf(index), spec: { replicas, selector: { matchLabels: labels }, template } };
  return object as unknown as New<Deployment>;
}
