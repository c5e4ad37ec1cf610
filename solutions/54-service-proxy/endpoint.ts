import { type discovery, type EndpointSlice, parseIP } from '#harness';
import type { ServicePort } from './service-port.ts';

/** A possible destination of a service port's packets. */
export interface Endpoint {
  /** The address and port: `10.244.1.2:80`. */
  readonly address: string;
  readonly ip: string;
  /** Whether it is on this node. */
  readonly isLocal: boolean;
  /** Whether it accepts new connections: it serves and is not terminating. */
  readonly isReady: boolean;
  /** Whether it serves; a terminating endpoint can still serve. */
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  /** The zones and nodes that should use it. Empty: all. */
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/**
 * Labels of an EndpointSlice: the service's name; a mark of headless services; the name of another proxy that handles
 * the slice.
 */
export const SERVICE_NAME = 'kubernetes.io/service-name';
const HEADLESS = 'service.kubernetes.io/headless';
const PROXY_NAME = 'service.kubernetes.io/service-proxy-name';

/** Returns the service that a slice belongs to, `default/web`; undefined if this proxy does not handle the slice. */
export function serviceOf({ metadata, addressType }: EndpointSlice): string | undefined {
  const { [SERVICE_NAME]: service, [HEADLESS]: headless, [PROXY_NAME]: proxy } = metadata.labels ?? {};
  if (!service || headless !== undefined || proxy !== undefined || addressType !== 'IPv4') return undefined;
  return `${metadata.namespace}/${service}`;
}

/**
 * Returns the endpoints of a service port, sorted by address.
 *
 * Two slices can contain the same address: while an endpoint moves from one slice to the other, or while a pod has the
 * address of a pod that has not been removed yet. The endpoint with the better conditions wins, in either order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/endpointslicecache.go addEndpoints
 *
 * Differs: if several are not terminating, upstream takes the one that it sees last.
 */
export function endpointsOf(
  slices: readonly EndpointSlice[],
  { portName, protocol }: Pick<ServicePort, 'portName' | 'protocol'>,
  node: string,
): readonly Endpoint[] {
  const byAddress = new Map<string, Endpoint>();
  for (const { endpoints, ports } of slices) {
    for (const { name = '', protocol: spoken = 'TCP', port } of ports ?? []) {
      if (name !== portName || spoken.toLowerCase() !== protocol || !port) continue;
      for (const each of endpoints ?? []) {
        const endpoint = endpointOf(each, port, node);
        const known = endpoint && byAddress.get(endpoint.address);
        if (endpoint && (!known || worth(endpoint) > worth(known))) byAddress.set(endpoint.address, endpoint);
      }
    }
  }
  return [...byAddress.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}

/** A missing condition counts as true: only an explicit `false` keeps traffic away. */
function endpointOf(
  { addresses, conditions = {}, hints, nodeName }: discovery.Endpoint,
  port: number,
  node: string,
): Endpoint | undefined {
  const [address] = addresses;
  if (address === undefined) return undefined;
  const ip = parseIP(address).text;
  return {
    address: `${ip}:${port}`,
    ip,
    isLocal: nodeName === node,
    isReady: conditions.ready ?? true,
    isServing: conditions.serving ?? true,
    isTerminating: conditions.terminating ?? false,
    zoneHints: (hints?.forZones ?? []).map(({ name }) => name),
    nodeHints: (hints?.forNodes ?? []).map(({ name }) => name),
  };
}

/** Reports whether the endpoint is the second choice when none is ready: it still serves, but it is terminating. */
export function isServingTerminating({ isServing, isTerminating }: Endpoint): boolean {
  return isServing && isTerminating;
}

function worth(endpoint: Endpoint): number {
  if (endpoint.isReady) return 3;
  if (isServingTerminating(endpoint)) return 2;
  return endpoint.isTerminating ? 0 : 1;
}
