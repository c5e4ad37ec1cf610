import type { EndpointSubset, Endpoints } from '#api/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '#api/discovery/v1';
import { age, type Column, NONE, name, text, UNSET } from './column.ts';

/** The columns of Endpoints. */
export const endpointsColumns: readonly Column<Endpoints>[] = [
  name,
  text('Endpoints', 'The addresses behind the service, with their ports.', ({ subsets }) =>
    subsets?.length ? firstOf(subsets.flatMap(subsetTexts)) : NONE,
  ),
  age,
];

/** The columns of an EndpointSlice. */
export const endpointSliceColumns: readonly Column<EndpointSlice>[] = [
  name,
  text('AddressType', 'What its addresses are.', ({ addressType }) => addressType ?? ''),
  text('Ports', 'The ports of each address.', ({ ports }) => firstOf((ports ?? []).map(portText)) || UNSET),
  text(
    'Endpoints',
    'The addresses.',
    ({ endpoints }) => firstOf((endpoints ?? []).flatMap(addressesOf)) || UNSET,
  ),
  age,
];

const SHOWN_MAX = 3;

/** Joins the first texts and appends the number of the others. */
function firstOf(texts: readonly string[]): string {
  const shown = texts.slice(0, SHOWN_MAX).join(',');
  return texts.length > SHOWN_MAX ? `${shown} + ${texts.length - SHOWN_MAX} more...` : shown;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go formatEndpoints */
function subsetTexts({ addresses, ports }: EndpointSubset): readonly string[] {
  const ips = (addresses ?? []).map(({ ip }) => ip);
  if (!ports?.length) return ips;
  return ports.flatMap(({ port }) =>
    ips.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)),
  );
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go formatDiscoveryPorts */
function portText({ port, name: named }: EndpointPort): string {
  return String(port ?? named ?? '*');
}

function addressesOf({ addresses }: Endpoint): readonly string[] {
  return addresses ?? [];
}
