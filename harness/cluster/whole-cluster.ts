import type { Components } from '../contracts/component.ts';
import type { CniPlugin } from '../contracts/node/index.ts';
import { portmap } from '../node/cni/portmap.ts';
import { installCoreDns, kubeletWithNames } from './addons/coredns.ts';
import { serveNames, useNameServer } from './addons/outside-names.ts';
import { type Cluster, type ClusterOptions, createCluster } from './cluster.ts';
import { type ComponentName, componentTable, type NodeComponentName, processOf } from './component-table.ts';
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
export interface WholeCluster {
  readonly processes: readonly Process[];
  /**
   * The processes that follow a script, because the component is not built yet. On nodes, without the node's name. And
   * `network`, where machines have a network that none of the components makes.
   */
  readonly scripted: ReadonlySet<string>;
}

/** What a {@link WholeCluster} calls the network of its machines. */
export const NETWORK = 'network';

/** How a whole cluster is made. */
interface NewWholeClusterOptions extends ClusterOptions, WholeClusterOptions {
  /** Whether services have names: CoreDNS runs, in pods of its own. @defaultValue true, where all that it needs is built */
  readonly names?: boolean;
}

/**
 * A cluster as kubeadm makes it, and all that runs in it: every component of the table, CoreDNS in pods of its own, and on each
 * machine the network plugins, as far as the cluster is made with them. Outside there is a name server, which the machines ask.
 *
 * @throws Error as {@link runWholeCluster}
 */
export async function createWholeCluster({
  nodes = 3,
  script,
  names = true,
  ...options
}: NewWholeClusterOptions): Promise<WholeCluster & { readonly cluster: Cluster }> {
  const hasNames = names && canHaveNames(options.components);
  const cluster = await createCluster({
    ...options,
    ...(hasNames && { kubeletConfiguration: kubeletWithNames }),
  });
  const whole = runWholeCluster(cluster, { nodes, ...(script && { script }) });
  if (hasNames) {
    const outside = cluster.network.outside('name-server');
    serveNames(outside, {});
    for (const node of nodeNames(nodes)) {
      const machine = cluster.machine(node);
      if (machine) await useNameServer(machine, outside.ip);
    }
    if (!options.saved) await installCoreDns(cluster.as('kubeadm'));
  }
  return { cluster, ...whole };
}

/** Whether services can have names, and can be reached by them. */
function canHaveNames({ kubelet, dns, serviceProxy }: Partial<Components> = {}): boolean {
  return kubelet !== undefined && dns !== undefined && serviceProxy !== undefined;
}

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
  const plugins = pluginsOf(cluster);
  const parts = Object.keys(componentTable) as (keyof typeof componentTable)[];
  const processes = parts.flatMap((part) => {
    if (!componentTable[part].process) return [];
    const row = processOf(part as ComponentName | NodeComponentName);
    // What stands in for the network of machines knows where all pods are: an agent beside it would lead packets astray.
    if (part === 'routeController' && !plugins) return [];
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
    if (!plugins) scripted.add(NETWORK);
    return nodeNames(nodes).flatMap((node) => {
      if (!cluster.machine(node)) cluster.addMachine(node, plugins ? { plugins } : {});
      return cluster.runOnNode(node, name);
    });
  });
  return { processes, scripted };
}

/** What is in `/opt/cni/bin` of each machine; undefined when the cluster was created without a part of its network. */
function pluginsOf(cluster: Cluster): Readonly<Record<string, CniPlugin>> | undefined {
  const isWhole = (['podNetwork', 'ipam', 'routeController', 'nodeIpamController'] as const).every((part) =>
    cluster.has(part),
  );
  if (!isWhole) return undefined;
  return { bridge: cluster.component('podNetwork'), 'host-local': cluster.component('ipam'), portmap };
}

/** Throws what a process gave up with, if one has. @throws Error with what the component rejected with as its cause */
export function throwFirstFailure(processes: readonly Process[]): void {
  for (const { name, failure } of processes) {
    if (failure !== undefined) throw new Error(`The ${name} gave up.`, { cause: failure });
  }
}
