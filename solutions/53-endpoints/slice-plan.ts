import {
  deepEqual,
  type discovery,
  type EndpointSlice,
  keyOf,
  type New,
  type Node,
  type OwnerReference,
  type Pod,
  type Service,
} from '#harness';
import { type AddressType, endpointPorts, podToEndpoint, shouldPodBeInEndpoints } from './endpoint.ts';
import { endpointKey, pack, portsKey } from './packing.ts';

/** The value of {@link MANAGED_BY} for the controller's own slices. */
export const CONTROLLER_NAME = 'endpointslice-controller.k8s.io';
/** The label with the controller that a slice belongs to. */
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
/** The label with the Service that a slice belongs to. */
export const SERVICE_NAME = 'kubernetes.io/service-name';
/** The label of slices and Endpoints of a headless Service. */
export const HEADLESS = 'service.kubernetes.io/headless';

/** The writes that turn the slices of a Service into the desired ones. */
export interface SlicePlan {
  readonly creates: readonly New<EndpointSlice>[];
  /** Each with the resourceVersion at which it was read. */
  readonly updates: readonly EndpointSlice[];
  readonly deletes: readonly EndpointSlice[];
  /** Pods that are left out because their node is unknown. The sync must be retried when the node is known. */
  readonly skipped: readonly Pod[];
}

/** The input of a plan. */
interface SliceSituation {
  readonly service: Service;
  /** The pods that the Service selects. */
  readonly pods: readonly Pod[];
  nodeCalled(name: string): Node | undefined;
  /** The controller's own slices with the Service's name. */
  readonly slices: readonly EndpointSlice[];
  readonly maxEndpointsPerSlice: number;
}

/**
 * Plans the writes that turn the existing slices into the desired ones. The plan is empty if they are equal.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 reconciler.go Reconciler.Reconcile
 */
export function planSlices(situation: SliceSituation): SlicePlan {
  const { service, slices } = situation;
  const types = addressTypesOf(service);
  const plans = types.map((type) =>
    planAddressType(
      situation,
      type,
      slices.filter(({ addressType }) => addressType === type),
    ),
  );
  return {
    creates: plans.flatMap(({ creates }) => creates),
    updates: plans.flatMap(({ updates }) => updates),
    deletes: [
      ...slices.filter(({ addressType }) => !types.some((type) => type === addressType)),
      ...plans.flatMap(({ deletes }) => deletes),
    ],
    skipped: plans.flatMap(({ skipped }) => skipped),
  };
}

/** Upstream: kubernetes/endpointslice@v0.36.3 utils.go getAddressTypesForService */
function addressTypesOf({ spec }: Service): readonly AddressType[] {
  const { ipFamilies = [], clusterIP = '' } = spec;
  const known = ipFamilies.filter((family) => family === 'IPv4' || family === 'IPv6');
  if (known.length > 0) return known;
  if (clusterIP && clusterIP !== 'None') return [clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}

/** Upstream: kubernetes/endpointslice@v0.36.3 reconciler.go Reconciler.reconcileByAddressType */
function planAddressType(
  situation: SliceSituation,
  addressType: AddressType,
  slices: readonly EndpointSlice[],
): SlicePlan {
  const { service, maxEndpointsPerSlice } = situation;
  const { groups, skipped } = desiredGroups(situation, addressType);
  // The other slices belong to an earlier Service of the same name; the garbage collector deletes them.
  const own = slices.filter((slice) => isOwnedBy(slice, service));
  const foreign = slices.filter((slice) => !isOwnedBy(slice, service));
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of own) {
    const key = portsKey(slice.ports);
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }

  const creates: New<EndpointSlice>[] = [];
  const updates: EndpointSlice[] = [];
  const deletes = [...foreign];
  for (const [key, { ports, endpoints }] of groups) {
    const isOutdated = ({ metadata }: EndpointSlice) =>
      !deepEqual(unreserved(metadata.labels), unreserved(service.metadata.labels));
    const packing = pack(byPorts.get(key) ?? [], [...endpoints.values()], {
      maxEndpointsPerSlice,
      isOutdated,
    });
    creates.push(
      ...packing.creates.map((each) => newSlice(service, { addressType, ports, endpoints: [...each] })),
    );
    updates.push(
      ...packing.updates.map((packed) =>
        withContent(packed.slice, service, { ports: packed.slice.ports, endpoints: [...packed.endpoints] }),
      ),
    );
    deletes.push(...packing.deletes);
  }
  for (const [key, unwanted] of byPorts) if (!groups.has(key)) deletes.push(...unwanted);

  // A Service without endpoints has one empty slice.
  if (creates.length === 0 && deletes.length === slices.length) {
    const placeholder = newSlice(service, { addressType, ports: [], endpoints: [] });
    const said = deletes.findIndex((slice) => isOwnedBy(slice, service) && isEmptySlice(slice, placeholder));
    if (said >= 0) deletes.splice(said, 1);
    else creates.push(placeholder);
  }
  return { ...reusing({ creates, updates, deletes }, service), skipped };
}

/** Distinct endpoints with the same ports. */
interface Group {
  readonly ports: discovery.EndpointPort[];
  readonly endpoints: Map<string, discovery.Endpoint>;
}

/** Returns the desired endpoints, grouped by ports. */
function desiredGroups(
  { service, pods, nodeCalled }: SliceSituation,
  addressType: AddressType,
): { readonly groups: ReadonlyMap<string, Group>; readonly skipped: readonly Pod[] } {
  const groups = new Map<string, Group>();
  const skipped: Pod[] = [];
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, true)) continue;
    const ports = endpointPorts(pod, service);
    const key = portsKey(ports);
    const group = groups.get(key) ?? { ports, endpoints: new Map() };
    groups.set(key, group);
    const node = nodeCalled(pod.spec.nodeName ?? '');
    if (!node && !service.spec.publishNotReadyAddresses) {
      skipped.push(pod);
      continue;
    }
    const endpoint = podToEndpoint(pod, { node, service, addressType });
    if (endpoint.addresses.length > 0) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return { groups, skipped };
}

type Writes = Pick<SlicePlan, 'creates' | 'updates' | 'deletes'>;

/** Replaces a delete and a create by one update. Upstream: Reconciler.finalize */
function reusing({ creates, updates, deletes }: Writes, service: Service): Writes {
  const left = [...creates];
  const reused: EndpointSlice[] = [];
  const gone = deletes.filter((slice) => {
    const next = isOwnedBy(slice, service) ? left.pop() : undefined;
    if (next) reused.push(withContent(slice, service, next));
    return !next;
  });
  return { creates: left, updates: [...updates, ...reused], deletes: gone };
}

/** The content of a slice. */
type Content = Pick<EndpointSlice, 'ports' | 'endpoints'>;

/** Upstream: kubernetes/endpointslice@v0.36.3 utils.go newEndpointSlice */
function newSlice(
  service: Service,
  content: Content & Pick<EndpointSlice, 'addressType'>,
): New<EndpointSlice> {
  const { name, namespace } = keyOf(service);
  return {
    metadata: {
      generateName: `${name}-`,
      ...(namespace ? { namespace } : {}),
      labels: labelsFor(service),
      ownerReferences: [ownerOf(service)],
    },
    ...content,
  };
}

function withContent(slice: EndpointSlice, service: Service, { ports, endpoints }: Content): EndpointSlice {
  return { ...slice, metadata: { ...slice.metadata, labels: labelsFor(service) }, ports, endpoints };
}

/** Reports whether the slice already equals `next`, the placeholder without endpoints. */
function isEmptySlice(slice: EndpointSlice, next: New<EndpointSlice>): boolean {
  return (
    deepEqual(slice.metadata.labels, next.metadata.labels) &&
    (slice.endpoints ?? []).length === 0 &&
    portsKey(slice.ports) === portsKey(next.ports)
  );
}

/**
 * Returns the labels of a slice: those of the Service, and the reserved ones.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 utils.go setEndpointSliceLabels
 */
function labelsFor({ metadata, spec }: Service): Record<string, string> {
  const { clusterIP = '' } = spec;
  return {
    ...unreserved(metadata.labels),
    ...(clusterIP === '' || clusterIP === 'None' ? { [HEADLESS]: '' } : {}),
    [SERVICE_NAME]: metadata.name,
    [MANAGED_BY]: CONTROLLER_NAME,
  };
}

function unreserved(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED.has(key)));
}

const RESERVED: ReadonlySet<string> = new Set([SERVICE_NAME, MANAGED_BY, HEADLESS]);

function ownerOf({ metadata: { name, uid } }: Service): OwnerReference {
  return { apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true };
}

/** Upstream: kubernetes/endpointslice@v0.36.3 utils.go ownedBy */
function isOwnedBy({ metadata }: EndpointSlice, { metadata: { uid } }: Service): boolean {
  return (metadata.ownerReferences ?? []).some(
    (owner) => owner.uid === uid && owner.kind === 'Service' && owner.apiVersion === 'v1',
  );
}
