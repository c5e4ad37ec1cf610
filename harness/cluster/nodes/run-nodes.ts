import type { Machine } from '../../node/machine.ts';
import type { Cluster } from '../cluster.ts';
import type { ClusterMachineOptions } from './machines.ts';
import { nodeNames } from './scripted-nodes.ts';

/** Number of nodes, and options of their machines. */
interface NodesOptions extends ClusterMachineOptions {
  /** @defaultValue 3 */
  readonly count?: number;
  /** The scheduler, as in {@link runScriptedNodes}. @defaultValue `scripted` */
  readonly scheduler?: 'scripted' | 'real' | 'none';
}

/**
 * Adds nodes whose pods really run: machines `node-1`, `node-2` and so on, each with the cluster's kubelet as the
 * process `kubelet-node-1`; and a scheduler.
 *
 * @throws Error when the cluster was created without a kubelet, or without a scheduler if `scheduler` is `real`
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
