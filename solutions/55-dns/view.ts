import type { EndpointSlice, Pod, Service } from '#harness';

/** What is known of the cluster: all that an answer depends on. */
export interface DnsView {
  hasNamespace(name: string): boolean;
  service(namespace: string, name: string): Service | undefined;
  /** The slices of a service: one service may have many. */
  slicesOf(namespace: string, service: string): readonly EndpointSlice[];
  /** The services that have this address as their own. */
  servicesAt(address: string): readonly Service[];
  /** The slices that have an endpoint with this address. */
  slicesAt(address: string): readonly EndpointSlice[];
  /** The pods that have this address. */
  podsAt(address: string): readonly Pod[];
  /** When services or their endpoints last changed, in seconds since 1970. */
  readonly serial: number;
}

/** Upstream: kubernetes/api@v0.36.3 discovery/v1/well_known_labels.go LabelServiceName */
export const SERVICE_NAME = 'kubernetes.io/service-name';

/** The name of the service that a slice is of; empty when it is of none. */
export function serviceOf({ metadata }: EndpointSlice): string {
  return metadata.labels?.[SERVICE_NAME] ?? '';
}

/** An endpoint that a name may lead to. */
interface ReadyAddress {
  readonly address: string;
  readonly hostname: string | undefined;
}

/**
 * The addresses of a slice that take traffic. An endpoint that does not say whether it is ready is ready.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/object/endpoint.go EndpointSliceToEndpoints
 */
export function readyAddresses({ endpoints }: EndpointSlice): readonly ReadyAddress[] {
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses, hostname }) => addresses.map((address) => ({ address, hostname })));
}

/** The addresses that a service has as its own: none for one that is headless. */
export function clusterIPsOf({ spec }: Service): readonly string[] {
  const { clusterIP, clusterIPs } = spec;
  const all = clusterIPs?.length ? clusterIPs : clusterIP ? [clusterIP] : [];
  return isHeadless({ spec }) ? [] : all;
}

/** Whether the name of a service stands for its endpoints. */
export function isHeadless({ spec }: Pick<Service, 'spec'>): boolean {
  return (spec.clusterIPs?.[0] ?? spec.clusterIP) === 'None';
}
