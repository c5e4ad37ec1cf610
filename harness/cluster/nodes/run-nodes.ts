import type { Machine } from '../../node/machine.ts';
import type { Cluster } from '../cluster.ts';
import type { ClusterMachineOptions } from './machines.ts';
import { nodeNames } from './scripted-nodes.ts';

/** How many nodes there are, and what their machines are like. */
interface NodesOptions extends ClusterMachineOptions {
  /** How many. @defaultValue 3 */
  readonly count?: number;
  /** Like the scripted nodes have it. @defaultValue `scripted` */
  readonly scheduler?: 'scripted' | 'real' | 'none';
}

/**
 * Gives a cluster nodes whose pods really run: machines `node-1`, `node-2` and so on, each with the kubelet of the cluster's
 * components as the process `kubelet-node-1`; and a scheduler.
 *
 * @throws Error when the cluster was created without a kubelet, or the scheduler is to be real and there is none
 */
export function runNodes(
  cluster: Cluster,
  { count = 3, scheduler = 'scripted', ...machine }: NodesOptions = {},
): readonly Machine[] {
  if (scheduler === 'real') cluster.runComponents('scheduler');
  if (scheduler === 'scripted') cluster.runStandIn('scheduler');
  return nodeNames(count).map((node) => {
    const added = cluster.addMachine(node, machine);
    cluster.runOnNode(node, 'kubelet');
    return added;
  });
}
