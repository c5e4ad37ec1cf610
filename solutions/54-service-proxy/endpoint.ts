import { type discovery, type EndpointSlice, parseIP } from '#harness';
import type { ServicePort } from './service-port.ts';

/** Where the packets of a service port may end. */
export interface Endpoint {
  /** `10.244.1.2:80`. */
  readonly address: string;
  readonly ip: string;
  /** Whether it is on this node. */
  readonly isLocal: boolean;
  /** Whether it may be asked for: it serves, and does not end. */
  readonly isReady: boolean;
  /** Whether it answers; one that ends may do so, too. */
  readonly isServing: boolean;
  readonly isTerminating: boolean;
  /** The zones, and the nodes, for which it is meant. Empty: all. */
  readonly zoneHints: readonly string[];
  readonly nodeHints: readonly string[];
}

/** Labels of an EndpointSlice: the service that it is of; that this has no cluster IP; that another proxy takes care of it. */
export const SERVICE_NAME = 'kubernetes.io/service-name';
const HEADLESS = 'service.kubernetes.io/headless';
const PROXY_NAME = 'service.kubernetes.io/service-proxy-name';

/** The service of which there are endpoints in a slice, `default/web`; undefined if there are none for this proxy. */
export function serviceOf({ metadata, addressType }: EndpointSlice): string | undefined {
  const { [SERVICE_NAME]: service, [HEADLESS]: headless, [PROXY_NAME]: proxy } = metadata.labels ?? {};
  if (!service || headless !== undefined || proxy !== undefined || addressType !== 'IPv4') return undefined;
  return `${metadata.namespace}/${service}`;
}

/**
 * The endpoints of a service port, sorted by address.
 *
 * An address may stand in two slices: while an endpoint moves from one to the other, or when a pod got the address of another one that has
 * not quite gone. Then the one that can do more counts, wherever it stands.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/endpointslicecache.go addEndpoints
 *
 * Differs: of several that do not end, upstream takes the one that it sees last.
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

/** A condition that is not set is taken for good: only one that says so keeps traffic away. */
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

/** Whether it is to be asked when there is no better one: it still answers, on its way out. */
export function isServingTerminating({ isServing, isTerminating }: Endpoint): boolean {
  return isServing && isTerminating;
}

function worth(endpoint: Endpoint): number {
  if (endpoint.isReady) return 3;
  if (isServingTerminating(endpoint)) return 2;
  return endpoint.isTerminating ? 0 : 1;
}
