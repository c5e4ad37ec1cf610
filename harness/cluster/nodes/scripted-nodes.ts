import type { Cluster } from '../cluster.ts';
import type { ScriptPod } from './pod-script.ts';

/** Options of {@link runScriptedNodes}. */
interface ScriptedNodesOptions {
  /** Number of nodes. @defaultValue 3 */
  readonly count?: number;
  /**
   * The behaviour of their pods. @defaultValue they become ready within a second, except `…:broken`, which never does
   */
  readonly script?: ScriptPod;
  /**
   * The scheduler. `scripted`: the process `scheduler`, which picks the nodes in turn. `real`: the cluster's scheduler,
   * as the process `default-scheduler`. `none`: no scheduler.
   *
   * @defaultValue `scripted`, which costs less and needs no component
   */
  readonly scheduler?: 'scripted' | 'real' | 'none';
}

/**
 * Adds scripted parts for everything after the controllers: a scheduler, and nodes `node-1`, `node-2` and so on, each
 * with the process `kubelet-node-1`.
 *
 * @throws Error when `scheduler` is `real` and the cluster was created without one
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

/** Returns `node-1`, `node-2` and so on. */
export function nodeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `node-${index + 1}`);
}
