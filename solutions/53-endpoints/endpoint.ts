import type { core, discovery, Node, Pod, Service } from '#harness';

/** The families of addresses that a slice can hold. */
export type AddressType = 'IPv4' | 'IPv6';

/**
 * Has the pod an address that is its own? A pod that has ended keeps its address in its status, and the address may be
 * another pod's by now.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go ShouldPodBeInEndpoints
 */
export function shouldPodBeInEndpoints({ metadata, status }: Pod, includeTerminating: boolean): boolean {
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return false;
  if (!status.podIP && !status.podIPs?.length) return false;
  return includeTerminating || metadata.deletionTimestamp === undefined;
}

/** Does the kubelet say that the pod is ready? */
export function isPodReady({ status }: Pod): boolean {
  return status.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}

/**
 * What the pod is for the Service. A pod that is being deleted may serve to its end, and is not ready.
 *
 * @param node where the pod runs, if that is known
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

/** What an endpoint depends on besides its pod. */
interface EndpointContext {
  readonly node: Node | undefined;
  readonly service: Service;
  readonly addressType: AddressType;
}

/** The addresses of one family that a pod has. */
export function addressesOf({ status }: Pod, addressType: AddressType): string[] {
  const ips = status.podIPs?.map(({ ip }) => ip) ?? [];
  return ips.filter((ip) => ip.includes(':') === (addressType === 'IPv6'));
}

/**
 * Does DNS know the pod by its own name below the Service's?
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go ShouldSetHostname
 */
export function hasHostname({ metadata, spec }: Pod, service: Service): boolean {
  const { name, namespace } = service.metadata;
  return Boolean(spec.hostname) && spec.subdomain === name && metadata.namespace === namespace;
}

/**
 * From where an endpoint is best reached, if the Service prefers that: a ready endpoint from its own zone, and with
 * `PreferSameNode` from its own node.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 trafficdist/trafficdist.go preferCloseHeuristic.update
 *
 * Differs: `service.kubernetes.io/topology-mode: Auto` asks for hints in proportion to the CPUs of zones. With it there
 * are no hints.
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
 * The ports of a Service as this pod has them. A port that the pod does not have is left out, and the others stay.
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
 * The port's number in the pod; undefined when no container has a port of that name and protocol. Containers go before
 * sidecars.
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
