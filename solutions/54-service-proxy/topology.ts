import { type Endpoint, isServingTerminating } from './endpoint.ts';
import { type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from './service-port.ts';

/** Where the proxy is. */
export interface Place {
  /** `node-1`. */
  readonly node: string;
  /** Of the node's label `topology.kubernetes.io/zone`; empty if it has none. */
  readonly zone: string;
}

/** The endpoints that are used. */
export interface Choice {
  /** Those that any client may be sent to. */
  readonly cluster: readonly Endpoint[];
  /** Those on this node, for what is to stay here. */
  readonly local: readonly Endpoint[];
  /** All that are in one of the two: these have chains. */
  readonly reachable: readonly Endpoint[];
  /** Whether there is one anywhere, also if nothing from here may go to it. */
  readonly hasAny: boolean;
}

/**
 * Chooses endpoints: ready ones, of which hints may ask for those near by; if there is none, those that still serve while they end.
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
 * Those that are meant for this node; else those that are meant for its zone; else all. A hint counts only if each endpoint has one:
 * else they are about to change, and those without one would get nothing.
 */
function near(ready: readonly Endpoint[], { node, zone }: Place): readonly Endpoint[] {
  const hinted = (hint: 'nodeHints' | 'zoneHints', name: string): readonly Endpoint[] =>
    ready.every(({ [hint]: names }) => names.length > 0)
      ? ready.filter(({ [hint]: names }) => names.includes(name))
      : [];
  return orElse(orElse(hinted('nodeHints', node), hinted('zoneHints', zone)), ready);
}
