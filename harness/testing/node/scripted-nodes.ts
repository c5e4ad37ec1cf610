import type { Cluster } from '../cluster.ts';
import type { ScriptPod } from './pod-script.ts';
import { scriptedKubelet } from './scripted-kubelet.ts';
import { scriptedScheduler } from './scripted-scheduler.ts';

export interface ScriptedNodesOptions {
  /** How many. @defaultValue 3 */
  readonly count?: number;
  /** What becomes of their pods. @defaultValue they become ready within a second, but `…:broken` never does */
  readonly script?: ScriptPod;
}

/**
 * Gives a cluster what comes after its controllers, as long as that is not built: the process `scheduler` and nodes
 * `node-1`, `node-2` and so on, each with the process `kubelet-node-1`.
 */
export function runScriptedNodes(cluster: Cluster, { count = 3, script }: ScriptedNodesOptions = {}): void {
  cluster.run('scheduler', scriptedScheduler);
  for (let i = 1; i <= count; i++) {
    const node = `node-${i}`;
    cluster.run(`kubelet-${node}`, scriptedKubelet({ node, ...(script ? { script } : {}) }), { node });
  }
}
