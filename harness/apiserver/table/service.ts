import type { LoadBalancerIngress, Service, ServicePort } from '#api/core/v1';
import { UNKNOWN } from './ago.ts';
import { age, type Column, NONE, name, text, wide } from './column.ts';
import { formatLabels } from './labels.ts';

/** The columns of a Service. */
export const serviceColumns: readonly Column<Service>[] = [
  name,
  text('Type', 'How the service can be reached.', ({ spec }) => spec?.type ?? ''),
  text('Cluster-IP', 'Its first address inside of the cluster.', ({ spec }) => spec?.clusterIPs?.[0] ?? NONE),
  text('External-IP', 'Its addresses for the world outside.', externalIP),
  text(
    'Port(s)',
    'Its ports, and those of the nodes.',
    ({ spec }) => (spec?.ports ?? []).map(portText).join(',') || NONE,
  ),
  age,
  wide(text('Selector', 'The labels of the pods behind it.', ({ spec }) => formatLabels(spec?.selector))),
];

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go getServiceExternalIP */
function externalIP({ spec, status }: Service): string {
  const given = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return given.join(',') || NONE;
    case 'LoadBalancer':
      return [...loadBalancerAddresses(status?.loadBalancer?.ingress), ...given].join(',') || '<pending>';
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

/**
 * Returns the addresses of a load balancer, or its names, in order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go loadBalancerStatusStringer
 */
export function loadBalancerAddresses(
  ingress: readonly Pick<LoadBalancerIngress, 'ip' | 'hostname'>[] | null | undefined,
): string[] {
  const addresses = (ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses.filter(Boolean))].sort();
}

function portText({ port, nodePort, protocol }: ServicePort): string {
  return `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? ''}`;
}
