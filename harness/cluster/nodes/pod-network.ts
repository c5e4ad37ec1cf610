import { nodes } from '../../api/resource.ts';
import type { Storage } from '../../apiserver/storage/storage.ts';
import { NetworkError, type NodeNetwork } from '../../contracts/node/index.ts';
import type { Machine } from '../../node/machine.ts';

/** The part of a cluster that has its machines. */
export interface Machinery {
  readonly storage: Storage;
  machine(node: string): Machine | undefined;
}

/**
 * Returns the network access of an apiserver to the pods of its cluster.
 *
 * Differs: no machine runs the apiserver, so its requests start on the first node with a running machine. They take such
 * a way upstream, too, if konnectivity agents connect the apiserver to the nodes.
 */
export function podNetwork(cluster: Machinery): Pick<NodeNetwork, 'request'> {
  return {
    async request(asked) {
      const machine = runningMachine(cluster);
      if (machine) return machine.host.network.request(asked);
      const to = `dial tcp ${asked.host}:${asked.port}`;
      throw new NetworkError('EHOSTUNREACH', `${to}: connect: no route to host`);
    },
  };
}

/** Returns the first node's running machine, if any machine runs. */
export function runningMachine(cluster: Machinery): Machine | undefined {
  const machines = cluster.storage.list(nodes).map(({ metadata }) => cluster.machine(metadata.name));
  return machines.find((each) => each?.powered);
}
