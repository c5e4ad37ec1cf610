import type { Cluster } from '../cluster.ts';
import type { ScriptPod } from './pod-script.ts';

/** How many nodes there are, what happens to their pods, and which scheduler places them. */
interface ScriptedNodesOptions {
  /** How many. @defaultValue 3 */
  readonly count?: number;
  /** What becomes of their pods. @defaultValue they become ready within a second, but `…:broken` never does */
  readonly script?: ScriptPod;
  /**
   * Who places pods. `scripted`: the process `scheduler`, which takes the next node without a thought. `real`: the
   * scheduler of the cluster's components, as the process `default-scheduler`. `none`: no scheduler.
   *
   * @defaultValue `scripted`, which costs less and needs nothing
   */
  readonly scheduler?: 'scripted' | 'real' | 'none';
}

/**
 * Gives a cluster what comes after its controllers, played by a script: a scheduler, and nodes `node-1`, `node-2` and so
 * on, each with the process `kubelet-node-1`.
 *
 * @throws Error when the scheduler is to be real and the cluster was created without one
 */
export function runScriptedNodes(
  cluster: Cluster,
  { count = 3, script, scheduler = 'scripted' }: ScriptedNodesOptions = {},
): void {
  if (scheduler === 'real') cluster.runComponents('scheduler');
  if (scheduler === 'scripted') cluster.runStandIn('scheduler');
  for (const node of nodeNames(count)) {
    cluster.runStandIn('kubelet', { node, ...(script ? { script } : {}) });
  }
}

/** `node-1`, `node-2` and so on. */
export function nodeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `node-${index + 1}`);
}
