import { deepEqual, type discovery, type EndpointSlice } from '#harness';

/** The planned writes to the slices of one Service that have the same ports. */
interface Packing {
  /** Slices with their new endpoints. */
  readonly updates: readonly Packed[];
  readonly deletes: readonly EndpointSlice[];
  /** The endpoints of each new slice. */
  readonly creates: readonly (readonly discovery.Endpoint[])[];
}

/** A slice and its new endpoints. */
interface Packed {
  readonly slice: EndpointSlice;
  readonly endpoints: readonly discovery.Endpoint[];
}

interface PackOptions {
  readonly maxEndpointsPerSlice: number;
  /** Reports whether the slice must be written anyway, because its labels are out of date. */
  readonly isOutdated: (slice: EndpointSlice) => boolean;
}

/**
 * Distributes endpoints over slices with few writes. Every endpoint stays in its slice. Slices that must be written
 * anyway are filled first, the fullest one first. The remaining endpoints go into the slice that they fill best, if one
 * has room for all of them; otherwise into new slices. Slices are never merged, because every write of a slice is a
 * message to every node.
 *
 * @param desired - without duplicates
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 reconciler.go Reconciler.reconcileByPortMapping
 */
export function pack(
  slices: readonly EndpointSlice[],
  desired: readonly discovery.Endpoint[],
  { maxEndpointsPerSlice: max, isOutdated }: PackOptions,
): Packing {
  const unplaced = new Map(desired.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const drafts = slices.map((slice): Draft => {
    const present = slice.endpoints ?? [];
    const endpoints = present.flatMap((endpoint) => take(unplaced, endpointKey(endpoint)));
    const isChanged =
      endpoints.length < present.length || endpoints.some((each, i) => !deepEqual(each, present[i]));
    return {
      slice,
      endpoints,
      isWritten: isChanged || isOutdated(slice),
      isLost: isChanged && endpoints.length === 0,
    };
  });

  const kept = drafts.filter(({ isLost }) => !isLost);
  const written = kept.filter(({ isWritten }) => isWritten);
  for (const { endpoints } of written.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) {
    fill(endpoints, unplaced, max);
  }
  const creates: discovery.Endpoint[][] = [];
  while (unplaced.size > 0) {
    const draft = unplaced.size < max ? roomFor(unplaced.size, kept, max) : undefined;
    if (draft) draft.isWritten = true;
    else creates.push([]);
    fill(draft?.endpoints ?? (creates.at(-1) as discovery.Endpoint[]), unplaced, max);
  }
  return {
    creates,
    updates: kept.filter(({ isWritten }) => isWritten),
    deletes: drafts.filter(({ isLost }) => isLost).map(({ slice }) => slice),
  };
}

interface Draft {
  readonly slice: EndpointSlice;
  readonly endpoints: discovery.Endpoint[];
  isWritten: boolean;
  /** Whether the slice had endpoints, and none of them is desired any more. */
  readonly isLost: boolean;
}

/**
 * Returns, among the slices that are not written yet, the one that `count` more endpoints fill best.
 *
 * Upstream: getSliceToFill
 */
function roomFor(count: number, drafts: readonly Draft[], max: number): Draft | undefined {
  return drafts
    .filter(({ isWritten, endpoints }) => !isWritten && endpoints.length + count <= max)
    .toSorted((a, b) => b.endpoints.length - a.endpoints.length)[0];
}

function fill(endpoints: discovery.Endpoint[], unplaced: Map<string, discovery.Endpoint>, max: number): void {
  for (const key of unplaced.keys()) {
    if (endpoints.length >= max) return;
    endpoints.push(...take(unplaced, key));
  }
}

function take<T>(from: Map<string, T>, key: string): T[] {
  const taken = from.get(key);
  from.delete(key);
  return taken === undefined ? [] : [taken];
}

/**
 * Returns the identity of an endpoint, independent of its state. It includes the pod, because two pods can have the
 * same address while one of them has ended.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/endpointset.go hashEndpoint
 */
export function endpointKey({ addresses, hostname = '', targetRef }: discovery.Endpoint): string {
  const { namespace = '', name = '' } = targetRef ?? {};
  return JSON.stringify([[...(addresses ?? [])].sort(), hostname, namespace, name]);
}

/**
 * Returns equal keys for equal ports, in any order.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go NewPortMapKey
 */
export function portsKey(ports: readonly discovery.EndpointPort[] | null): string {
  const each = (ports ?? []).map(({ name, port, protocol, appProtocol }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return each.sort().join();
}
