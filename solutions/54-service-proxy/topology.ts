import { type Endpoint, isServingTerminating } from './endpoint.ts';
import { type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from './service-port.ts';

/** The location of the proxy. */
export interface Place {
  /** The node's name: `node-1`. */
  readonly node: string;
  /** The node's label `topology.kubernetes.io/zone`; empty if it has none. */
  readonly zone: string;
}

/** The endpoints that a service port uses. */
export interface Choice {
  /** Endpoints for any client. */
  readonly cluster: readonly Endpoint[];
  /** Endpoints on this node, for traffic that must stay on it. */
  readonly local: readonly Endpoint[];
  /** The union of both: these endpoints have chains. */
  readonly reachable: readonly Endpoint[];
  /** Whether there is a usable endpoint on any node, even if no traffic from here may reach it. */
  readonly hasAny: boolean;
}

/**
 * Chooses the ready endpoints, or those among them whose hints match. If none is ready, chooses endpoints that still
 * serve while they terminate.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/topology.go CategorizeEndpoints
 */
export function chooseEndpoints(all: readonly Endpoint[], port: ServicePort, place: Place): Choice {
  const cluster = usesClusterEndpoints(port)
    ? orElse(near(all.filter(isReady), place), all.filter(isServingTerminating))
    : [];
  if (!usesLocalEndpoints(port)) {
    return { cluster, local: [], reachable: cluster, hasAny: cluster.length > 0 };
  }
  const here = all.filter(({ isLocal }) => isLocal);
  const local = orElse(here.filter(isReady), here.filter(isServingTerminating));
  const used = new Set([...cluster, ...local]);
  return {
    cluster,
    local,
    reachable: all.filter((each) => used.has(each)),
    hasAny: all.some((each) => isReady(each) || isServingTerminating(each)),
  };
}

const isReady = (endpoint: Endpoint): boolean => endpoint.isReady;

function orElse<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return first.length > 0 ? first : second;
}

/**
 * Returns the endpoints with hints for this node; if none, those for its zone; if none, all. Hints count only if every
 * endpoint has one: otherwise they are about to change, and endpoints without a hint would get no traffic.
 */
function near(ready: readonly Endpoint[], { node, zone }: Place): readonly Endpoint[] {
  const hinted = (hint: 'nodeHints' | 'zoneHints', name: string): readonly Endpoint[] =>
    ready.every(({ [hint]: names }) => names.length > 0)
      ? ready.filter(({ [hint]: names }) => names.includes(name))
      : [];
  return orElse(orElse(hinted('nodeHints', node), hinted('zoneHints', zone)), ready);
}
