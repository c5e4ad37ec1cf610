import { type PodRoutes, ROUTE_PROTOCOL } from '#given/52-pod-network';
import type { IpRoute, NetworkTools, Node } from '#harness';

// Level 7 · Routes between nodes

/**
 * Upstream: flannel-io/flannel@v0.28.9 pkg/backend/hostgw/hostgw.go HostgwBackend.RegisterNetwork (GetRoute, GetV6Route)
 *
 * Differs: if a node has podCIDRs of both families, only the first one gets a route.
 */
export function desiredRoutes(nodes: readonly Node[], self: string): PodRoutes {
  const own = nodes.find(({ metadata }) => metadata.name === self)?.spec.podCIDR;
  const routes = new Map<string, string>();
  for (const node of nodes) {
    const { metadata, spec } = node;
    const address = addressOf(node);
    const { podCIDR } = spec;
    // The kernel already has the route to this node's own pods, through the bridge.
    if (metadata.name === self || !podCIDR || podCIDR === own || !address) continue;
    routes.set(podCIDR, address);
  }
  return routes;
}

/** Returns the address at which other nodes reach a node. */
export function addressOf({ status }: Node): string | undefined {
  return status.addresses?.find(({ type }) => type === 'InternalIP')?.address;
}

/**
 * Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go handleSubnetEvents, checkSubnetExistInRoutes
 *
 * Differs: upstream reacts to events, and so never notices a node that was deleted while the agent was down.
 */
export function routeCommands(installed: PodRoutes, desired: PodRoutes): readonly (readonly string[])[] {
  const command = (verb: string, dst: string, gateway: string): readonly string[] => {
    const way = gateway === '' ? [] : ['via', gateway];
    return ['ip', 'route', verb, dst, ...way, 'proto', ROUTE_PROTOCOL];
  };
  const gone = [...installed].filter(([dst]) => !desired.has(dst));
  const wrong = [...desired].filter(([dst, gateway]) => installed.get(dst) !== gateway);
  return [
    ...gone.map(([dst, gateway]) => command('del', dst, gateway)),
    // Replaces in one step: between a removal and an addition, packets would be lost.
    ...wrong.map(([dst, gateway]) => command('replace', dst, gateway)),
  ];
}

/** Upstream: flannel-io/flannel@v0.28.9 pkg/backend/route_network.go RouteNetwork.routes, which is what it remembers */
export async function installedRoutes(tools: NetworkTools): Promise<PodRoutes> {
  const listed = await tools.run(['ip', '-j', 'route', 'show', 'proto', ROUTE_PROTOCOL]);
  const routes: readonly IpRoute[] = JSON.parse(listed);
  // The agent creates no route with a metric: such a route can exist next to its own, and must not be confused with it.
  const own = routes.filter(({ metric }) => metric === undefined);
  return new Map(own.map(({ dst, gateway = '' }) => [dst, gateway]));
}
