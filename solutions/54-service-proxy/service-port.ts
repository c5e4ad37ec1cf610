import { type core, parseIP, parsePrefix, type Service } from '#harness';

/** One port of a service, with all data that its rules need. */
export interface ServicePort {
  /** The service's key: `default/web`. */
  readonly service: string;
  /** The name of the port; empty if it has none. */
  readonly portName: string;
  /** The name in comments and in the input of chain names: `default/web:http`. */
  readonly name: string;
  readonly protocol: 'tcp' | 'udp' | 'sctp';
  readonly clusterIP: string;
  readonly port: number;
  /** The port on every node; undefined if the service has none. */
  readonly nodePort: number | undefined;
  readonly externalIPs: readonly string[];
  /** Load balancer addresses that packets still have as their destination when they reach a node. */
  readonly loadBalancerIPs: readonly string[];
  /** The source ranges that may use those addresses. Empty: all. */
  readonly loadBalancerSourceRanges: readonly string[];
  /** How long a client keeps its endpoint; undefined without session affinity. */
  readonly affinitySeconds: number | undefined;
  /** Whether traffic from outside the cluster goes only to endpoints on this node. */
  readonly isExternalLocal: boolean;
  /** Whether traffic to the cluster IP goes only to endpoints on this node. */
  readonly isInternalLocal: boolean;
  /** The port of the load balancer's health check; undefined if there is none. */
  readonly healthCheckNodePort: number | undefined;
}

/** The types of services that are reachable from outside the cluster. */
const EXTERNAL_TYPES: readonly (string | undefined)[] = ['NodePort', 'LoadBalancer'];

/** The label of services that another proxy handles. */
const PROXY_NAME = 'service.kubernetes.io/service-proxy-name';

/**
 * Returns the IPv4 ports of a service that need rules; none for a service without a cluster IP.
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

/**
 * Returns the address of a load balancer, unless it is a proxy. A proxy sends its own packets to nodes or pods, so that
 * its address is never their destination.
 */
function vipOf({ ip, ipMode = 'VIP' }: core.LoadBalancerIngress): readonly string[] {
  return ip && ipMode === 'VIP' && isIPv4(ip) ? [ip] : [];
}

function sourceRangesOf({ loadBalancerSourceRanges = [] }: core.ServiceSpec): readonly string[] {
  // The API allows spaces around a range.
  const ranges = loadBalancerSourceRanges.map((range) => range.trim());
  const ours = ranges.filter((range) => parsePrefix(range).ip.family === 4);
  return ours.some((range) => parsePrefix(range).bits === 0) ? [] : ours;
}

/** Reports whether the port is reachable through an address other than its cluster IP. */
export function isExternallyAccessible(port: ServicePort): boolean {
  return port.nodePort !== undefined || port.externalIPs.length > 0 || port.loadBalancerIPs.length > 0;
}

/**
 * Reports whether some clients can use endpoints on any node: this includes clients on this node that use an external
 * address.
 */
export function usesClusterEndpoints(port: ServicePort): boolean {
  return !port.isInternalLocal || isExternallyAccessible(port);
}

/** Reports whether some clients can use only endpoints on this node. */
export function usesLocalEndpoints(port: ServicePort): boolean {
  return port.isInternalLocal || (port.isExternalLocal && isExternallyAccessible(port));
}

function isIPv4(ip: string): boolean {
  return ip !== '' && ip !== 'None' && parseIP(ip).family === 4;
}
