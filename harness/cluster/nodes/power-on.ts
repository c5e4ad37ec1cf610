import type { Cluster } from '../cluster.ts';

/**
 * Powers the machine of a node on again, and starts the processes of the node.
 *
 * @throws Error when the cluster has no such machine, or its power is on
 */
export function powerOn(cluster: Cluster, node: string): void {
  const machine = cluster.machine(node);
  if (!machine) throw new Error(`Failed to power ${node} on: the cluster has no machine of this name.`);
  if (machine.powered) throw new Error(`Failed to power ${node} on: it is on.`);
  machine.powerOn();
  for (const process of cluster.processes) {
    if (process.node === node) process.start();
  }
}
