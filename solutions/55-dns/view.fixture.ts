import type { EndpointSlice, Pod, Service } from '#harness';
import { addressIn } from './names.ts';
import { clusterIPsOf, type DnsView, readyAddresses, SERVICE_NAME, serviceOf } from './view.ts';

/** The objects of a view. */
export interface Objects {
  readonly namespaces?: readonly string[];
  readonly services?: readonly Service[];
  readonly slices?: readonly EndpointSlice[];
  readonly pods?: readonly Pod[];
}

/** Returns a view of these objects. The namespaces of services exist. */
export function viewOf({ namespaces = [], services = [], slices = [], pods = [] }: Objects): DnsView {
  const there = new Set([...namespaces, ...services.map(({ metadata }) => metadata.namespace)]);
  return {
    serial: 0,
    hasNamespace: (name) => there.has(name),
    service: (namespace, name) =>
      services.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    slicesOf: (namespace, service) =>
      slices.filter((slice) => slice.metadata.namespace === namespace && serviceOf(slice) === service),
    servicesAt: (address) => services.filter((service) => clusterIPsOf(service).includes(address)),
    slicesAt: (address) =>
      slices.filter((slice) => readyAddresses(slice).some((each) => addressIn(each.address) === address)),
    podsAt: (address) => pods.filter(({ status }) => status?.podIP === address),
  };
}

/** Returns a service. */
export function service(name: string, spec: Service['spec'], namespace = 'default'): Service {
  return { metadata: { name, namespace }, spec: { type: 'ClusterIP', ...spec } } as Service;
}

/** Returns a slice of the service `of`. */
export function slice(
  of: string,
  {
    namespace = 'default',
    endpoints,
    ports = [],
  }: {
    readonly namespace?: string;
    readonly endpoints: EndpointSlice['endpoints'];
    readonly ports?: EndpointSlice['ports'];
  },
): EndpointSlice {
  return {
    metadata: { name: `${of}-abcde`, namespace, labels: { [SERVICE_NAME]: of } },
    addressType: 'IPv4',
    endpoints,
    ports,
  } as unknown as EndpointSlice;
}
