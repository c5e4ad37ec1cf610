import { type core, parseIP, parsePrefix, type Service } from '#harness';

/** One port of a service, as rules are made of it. */
export interface ServicePort {
  /** `default/web`. */
  readonly service: string;
  /** The name of the port; empty if it has none. */
  readonly portName: string;
  /** As comments and names of chains have it: `default/web:http`. */
  readonly name: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly clusterIP: string;
  readonly port: number;
  /** The port of every node that leads to it; undefined if there is none. */
  readonly nodePort: number | undefined;
  readonly externalIPs: readonly string[];
  /** Addresses at which a load balancer sends packets on to nodes as they came. */
  readonly loadBalancerIPs: readonly string[];
  /** Which sources may use those addresses. Empty: all. */
  readonly loadBalancerSourceRanges: readonly string[];
  /** For so long a client comes back to its endpoint; undefined where that does not matter. */
  readonly affinitySeconds: number | undefined;
  /** Whether what comes from outside goes to endpoints on this node alone. */
  readonly isExternalLocal: boolean;
  /** Whether what comes to the cluster IP goes to endpoints on this node alone. */
  readonly isInternalLocal: boolean;
  /** Where a load balancer asks whether this node has an endpoint; undefined if none asks. */
  readonly healthCheckNodePort: number | undefined;
}

/** Kinds of services that have something on the outside of the cluster. */
const EXTERNAL_TYPES: readonly (string | undefined)[] = ['NodePort', 'LoadBalancer'];

/** Says that another proxy takes care of a service. */
const PROXY_NAME = 'service.kubernetes.io/service-proxy-name';

/**
 * The ports of a service for which there are rules: of IPv4, and none for a service without an address.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/proxy/serviceport.go newBaseServiceInfo, util/utils.go ShouldSkipService
 */
export function servicePortsOf(service: Service): readonly ServicePort[] {
  const { metadata, spec = {} } = service;
  const clusterIP = (spec.clusterIPs ?? [spec.clusterIP ?? '']).find(isIPv4);
  if (spec.type === 'ExternalName' || clusterIP === undefined) return [];
  if (metadata.labels?.[PROXY_NAME] !== undefined) return [];
  const key = `${metadata.namespace}/${metadata.name}`;
  return (spec.ports ?? []).map(({ name = '', protocol = 'TCP', port, nodePort }) => ({
    service: key,
    portName: name,
    name: name === '' ? key : `${key}:${name}`,
    protocol: protocol.toLowerCase() as ServicePort['protocol'],
    clusterIP,
    port,
    nodePort: nodePort || undefined,
    ...outsideOf(service),
    affinitySeconds:
      spec.sessionAffinity === 'ClientIP' ? spec.sessionAffinityConfig?.clientIP?.timeoutSeconds : undefined,
    isInternalLocal: spec.internalTrafficPolicy === 'Local',
  }));
}

type Outside = Pick<
  ServicePort,
  'externalIPs' | 'loadBalancerIPs' | 'loadBalancerSourceRanges' | 'isExternalLocal' | 'healthCheckNodePort'
>;

function outsideOf({ spec = {}, status }: Service): Outside {
  const externalIPs = (spec.externalIPs ?? []).filter(isIPv4);
  const isExternalLocal =
    spec.externalTrafficPolicy === 'Local' && (EXTERNAL_TYPES.includes(spec.type) || externalIPs.length > 0);
  return {
    externalIPs,
    loadBalancerIPs: (status?.loadBalancer?.ingress ?? []).flatMap(vipOf),
    loadBalancerSourceRanges: sourceRangesOf(spec),
    isExternalLocal,
    healthCheckNodePort:
      spec.type === 'LoadBalancer' && isExternalLocal ? spec.healthCheckNodePort || undefined : undefined,
  };
}

/** A load balancer that is a proxy sends packets of its own: to them, its address means nothing. */
function vipOf({ ip, ipMode = 'VIP' }: core.LoadBalancerIngress): readonly string[] {
  return ip && ipMode === 'VIP' && isIPv4(ip) ? [ip] : [];
}

function sourceRangesOf({ loadBalancerSourceRanges = [] }: core.ServiceSpec): readonly string[] {
  // What the API takes may have spaces around it.
  const ranges = loadBalancerSourceRanges.map((range) => range.trim());
  const ours = ranges.filter((range) => parsePrefix(range).ip.family === 4);
  return ours.some((range) => parsePrefix(range).bits === 0) ? [] : ours;
}

/** Whether it can be reached by anything but its cluster IP. */
export function isExternallyAccessible(port: ServicePort): boolean {
  return port.nodePort !== undefined || port.externalIPs.length > 0 || port.loadBalancerIPs.length > 0;
}

/** Whether any endpoint may be asked for, wherever it is: also by those on this node that come by an address for the outside. */
export function usesClusterEndpoints(port: ServicePort): boolean {
  return !port.isInternalLocal || isExternallyAccessible(port);
}

/** Whether endpoints on this node alone are asked for by some. */
export function usesLocalEndpoints(port: ServicePort): boolean {
  return port.isInternalLocal || (port.isExternalLocal && isExternallyAccessible(port));
}

function isIPv4(ip: string): boolean {
  return ip !== '' && ip !== 'None' && parseIP(ip).family === 4;
}
