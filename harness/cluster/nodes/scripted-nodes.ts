import type { Cluster } from '../cluster.ts';
import type { ScriptPod } from './pod-script.ts';
import { scriptedKubelet } from './scripted-kubelet.ts';
import { scriptedScheduler } from './scripted-scheduler.ts';

export interface ScriptedNodesOptions {
  /** How many. @defaultValue 3 */
  readonly count?: number;
  /** What becomes of their pods. @defaultValue they become ready within a second, but `…:broken` never does */
  readonly script?: ScriptPod;
  /**
   * Who places pods. `scripted`: the process `scheduler`, which takes the next node without a thought. `real`: the
   * scheduler of the cluster's components, as the process `default-scheduler`. `none`: nobody.
   *
   * @defaultValue `scripted`, which costs less and needs nothing
   */
  readonly scheduler?: 'scripted' | 'real' | 'none';
}

/**
 * Gives a cluster what comes after its controllers, as long as that is not built: a scheduler, and nodes `node-1`, `node-2`
 * and so on, each with the process `kubelet-node-1`.
 *
 * @throws Error when the scheduler is to be real and the cluster was created without one
 */
export function runScriptedNodes(
  cluster: Cluster,
  { count = 3, script, scheduler = 'scripted' }: ScriptedNodesOptions = {},
): void {
  if (scheduler === 'real') cluster.runControllers('scheduler');
  if (scheduler === 'scripted') cluster.run('scheduler', scriptedScheduler);
  for (let i = 1; i <= count; i++) {
    const node = `node-${i}`;
    cluster.run(`kubelet-${node}`, scriptedKubelet({ node, ...(script ? { script } : {}) }), { node });
  }
}
