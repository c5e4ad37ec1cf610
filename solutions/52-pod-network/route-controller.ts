import { ensureMasqueradeChain, POD_NETWORK, writeConflist } from '#given/52-pod-network';
import { type Node, type NodeComponent, type NodeComponentContext, nodes } from '#harness';
import { addressOf, desiredRoutes, installedRoutes, routeCommands } from './routes.ts';

// Level 8 · The agent of a node

/**
 * The maximum time until a removed route is restored.
 *
 * Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go routeCheckRetries
 */
const RESYNC_MS = 10_000;

/** Upstream: flannel-io/flannel@v0.28.9 pkg/trafficmngr/iptables/iptables.go masqRules */
export function networkMasqueradeRules(podCIDR: string): readonly string[] {
  const comment = '-m comment --comment "flanneld masq"';
  return [
    // kube-proxy masquerades the packets that it has marked.
    `-m mark --mark 0x4000/0x4000 ${comment} -j RETURN`,
    `-s ${podCIDR} -d ${POD_NETWORK} ${comment} -j RETURN`,
    `-s ${POD_NETWORK} -d ${podCIDR} ${comment} -j RETURN`,
    `! -s ${POD_NETWORK} -d ${podCIDR} ${comment} -j RETURN`,
    `-s ${POD_NETWORK} ! -d 224.0.0.0/4 ${comment} -j MASQUERADE --random-fully`,
    `! -s ${POD_NETWORK} -d ${POD_NETWORK} ${comment} -j MASQUERADE --random-fully`,
  ];
}

/** Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go checkSubnetExistInRoutes */
export async function syncNode(
  { node, host }: Pick<NodeComponentContext, 'node' | 'host'>,
  all: readonly Node[],
): Promise<void> {
  const podCIDR = all.find(({ metadata }) => metadata.name === node)?.spec.podCIDR;
  if (!podCIDR) return;
  const { tools, files } = host;
  const failures: string[] = [];
  const attempt = (step: Promise<unknown>): Promise<unknown> =>
    step.catch((error: Error) => failures.push(error.message));
  // One unreachable node must not affect the routes to the others.
  for (const command of routeCommands(await installedRoutes(tools), desiredRoutes(all, node)))
    await attempt(tools.run(command));
  await attempt(ensureMasqueradeChain(tools, networkMasqueradeRules(podCIDR)));
  // Last, because the node accepts pods from then on.
  await attempt(writeConflist(files, podCIDR));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** Upstream: flannel-io/flannel@v0.28.9 pkg/subnet/kube/kube.go kubeSubnetManager.handleUpdateLeaseEvent */
function placeOf(node: Node): string {
  return `${node.spec.podCIDR} ${addressOf(node)}`;
}

/** Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go RouteNetwork.Run */
export const routeController: NodeComponent = async (context) => {
  const { informers, newWorkQueue, runWorkers, node, log } = context;
  const informer = informers.forResource(nodes);
  const queue = newWorkQueue<string>();
  const wake = (): void => queue.add(node);
  informer.addEventHandler({
    onAdd: wake,
    // A kubelet updates its Node often, and almost never its routes.
    onUpdate: (previous, current) => {
      if (placeOf(previous) !== placeOf(current)) wake();
    },
    onDelete: wake,
  });
  informers.start();
  // With an incomplete list, the routes to the other nodes would look stale.
  await informers.waitForCacheSync();
  wake();
  await runWorkers({
    queue,
    workers: 1,
    sync: async () => {
      queue.addAfter(node, RESYNC_MS);
      await syncNode(context, informer.indexer.list());
    },
    onError: (error) => log(`will look again: ${error}`),
  });
};
