import type { EndpointSlice, Pod, Service } from '#harness';

/** The state of the cluster that answers depend on. */
export interface DnsView {
  hasNamespace(name: string): boolean;
  service(namespace: string, name: string): Service | undefined;
  /** Returns all slices of a service. */
  slicesOf(namespace: string, service: string): readonly EndpointSlice[];
  /** Returns the services with this cluster IP. */
  servicesAt(address: string): readonly Service[];
  /** Returns the slices that have a ready endpoint with this address. */
  slicesAt(address: string): readonly EndpointSlice[];
  /** Returns the pods with this address. */
  podsAt(address: string): readonly Pod[];
  /** The time of the last change of a service or slice, in seconds since 1970. */
  readonly serial: number;
}

/** Upstream: kubernetes/api@v0.36.3 discovery/v1/well_known_labels.go LabelServiceName */
export const SERVICE_NAME = 'kubernetes.io/service-name';

/** Returns the name of the slice's service; empty if it has none. */
export function serviceOf({ metadata }: EndpointSlice): string {
  return metadata.labels?.[SERVICE_NAME] ?? '';
}

/** An address that a name can resolve to. */
interface ReadyAddress {
  readonly address: string;
  readonly hostname: string | undefined;
}

/**
 * Returns the addresses of a slice that accept traffic. An endpoint without the condition `ready` is ready.
 *
 * Upstream: coredns/coredns@v1.14.2 plugin/kubernetes/object/endpoint.go EndpointSliceToEndpoints
 */
export function readyAddresses({ endpoints }: EndpointSlice): readonly ReadyAddress[] {
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses, hostname }) => addresses.map((address) => ({ address, hostname })));
}

/** Returns the cluster IPs of a service; none if it is headless. */
export function clusterIPsOf({ spec }: Service): readonly string[] {
  const { clusterIP, clusterIPs } = spec;
  const all = clusterIPs?.length ? clusterIPs : clusterIP ? [clusterIP] : [];
  return isHeadless({ spec }) ? [] : all;
}

/** Reports whether the name of a service resolves to its endpoints. */
export function isHeadless({ spec }: Pick<Service, 'spec'>): boolean {
  return (spec.clusterIPs?.[0] ?? spec.clusterIP) === 'None';
}
