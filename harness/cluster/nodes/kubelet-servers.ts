import type { KubeletServer } from '../../contracts/node/kubelet-server.ts';
import { newKubeletServer } from '../../kubelet/server/kubelet-server.ts';
import type { Cluster } from '../cluster.ts';

/** Returns the servers of a cluster's kubelets, by node. A scripted node has none. */
export function kubeletServers(cluster: Cluster): (node: string) => KubeletServer | undefined {
  return (node) => {
    const machine = cluster.machine(node);
    return (
      machine && newKubeletServer({ host: machine.host, streaming: machine.streaming, clock: cluster.clock })
    );
  };
}
