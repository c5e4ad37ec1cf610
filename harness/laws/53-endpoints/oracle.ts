import type * as core from '#api/core/v1';
import type * as discovery from '#api/discovery/v1';
import type { EndpointSlice, Endpoints, KubeObject, Node, Pod, Service } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { endpointSlices, endpoints, nodes, pods, type Resource, services } from '../../api/resource.ts';
import { NAMESPACE } from './operations.ts';

/** The stored objects. */
export interface Situation {
  readonly services: readonly Service[];
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly slices: readonly EndpointSlice[];
  readonly endpoints: readonly Endpoints[];
  /** The maximum number of endpoints in a slice. */
  readonly endpointsMax: number;
}

/** Returns the situation of all objects, given all objects of a resource. */
export function situationOf(
  list: <T extends KubeObject>(resource: Resource<T>) => readonly T[],
  endpointsMax: number,
): Situation {
  const all = list(services);
  // Users write the Endpoints of a Service without a selector.
  const foreign = new Set(all.flatMap(({ metadata, spec }) => (spec.selector ? [] : [metadata.name])));
  return {
    services: all.filter(({ spec }) => spec.selector !== undefined),
    pods: list(pods),
    nodes: list(nodes),
    slices: list(endpointSlices),
    endpoints: list(endpoints).filter(({ metadata }) => !foreign.has(metadata.name)),
    endpointsMax,
  };
}

/** An object in a wrong state. */
export interface Wrong {
  readonly message: string;
  /** The name of the object. */
  readonly of: string;
}

const OURS = 'endpointslice-controller.k8s.io';
const RESERVED = [
  'kubernetes.io/service-name',
  'endpointslice.kubernetes.io/managed-by',
  'service.kubernetes.io/headless',
  'endpoints.kubernetes.io/managed-by',
];

/** Does the controller manage this slice? */
export function isOurs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.['endpointslice.kubernetes.io/managed-by'] === OURS;
}

/** Compares the slices of each Service with their desired contents. The packing of slices does not matter. */
export function wrongSlices({ services, pods, nodes, slices, endpointsMax }: Situation): readonly Wrong[] {
  return services.flatMap((service) => {
    const { name } = service.metadata;
    const own = slices.filter(
      (slice) => isOurs(slice) && slice.metadata.labels?.['kubernetes.io/service-name'] === name,
    );
    const said = own.flatMap((slice) =>
      (slice.endpoints ?? []).map((endpoint) => describeEndpoint(endpoint, slice.ports ?? [])),
    );
    const wanted = pods
      .filter((pod) => belongs(pod, service))
      .filter(
        ({ spec }) =>
          service.spec.publishNotReadyAddresses || nodes.some((node) => isCalled(node, spec.nodeName)),
      )
      .map((pod) => describeEndpoint(endpointOf(pod, service, nodes), portsOf(pod, service)));
    return [
      ...compare(said, wanted).map((what) => ({ message: `Service ${name}: ${what}`, of: name })),
      ...(own.length === 0 ? [{ message: `Service ${name} has no slice`, of: name }] : []),
      ...own.flatMap((slice) => wrongSlice(slice, service, endpointsMax)),
    ];
  });
}

function wrongSlice(
  { metadata, addressType, endpoints }: EndpointSlice,
  service: Service,
  endpointsMax: number,
): readonly Wrong[] {
  const of = metadata.name;
  const headless = service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};
  const labels = {
    ...unreserved(service.metadata.labels),
    ...headless,
    'kubernetes.io/service-name': service.metadata.name,
    'endpointslice.kubernetes.io/managed-by': OURS,
  };
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  return [
    ...(same(metadata.labels, labels)
      ? []
      : [{ message: `slice ${of} does not have the labels of its Service`, of }]),
    ...(owner?.uid === service.metadata.uid
      ? []
      : [{ message: `slice ${of} belongs to a deleted Service`, of }]),
    ...(addressType === 'IPv4' ? [] : [{ message: `slice ${of} has addresses of type ${addressType}`, of }]),
    ...((endpoints ?? []).length <= endpointsMax
      ? []
      : [{ message: `slice ${of} holds ${endpoints?.length} endpoints`, of }]),
  ];
}

/** Compares the Endpoints of each Service with their desired contents. */
export function wrongEndpoints({ services, pods, endpoints }: Situation): readonly Wrong[] {
  const strays = endpoints.filter(
    ({ metadata }) => !services.some((one) => one.metadata.name === metadata.name),
  );
  const gone = strays.map(({ metadata: { name } }) => ({
    message: `Endpoints ${name} have no Service`,
    of: name,
  }));
  const others = services.flatMap((service) => {
    const { name, labels } = service.metadata;
    const own = endpoints.find(({ metadata }) => metadata.name === name);
    if (!own) return [{ message: `Service ${name} has no Endpoints`, of: name }];
    const said = (own.subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => [
      ...addresses.flatMap((address) => describeAddresses(address, true, ports)),
      ...notReadyAddresses.flatMap((address) => describeAddresses(address, false, ports)),
    ]);
    const lenient = service.spec.publishNotReadyAddresses ?? false;
    const wanted = pods
      .filter((pod) => belongs(pod, service) && (lenient || !pod.metadata.deletionTimestamp))
      .flatMap((pod) => {
        const { addresses, ...rest } = endpointOf(pod, service, []);
        const address = { ...rest, ip: addresses[0] ?? '' };
        return describeAddresses(
          address,
          lenient || isReady(pod),
          portsOf(pod, service),
          service.spec.ports?.length ?? 0,
        );
      });
    const isLabelled = same(unreserved(own.metadata.labels), unreserved(labels));
    return [
      ...compare(said, wanted).map((what) => ({ message: `Endpoints ${name}: ${what}`, of: name })),
      ...(isLabelled
        ? []
        : [{ message: `Endpoints ${name} do not have the labels of their Service`, of: name }]),
    ];
  });
  return [...gone, ...others];
}

/** Is the pod alive, with an address, and selected? */
export function belongs({ metadata, status }: Pod, { spec }: Service): boolean {
  const labels = metadata.labels ?? {};
  const isSelected = Object.entries(spec.selector ?? {}).every(([key, value]) => labels[key] === value);
  return isSelected && Boolean(status.podIP) && !['Succeeded', 'Failed'].includes(status.phase ?? '');
}

/** Returns the desired endpoint of a pod for a Service. */
export function endpointOf(pod: Pod, service: Service, nodes: readonly Node[]): discovery.Endpoint {
  const { name, uid, deletionTimestamp } = pod.metadata;
  const { nodeName = '', hostname, subdomain } = pod.spec;
  const serving = isReady(pod);
  const ready = service.spec.publishNotReadyAddresses || (serving && !deletionTimestamp);
  const zone = nodes.find((node) => isCalled(node, nodeName))?.metadata.labels?.[
    'topology.kubernetes.io/zone'
  ];
  const { trafficDistribution } = service.spec;
  const forZones = ready && trafficDistribution && zone ? { forZones: [{ name: zone }] } : {};
  const forNodes =
    ready && trafficDistribution === 'PreferSameNode' ? { forNodes: [{ name: nodeName }] } : {};
  return {
    addresses: [pod.status.podIP ?? ''],
    conditions: { ready: Boolean(ready), serving, terminating: deletionTimestamp !== undefined },
    targetRef: { kind: 'Pod', namespace: NAMESPACE, name, uid },
    nodeName,
    ...(zone ? { zone } : {}),
    ...(hostname && subdomain === service.metadata.name ? { hostname } : {}),
    ...(Object.keys({ ...forZones, ...forNodes }).length > 0 ? { hints: { ...forZones, ...forNodes } } : {}),
  };
}

function portsOf(pod: Pod, { spec }: Service): core.EndpointPort[] {
  const named = pod.spec.containers.flatMap(({ ports = [] }) => ports);
  return (spec.ports ?? []).flatMap(({ name = '', targetPort, protocol = 'TCP' }) => {
    const port =
      typeof targetPort === 'number'
        ? targetPort
        : named.find((each) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol)
            ?.containerPort;
    return port === undefined ? [] : [{ name, port, protocol }];
  });
}

/** Formats an endpoint on one line: equal lines are equal endpoints. */
function describeEndpoint(
  { addresses, conditions, targetRef, nodeName, zone, hostname, hints }: discovery.Endpoint,
  ports: readonly discovery.EndpointPort[],
): string {
  const { ready, serving, terminating } = conditions ?? {};
  const state = [ready && 'ready', serving && 'serving', terminating && 'terminating']
    .filter(Boolean)
    .join(' ');
  const place = [nodeName, zone, hostname, hints && JSON.stringify(hints)].filter(Boolean).join(' ');
  return `${describePod(targetRef)} at ${addresses.join()} (${state || 'not ready'}) on ${place}, ${describePorts(ports)}`;
}

/** Formats an address of Endpoints, one line per port: the grouping of ports does not matter. */
function describeAddresses(
  { ip, targetRef, nodeName, hostname }: core.EndpointAddress,
  ready: boolean,
  ports: readonly core.EndpointPort[],
  wanted = 0,
): readonly string[] {
  const what = `${describePod(targetRef)} at ${ip} (${ready ? 'ready' : 'not ready'}) on ${nodeName} ${hostname ?? ''}`;
  if (ports.length === 0) return wanted === 0 ? [`${what}, no port`] : [];
  return ports.map((port) => `${what}, ${describePorts([port])}`);
}

function describePod(targetRef: core.ObjectReference | undefined): string {
  return `pod ${targetRef?.name} ${targetRef?.uid?.slice(0, 8)}`;
}

function describePorts(ports: readonly discovery.EndpointPort[]): string {
  const each = ports.map(({ name, port, protocol }) => `${name ?? ''}:${port}/${protocol}`);
  return `ports ${each.sort().join() || 'none'}`;
}

/** Returns the lines that are unwanted or duplicate, and the lines that are missing. */
function compare(said: readonly string[], wanted: readonly string[]): readonly string[] {
  const left = [...wanted];
  const extra = said.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...left.map((line) => `is missing ${line}`),
    ...extra.map((line) => `has ${line}${wanted.includes(line) ? ', twice' : ''}`),
  ];
}

function isCalled({ metadata }: Node, name: string | undefined): boolean {
  return metadata.name === name;
}

function unreserved(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED.includes(key)));
}

function same(a: object | undefined, b: object | undefined): boolean {
  const sorted = (object: object | undefined) => JSON.stringify(Object.entries(object ?? {}).sort());
  return sorted(a) === sorted(b);
}
