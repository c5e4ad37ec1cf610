import type { Components } from '../contracts/component.ts';
import type { CniPlugin } from '../contracts/node/index.ts';
import { portmap } from '../node/cni/portmap.ts';
import { installAccounts } from './addons/accounts.ts';
import { installCoreDns, kubeletWithNames } from './addons/coredns.ts';
import { installStorageClass } from './addons/local-path.ts';
import { serveNames, useNameServer } from './addons/outside-names.ts';
import { type Cluster, type ClusterOptions, createCluster } from './cluster.ts';
import { type ComponentName, componentTable, type NodeComponentName, processOf } from './component-table.ts';
import { runSecuredControllers } from './controllers/index.ts';
import { runController } from './controllers/run-controller.ts';
import type { ScriptPod } from './nodes/pod-script.ts';
import { nodeNames } from './nodes/scripted-nodes.ts';
import type { Process } from './process.ts';
import { securedBy } from './secured.ts';

interface WholeClusterOptions {
  /** Number of nodes. @defaultValue 3 */
  readonly nodes?: number;
  /** The behaviour of pods while a script stands in for the kubelet. @defaultValue they become ready within a second */
  readonly script?: ScriptPod;
}

/** The processes of a whole cluster. */
export interface WholeCluster {
  readonly processes: readonly Process[];
  /**
   * The processes that follow a script because the component does not exist. Node processes are listed without the
   * node's name. Contains `network` if no component builds the network of the machines.
   */
  readonly scripted: ReadonlySet<string>;
}

/** The name of the machines' network in a {@link WholeCluster}. */
export const NETWORK = 'network';

/** The components that act on the silence of a kubelet. */
const OF_FAILING_NODES: ReadonlySet<string> = new Set<ComponentName>([
  'nodeLifecycleController',
  'taintEvictionController',
  'podGarbageCollector',
]);

/** Options of {@link createWholeCluster}. */
interface NewWholeClusterOptions extends ClusterOptions, WholeClusterOptions {
  /** Whether services have names: CoreDNS runs in pods. @defaultValue true if all components exist that it needs */
  readonly names?: boolean;
  /**
   * Whether every request is authorized and admitted, by the components `access` and `admission`. Then each process has
   * only the rights of its user, and further controllers run: pods need their service accounts.
   *
   * @defaultValue false
   */
  readonly secured?: boolean;
}

/**
 * Creates a cluster as kubeadm does, with all its processes, as far as the components exist. It runs every component of
 * the table, CoreDNS in pods, and the network plugins on each machine. The machines use an external name server.
 *
 * @throws Error as {@link runWholeCluster}
 */
export async function createWholeCluster({
  nodes = 3,
  script,
  names = true,
  secured = false,
  ...options
}: NewWholeClusterOptions): Promise<WholeCluster & { readonly cluster: Cluster }> {
  const hasNames = names && canHaveNames(options.components);
  const cluster = await createCluster({
    ...options,
    ...(secured &&
      securedBy(options.components, canMarkNodes(options.components) ? { disabledPlugins: [] } : {})),
    ...(hasNames && { kubeletConfiguration: kubeletWithNames }),
  });
  if (secured) {
    const kubeadm = cluster.as('kubeadm');
    await cluster.prepared(installAccounts(kubeadm));
    if (cluster.has('localPathProvisioner')) await cluster.prepared(installStorageClass(kubeadm));
  }
  const whole = runWholeCluster(cluster, { nodes, ...(script && { script }) });
  const others = secured ? runSecuredControllers(cluster) : [];
  if (hasNames) {
    const outside = cluster.network.outside('name-server');
    serveNames(outside, {});
    for (const node of nodeNames(nodes)) {
      const machine = cluster.machine(node);
      if (machine) await useNameServer(machine, outside.ip);
    }
    const hasCoreDns = options.saved !== undefined || cluster.isRestored;
    if (!hasCoreDns) await cluster.prepared(installCoreDns(cluster.as('kubeadm')));
  }
  return { cluster, ...whole, processes: [...whole.processes, ...others] };
}

/** Returns whether kubelets report their nodes, and a controller removes the taints of nodes that are ready. */
function canMarkNodes({ kubelet, nodeLifecycleController }: Partial<Components> = {}): boolean {
  return kubelet !== undefined && nodeLifecycleController !== undefined;
}

/** Returns whether services can have names, and be reached by them. */
function canHaveNames({ kubelet, dns, serviceProxy }: Partial<Components> = {}): boolean {
  return kubelet !== undefined && dns !== undefined && serviceProxy !== undefined;
}

/**
 * Runs every component of the table: the cluster's own component, or else its stand-in, or nothing for an optional
 * component. A node has a machine if a component runs on it.
 *
 * @throws Error when the cluster was created without a component that has no stand-in
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
    if (componentTable[part].process.only === 'secured') return [];
    const row = processOf(part as ComponentName | NodeComponentName);
    // The stand-in for the network knows all pods. A route agent beside it would misdirect packets.
    if (part === 'routeController' && !plugins) return [];
    // The stand-in for the kubelet renews no Lease, so its nodes would count as dead.
    if (OF_FAILING_NODES.has(part) && !cluster.has('kubelet')) return [];
    const built = cluster.has(part);
    if (!built && row.optional) return [];
    if (!built) scripted.add(row.standIn?.name ?? row.name);
    if (row.once === 'cluster') {
      const name = part as ComponentName;
      return built ? [runController(cluster, name)] : [cluster.runStandIn(name)];
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

/** Returns the plugins in `/opt/cni/bin` of each machine; undefined if a part of the cluster's network is missing. */
function pluginsOf(cluster: Cluster): Readonly<Record<string, CniPlugin>> | undefined {
  const isWhole = (['podNetwork', 'ipam', 'routeController', 'nodeIpamController'] as const).every((part) =>
    cluster.has(part),
  );
  if (!isWhole) return undefined;
  return { bridge: cluster.component('podNetwork'), 'host-local': cluster.component('ipam'), portmap };
}

/** Throws the error of the first process that gave up, if any. @throws Error with the component's error as its cause */
export function throwFirstFailure(processes: readonly Process[]): void {
  for (const { name, failure } of processes) {
    if (failure !== undefined) throw new Error(`The ${name} gave up.`, { cause: failure });
  }
}
