import type { core, discovery, Node, Pod, Service } from '#harness';

/** The address families of slices. */
export type AddressType = 'IPv4' | 'IPv6';

/**
 * Reports whether the pod owns its address. A pod that has ended keeps the address in its status, but another pod may
 * have it now.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go ShouldPodBeInEndpoints
 */
export function shouldPodBeInEndpoints({ metadata, status }: Pod, includeTerminating: boolean): boolean {
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return false;
  if (!status.podIP && !status.podIPs?.length) return false;
  return includeTerminating || metadata.deletionTimestamp === undefined;
}

/** Reports whether the pod's Ready condition is true. */
export function isPodReady({ status }: Pod): boolean {
  return status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}

/**
 * Returns the endpoint of a pod. A pod that is being deleted can still serve, but it is not ready.
 *
 * @param node - the node of the pod, if the cache contains it
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 utils.go podToEndpoint
 */
export function podToEndpoint(pod: Pod, { node, service, addressType }: EndpointContext): discovery.Endpoint {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const serving = isPodReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = (service.spec.publishNotReadyAddresses ?? false) || (serving && !terminating);
  const { nodeName, hostname } = pod.spec;
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'];
  const endpoint: discovery.Endpoint = {
    addresses: addressesOf(pod, addressType),
    conditions: { ready, serving, terminating },
    targetRef: { kind: 'Pod', ...(namespace ? { namespace } : {}), name, uid },
    ...(nodeName ? { nodeName } : {}),
    ...(zone ? { zone } : {}),
    ...(hostname && hasHostname(pod, service) ? { hostname } : {}),
  };
  const hints = hintsOf(endpoint, service);
  return hints ? { ...endpoint, hints } : endpoint;
}

/** The inputs of an endpoint besides its pod. */
interface EndpointContext {
  readonly node: Node | undefined;
  readonly service: Service;
  readonly addressType: AddressType;
}

/** Returns the pod's addresses of one family. */
export function addressesOf({ status }: Pod, addressType: AddressType): string[] {
  const ips = status.podIPs?.map(({ ip }) => ip) ?? [];
  return ips.filter((ip) => ip.includes(':') === (addressType === 'IPv6'));
}

/**
 * Reports whether DNS has a record for the pod's hostname below the Service's name.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go ShouldSetHostname
 */
export function hasHostname({ metadata, spec }: Pod, service: Service): boolean {
  const { name, namespace } = service.metadata;
  return Boolean(spec.hostname) && spec.subdomain === name && metadata.namespace === namespace;
}

/**
 * Returns the topology hints of a ready endpoint, if the Service prefers close endpoints: its zone, and with
 * `PreferSameNode` also its node.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 trafficdist/trafficdist.go preferCloseHeuristic.update
 *
 * Differs: `service.kubernetes.io/topology-mode: Auto` requests hints in proportion to the CPUs of the zones. With it,
 * there are no hints here.
 */
function hintsOf(
  { conditions, zone, nodeName }: discovery.Endpoint,
  { metadata, spec }: Service,
): discovery.EndpointHints | undefined {
  const { trafficDistribution = '' } = spec;
  if (!conditions?.ready || !DISTRIBUTIONS.has(trafficDistribution)) return undefined;
  const annotations = metadata.annotations ?? {};
  const mode =
    annotations['service.kubernetes.io/topology-aware-hints'] ??
    annotations['service.kubernetes.io/topology-mode'];
  if (mode === 'Auto' || mode === 'auto') return undefined;
  const hints = {
    ...(zone ? { forZones: [{ name: zone }] } : {}),
    ...(nodeName && trafficDistribution === 'PreferSameNode' ? { forNodes: [{ name: nodeName }] } : {}),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}

const DISTRIBUTIONS: ReadonlySet<string> = new Set(['PreferClose', 'PreferSameZone', 'PreferSameNode']);

/**
 * Resolves the ports of a Service in a pod. Ports that the pod does not have are left out.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 utils.go getEndpointPorts
 */
export function endpointPorts(pod: Pod, { spec }: Service): discovery.EndpointPort[] {
  return (spec.ports ?? []).flatMap((servicePort): discovery.EndpointPort[] => {
    const port = findPort(pod, servicePort);
    if (port === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = servicePort;
    return [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

/**
 * Returns the number of the port in the pod; undefined if no container has a port with that name and protocol.
 * Containers take precedence over sidecars.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 utils.go FindPort
 */
function findPort(
  { spec }: Pod,
  { targetPort, port, protocol = 'TCP' }: core.ServicePort,
): number | undefined {
  if (typeof targetPort !== 'string') return targetPort ?? port;
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...spec.containers, ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((each) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol)?.containerPort;
}
