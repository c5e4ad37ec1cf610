import { canonicalIP } from '../../api/ip.ts';
import type { EndpointSlice, Endpoints, Service } from '../../api/objects.ts';
import { SLICE } from '../../contracts/slice-labels.ts';

/** The value of the label of mirrored slices. */
export const CONTROLLER = 'endpointslicemirroring-controller.k8s.io';

/** The objects of the cluster. */
export interface Snapshot {
  readonly services: readonly Service[];
  readonly endpoints: readonly Endpoints[];
  readonly slices: readonly EndpointSlice[];
}

/** Returns the pending obligations of the controller, as phrases that follow "has still to". */
export function obligations(snapshot: Snapshot): readonly string[] {
  const mirrored = snapshot.slices.filter(isMirrored);
  const names = new Set([
    ...snapshot.endpoints.map(({ metadata }) => metadata.name),
    ...mirrored.map(({ metadata }) => metadata.labels?.[SLICE.service] ?? ''),
  ]);
  return [...names].flatMap((name) => {
    const slices = mirrored.filter(({ metadata }) => metadata.labels?.[SLICE.service] === name);
    const source = sourceOf(name, snapshot);
    if (!source) return slices.map(({ metadata }) => `delete slice ${metadata.name} of ${name}`);
    return [...addressesOwed(source, slices), ...slices.flatMap((slice) => metadataOwed(source, slice))];
  });
}

export const isMirrored = ({ metadata }: EndpointSlice): boolean =>
  metadata.labels?.[SLICE.managedBy] === CONTROLLER;

/** Returns the Endpoints of this name, if they must be mirrored. */
export function sourceOf(name: string, { services, endpoints }: Snapshot): Endpoints | undefined {
  const source = endpoints.find(({ metadata }) => metadata.name === name);
  const service = services.find(({ metadata }) => metadata.name === name);
  const { labels = {}, annotations = {} } = source?.metadata ?? {};
  const isForbidden =
    labels['endpointslice.kubernetes.io/skip-mirror'] === 'true' ||
    'control-plane.alpha.kubernetes.io/leader' in annotations;
  return service && !service.spec.selector && !isForbidden ? source : undefined;
}

/** Returns the addresses that the slices lack, and those that they have too much or twice. */
function addressesOwed(source: Endpoints, slices: readonly EndpointSlice[]): readonly string[] {
  const { name } = source.metadata;
  const expected = wanted(source);
  const found = slices.flatMap(addressesIn);
  return [
    ...expected.filter((each) => !found.includes(each)).map((each) => `mirror ${each} of ${name}`),
    ...found
      .filter((each, i) => !expected.includes(each) || found.indexOf(each) !== i)
      .map((each) => `remove ${each} from a slice of ${name}`),
  ];
}

/** Returns each address of Endpoints with a port. An address that is both ready and not ready is not ready. */
export function wanted({ subsets = [] }: Endpoints): readonly string[] {
  const states = new Map<string, boolean>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const port of ports.length > 0 ? ports : [undefined]) {
      const note = ({ ip }: { readonly ip: string }, ready: boolean): void => {
        const place = `${canonicalIP(ip)} ${portText(port)}`;
        states.set(place, ready && (states.get(place) ?? true));
      };
      for (const address of addresses) note(address, true);
      for (const address of notReadyAddresses) note(address, false);
    }
  }
  return [...states].map(([place, ready]) => `${place}${ready ? '' : ' (not ready)'}`);
}

/** Returns each address of a slice with a port, as {@link wanted}. */
function addressesIn({ addressType, endpoints, ports }: EndpointSlice): readonly string[] {
  const all = ports?.length ? ports : [undefined];
  return (endpoints ?? []).flatMap(({ addresses, conditions }) =>
    addresses.flatMap((address) =>
      all.map((port) => {
        const family = address.includes(':') ? 'IPv6' : 'IPv4';
        const wrong = family === addressType ? '' : ` in a slice of ${addressType}`;
        return `${address} ${portText(port)}${conditions?.ready ? '' : ' (not ready)'}${wrong}`;
      }),
    ),
  );
}

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

const portText = (port: Port | undefined): string =>
  port ? `${port.protocol} ${port.port} ${port.name ?? ''}` : 'without a port';

const COPIED_NOT = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Returns the labels, annotations and owner that a slice lacks. */
function metadataOwed(source: Endpoints, { metadata }: EndpointSlice): readonly string[] {
  const { name, uid, labels = {}, annotations = {} } = source.metadata;
  const { [SLICE.service]: _, [SLICE.managedBy]: _by, ...own } = metadata.labels ?? {};
  const { [COPIED_NOT]: _time, ...copied } = annotations;
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Endpoints');
  return [
    ...(isSame(own, labels) ? [] : [`copy the labels of ${name} into slice ${metadata.name}`]),
    ...(isSame(metadata.annotations ?? {}, copied)
      ? []
      : [`copy the annotations of ${name} into slice ${metadata.name}`]),
    ...(owner?.uid === uid ? [] : [`make ${name} the owner of slice ${metadata.name}`]),
  ];
}

type Texts = Readonly<Record<string, string>>;

const isSame = (a: Texts, b: Texts): boolean => textOf(a) === textOf(b);
const textOf = (texts: Texts): string => JSON.stringify(Object.entries(texts).toSorted());
