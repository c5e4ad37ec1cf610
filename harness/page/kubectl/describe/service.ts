import type { EndpointSlice, Service } from '../../../api/objects.ts';
import { endpointSlices } from '../../../api/resource.ts';
import { formatLabels } from '../../../apiserver/table/labels.ts';
import type { Client } from '../../../contracts/client.ts';
import { headLines, indented, type Lines, metadataLines, NONE, UNSET } from './text.ts';

/** The most endpoints in one line. */
const ENDPOINTS_MAX = 3;

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeService */
export async function serviceLines(client: Client, service: Service): Promise<Lines> {
  const { metadata, spec, status } = service;
  const labelSelector = `kubernetes.io/service-name=${metadata.name}`;
  const { items } = await client.list(endpointSlices, { namespace: metadata.namespace ?? '', labelSelector });
  const list = (texts: readonly string[] | undefined): string => texts?.join(',') || NONE;
  const ingress = (status.loadBalancer?.ingress ?? []).map(({ ip, ipMode, hostname = '' }) =>
    ip ? `${ip}${ipMode ? ` (${ipMode})` : ''}` : hostname,
  );
  return [
    ...headLines(service),
    ...metadataLines(service),
    `Selector:\t${formatLabels(spec.selector)}`,
    `Type:\t${spec.type ?? ''}`,
    ...line('IP Family Policy', spec.ipFamilyPolicy),
    `IP Families:\t${list(spec.ipFamilies)}`,
    `IP:\t${spec.clusterIP ?? ''}`,
    `IPs:\t${list(spec.clusterIPs)}`,
    ...line('External IPs', spec.externalIPs?.join(',')),
    ...line('Desired LoadBalancer IP', spec.loadBalancerIP),
    ...line('External Name', spec.externalName),
    ...line('LoadBalancer Ingress', ingress.join(', ')),
    ...(spec.ports ?? []).flatMap((port) => {
      const { name = UNSET, protocol = 'TCP', appProtocol, nodePort } = port;
      return [
        `Port:\t${name}\t${port.port}/${protocol}`,
        `TargetPort:\t${port.targetPort}/${protocol}`,
        ...line('AppProtocol', appProtocol),
        ...(nodePort ? [`NodePort:\t${name}\t${nodePort}/${protocol}`] : []),
        `Endpoints:\t${endpointsOf(items, port.name ?? '')}`,
      ];
    }),
    `Session Affinity:\t${spec.sessionAffinity ?? ''}`,
    ...line('External Traffic Policy', spec.externalTrafficPolicy),
    ...line('Internal Traffic Policy', spec.internalTrafficPolicy),
    ...(spec.healthCheckNodePort ? [`HealthCheck NodePort:\t${spec.healthCheckNodePort}`] : []),
    ...line('LoadBalancer Source Ranges', spec.loadBalancerSourceRanges?.join(',')),
    ...line('Traffic Distribution', spec.trafficDistribution),
  ];
}

const line = (title: string, text: string | undefined): Lines => (text ? [`${title}:\t${text}`] : []);

/** Lists the ready endpoints of a port, at most three. Upstream: pkg/describe/describe.go formatEndpointSlices */
function endpointsOf(slices: readonly EndpointSlice[], portName: string): string {
  if (slices.length === 0) return NONE;
  const all = slices.flatMap(({ ports, endpoints }) => {
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready ?? true);
    if (!ports?.length) return ready.map(({ addresses }) => addresses[0] ?? '');
    return ports
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port }) => ready.map(({ addresses }) => `${hostOf(addresses[0] ?? '')}:${port}`));
  });
  const shown = all.slice(0, ENDPOINTS_MAX).join(',');
  return all.length > ENDPOINTS_MAX ? `${shown} + ${all.length - ENDPOINTS_MAX} more...` : shown;
}

const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/describe/describe.go describeEndpointSliceV1 */
export function endpointSliceLines(slice: EndpointSlice): Lines {
  const { addressType, ports, endpoints } = slice;
  const rows = (ports ?? []).map(
    ({ name, port, protocol = 'TCP' }) => `${name || UNSET}\t${port ?? UNSET}\t${protocol}`,
  );
  const targets = (endpoints ?? []).flatMap(
    ({ addresses, conditions, hostname, targetRef, nodeName, zone }) => [
      `- Addresses:\t${addresses.join(', ') || NONE}`,
      ...indented([
        'Conditions:',
        `  Ready:\t${conditions?.ready ?? UNSET}`,
        `Hostname:\t${hostname ?? UNSET}`,
        ...(targetRef ? [`TargetRef:\t${targetRef.kind}/${targetRef.name}`] : []),
        `NodeName:\t${nodeName ?? UNSET}`,
        `Zone:\t${zone ?? UNSET}`,
      ]),
    ],
  );
  return [
    ...headLines(slice),
    ...metadataLines(slice),
    `AddressType:\t${addressType}`,
    ...(rows.length === 0
      ? [`Ports: ${UNSET}`]
      : ['Ports:', ...indented(['Name\tPort\tProtocol', '----\t----\t--------', ...rows])]),
    ...(targets.length === 0 ? [`Endpoints: ${NONE}`] : ['Endpoints:', ...indented(targets)]),
  ];
}
