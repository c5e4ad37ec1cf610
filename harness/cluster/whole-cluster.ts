import type { Cluster } from './cluster.ts';
import {
  type ComponentName,
  type ComponentRow,
  componentTable,
  type NodeComponentName,
} from './component-table.ts';
import type { ScriptPod } from './nodes/pod-script.ts';
import { nodeNames } from './nodes/scripted-nodes.ts';
import type { Process } from './process.ts';

interface WholeClusterOptions {
  /** How many nodes. @defaultValue 3 */
  readonly nodes?: number;
  /** What becomes of pods, as long as a script stands in for the kubelet. @defaultValue they become ready within a second */
  readonly script?: ScriptPod;
}

/** What a whole cluster runs. */
interface WholeCluster {
  readonly processes: readonly Process[];
  /**
   * The processes that follow a script, because the component is not built yet. On nodes, without the node's name. And
   * `network`, where machines have a network that none of the components makes.
   */
  readonly scripted: ReadonlySet<string>;
}

/** What a {@link WholeCluster} calls the network of its machines. */
export const NETWORK = 'network';

/**
 * Runs every component of the table: the cluster's own, and where it was created without, the script that stands in for it,
 * or nothing where a cluster can do without.
 * A node has a machine where a component runs on it.
 *
 * @throws Error when it was created without a component that has no stand-in
 */
export function runWholeCluster(
  cluster: Cluster,
  { nodes = 3, script }: WholeClusterOptions = {},
): WholeCluster {
  const scripted = new Set<string>();
  const parts = Object.entries(componentTable) as [keyof typeof componentTable, ComponentRow][];
  const processes = parts.flatMap(([part, { process: row }]) => {
    if (!row) return [];
    // What stands in for the network of machines knows where all pods are: an agent beside it would lead packets astray.
    if (part === 'routeController') return [];
    const built = cluster.has(part);
    if (!built && row.optional) return [];
    if (!built) scripted.add(row.standIn?.name ?? row.name);
    if (row.once === 'cluster') {
      const name = part as ComponentName;
      return built ? cluster.runComponents(name) : [cluster.runStandIn(name)];
    }
    const name = part as NodeComponentName;
    if (!built) {
      return nodeNames(nodes).map((node) =>
        cluster.runStandIn(name, { node, ...(script ? { script } : {}) }),
      );
    }
    scripted.add(NETWORK);
    return nodeNames(nodes).flatMap((node) => {
      if (!cluster.machine(node)) cluster.addMachine(node);
      return cluster.runOnNode(node, name);
    });
  });
  return { processes, scripted };
}

/** Throws what a process gave up with, if one has. @throws Error with what the component rejected with as its cause */
export function throwFirstFailure(processes: readonly Process[]): void {
  for (const { name, failure } of processes) {
    if (failure !== undefined) throw new Error(`The ${name} gave up.`, { cause: failure });
  }
}
