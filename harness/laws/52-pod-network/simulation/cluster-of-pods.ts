import type { Node, Pod } from '../../../api/objects.ts';
import { nodes, pods } from '../../../api/resource.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Components } from '../../../contracts/component.ts';
import { portmap } from '../../../node/cni/portmap.ts';
import { formatWays } from '../../../node/network/stack/packet-trace.ts';
import { createCluster } from '../../../testing/noted-cluster.ts';
import { scriptedIpam } from './scripted-ipam.ts';

/** A cluster of nodes with kubelets and agents, whose machines have the plugins. */
export interface ClusterOfPods {
  readonly cluster: Cluster;
  /**
   * Creates a pod with a web server that is bound to a node.
   *
   * @param hostPort - of the pod
   */
  run(name: string, node: string, hostPort?: number): Promise<void>;
  /** Returns the address of a pod; undefined while it has none. */
  ipOf(name: string): string | undefined;
  /**
   * Opens a connection from a pod, a machine or the external host `laptop`; returns the source address that the
   * server sees, or the place of its failure.
   */
  reach(from: string, host: string, port?: number): string;
}

/** @param names - of the nodes; each has its podCIDR from the start */
export async function clusterOfPods(
  components: Components,
  names: readonly string[],
): Promise<ClusterOfPods> {
  const { podNetwork, ipam = scriptedIpam } = components;
  if (!podNetwork) throw new Error('Failed to make a cluster of pods: the components have no podNetwork.');
  const cluster = await createCluster({ seed: 52, latencyMs: { min: 1, max: 5 }, components });
  const plugins = { bridge: podNetwork, 'host-local': ipam, portmap };
  const network = cluster.network;
  network.outside('laptop');
  for (const [i, name] of names.entries()) {
    const podCIDR = `10.244.${i + 1}.0/24`;
    cluster.addMachine(name, { plugins, preloaded: ['nginx:1.27'] });
    cluster.runOnNode(name, 'kubelet', 'routeController');
    await cluster.runUntil(() => cluster.storage.get(nodes, { name }) !== undefined, 60_000);
    const node = await cluster.admin.get(nodes, { name });
    await cluster.admin.update(nodes, { ...node, spec: { ...node.spec, podCIDR, podCIDRs: [podCIDR] } });
  }
  const ipOf = (name: string): string | undefined =>
    (cluster.storage.get(pods, { namespace: 'default', name }) as Pod | undefined)?.status.podIP;
  return {
    cluster,
    ipOf,
    async run(name, nodeName, hostPort) {
      const ports = [{ containerPort: 80, ...(hostPort !== undefined && { hostPort }) }];
      const containers = [{ name: 'web', image: 'nginx:1.27', ports }];
      await cluster.admin.create(pods, {
        metadata: { namespace: 'default', name },
        spec: { nodeName, containers, terminationGracePeriodSeconds: 1 },
      } as never);
    },
    reach(from, host, port = 80) {
      const opened = network.follow({ from, to: `${host}:${port}` });
      if (opened.connection) return `seen from ${opened.connection.seenFrom.ip.text}`;
      return formatWays(opened).join('\n');
    },
  };
}

/** Returns whether a node accepts pods. */
export function isNodeReady(cluster: Cluster, name: string): boolean {
  const node = cluster.storage.get(nodes, { name }) as Node | undefined;
  return node?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
