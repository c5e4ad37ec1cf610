import type { Pod } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import type { KubeletServer } from '../../contracts/node/kubelet-server.ts';
import { newKubeletServer } from '../../kubelet/server/kubelet-server.ts';
import type { Cluster } from '../cluster.ts';

/** Returns the servers of a cluster's kubelets, by node. A scripted node has none. */
export function kubeletServers(cluster: Cluster): (node: string) => KubeletServer | undefined {
  return (node) => {
    const machine = cluster.machine(node);
    if (!machine) return undefined;
    const { host, streaming } = machine;
    const podsOf = (): readonly Pod[] =>
      (cluster.storage.list(pods) as Pod[]).filter(({ spec }) => spec.nodeName === node);
    return newKubeletServer({ node, host, streaming, clock: cluster.clock, pods: podsOf });
  };
}
