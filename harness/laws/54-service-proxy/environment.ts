import type { EndpointSlice, New, Service } from '../../api/objects.ts';
import { addressesOf, isHere } from './oracle.ts';
import type { Backend, Hints, ServiceName, Shape } from './scenario.ts';
import { POD_PORT, type PodName, podIPs } from './simulation/network.ts';

export const NAMESPACE = 'default';

/** Returns the spec of a Service as a user writes it. */
export function serviceSpec(name: ServiceName, shape: Shape): NonNullable<Service['spec']> {
  const { clusterIP, port, nodePort, externalIP } = addressesOf(name);
  const { external, isExternalLocal, isInternalLocal, isSticky, isGuarded } = shape;
  const hasNodePort = external === 'node-port' || external === 'load-balancer';
  const isOutside = external !== 'none';
  return {
    type: external === 'load-balancer' ? 'LoadBalancer' : hasNodePort ? 'NodePort' : 'ClusterIP',
    clusterIP,
    ports: [
      {
        name: 'main',
        protocol: name === 'dns' ? 'UDP' : 'TCP',
        port,
        targetPort: POD_PORT,
        ...(hasNodePort && { nodePort }),
      },
    ],
    ...(external === 'external-ip' && { externalIPs: [externalIP] }),
    ...(isOutside && { externalTrafficPolicy: isExternalLocal ? 'Local' : 'Cluster' }),
    internalTrafficPolicy: isInternalLocal ? 'Local' : 'Cluster',
    sessionAffinity: isSticky ? 'ClientIP' : 'None',
    ...(isSticky && { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } }),
    ...(external === 'load-balancer' && isGuarded && { loadBalancerSourceRanges: ['203.0.113.0/24'] }),
  };
}

/** Returns the status that a cloud provider writes once it has a load balancer. */
export function serviceStatus(name: ServiceName, { external }: Shape): NonNullable<Service['status']> {
  if (external !== 'load-balancer') return { loadBalancer: {} };
  return { loadBalancer: { ingress: [{ ip: addressesOf(name).loadBalancerIP, ipMode: 'VIP' }] } };
}

/** Returns the slice with this number, with its pods. */
export function sliceOf(
  service: ServiceName,
  number: 0 | 1,
  { backends, hints }: { readonly backends: readonly Backend[]; readonly hints: Hints },
): New<EndpointSlice> {
  const entries = backends.flatMap(({ pod, state, slice, ghost }, i) => [
    ...(slice === number ? [endpointOf(pod, state, hints, i)] : []),
    ...(ghost && slice !== number ? [endpointOf(pod, ghost, hints, i)] : []),
  ]);
  return {
    metadata: {
      name: `${service}-${number}`,
      namespace: NAMESPACE,
      labels: { 'kubernetes.io/service-name': service },
    },
    addressType: 'IPv4',
    endpoints: entries,
    ports: [{ name: 'main', protocol: service === 'dns' ? 'UDP' : 'TCP', port: POD_PORT }],
  };
}

function endpointOf(
  pod: PodName,
  state: Backend['state'],
  hints: Hints,
  i: number,
): NonNullable<EndpointSlice['endpoints']>[number] {
  const [node, zone] = isHere(pod) ? ['node-1', 'a'] : ['node-2', 'b'];
  const isHinted = hints === 'zone' || (hints === 'partly' && i === 0);
  return {
    addresses: [podIPs[pod]],
    conditions: {
      ready: state === 'ready',
      serving: state === 'ready' || state === 'draining',
      terminating: state === 'draining' || state === 'ending',
    },
    nodeName: node,
    zone,
    ...(isHinted && { hints: { forZones: [{ name: zone }] } }),
    ...(hints === 'node' && { hints: { forNodes: [{ name: node }] } }),
  };
}
