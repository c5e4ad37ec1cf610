import { nodes } from '../../api/resource.ts';
import { NetworkError, type NodeNetwork } from '../../contracts/node/index.ts';
import type { Cluster } from '../cluster.ts';

/**
 * Returns the network access of an apiserver to the pods of its cluster.
 *
 * Differs: no machine runs the apiserver, so its requests start on the first node with a running machine. They take such
 * a way upstream, too, if konnectivity agents connect the apiserver to the nodes.
 */
export function podNetwork(cluster: Cluster): Pick<NodeNetwork, 'request'> {
  return {
    async request(asked) {
      const machines = cluster.storage.list(nodes).map(({ metadata }) => cluster.machine(metadata.name));
      const machine = machines.find((each) => each?.powered);
      if (machine) return machine.host.network.request(asked);
      const to = `dial tcp ${asked.host}:${asked.port}`;
      throw new NetworkError('EHOSTUNREACH', `${to}: connect: no route to host`);
    },
  };
}
