/** A cluster of one node with a kubelet. */
import { components } from '#components';
import { type core, type Event, events, type Pod, pods } from '#harness';
import { type Cluster, type ClusterOptions, createCluster } from '#harness/testing';
import { kubelet } from '#kata/41-kubelet/kubelet';

/** Options of the cluster. */
export interface NodeOptions extends ClusterOptions {
  readonly machine?: Parameters<Cluster['addMachine']>[1];
}

/** Starts a node with a running kubelet, with the queries of tests. */
export async function nodeWithKubelet({ machine = {}, ...options }: NodeOptions = {}) {
  const cluster = await createCluster({
    ...options,
    components: {
      ...components,
      kubelet,
      ...options.components,
    },
  });
  const host = cluster.addMachine('node-1', { preloaded: ['nginx:1.27', 'busybox:1.37'], ...machine });
  const [process] = cluster.runOnNode('node-1', 'kubelet');
  await cluster.runFor(3_000);
  return Object.assign(cluster, {
    process: process as NonNullable<typeof process>,
    host,
    /** Creates a pod that is bound to the node. */
    async create(name: string, spec: Partial<core.PodSpec>): Promise<Pod> {
      const containers = spec.containers ?? [{ name: 'main', image: 'nginx:1.27' }];
      return cluster.admin.create(pods, {
        metadata: { name, namespace: 'default' },
        spec: { nodeName: 'node-1', ...spec, containers },
      });
    },
    /** Returns the pod in the API; undefined after its deletion. */
    async pod(name: string): Promise<Pod | undefined> {
      const { items } = await cluster.admin.list(pods, { namespace: 'default' });
      return items.find(({ metadata }) => metadata.name === name);
    },
    /** Returns the events about a pod, in order: `Normal Pulled …`. */
    async eventsOf(name: string): Promise<string[]> {
      const { items } = await cluster.admin.list(events, { namespace: 'default' });
      return items
        .filter(({ involvedObject }: Event) => involvedObject.name === name)
        .map(({ type, reason, message }: Event) => `${type} ${reason} ${message}`);
    },
  });
}

/** Returns a container that runs a line of shell. */
export function shell(name: string, line: string, more: Partial<core.Container> = {}): core.Container {
  return { name, image: 'busybox:1.37', command: ['sh', '-c', line], ...more };
}
