import { deepEqual, type discovery, type EndpointSlice } from '#harness';

/** What shall become of the slices of one Service that have the same ports. */
interface Packing {
  /** Slices with the endpoints and labels that they shall have. */
  readonly updates: readonly Packed[];
  readonly deletes: readonly EndpointSlice[];
  /** The endpoints of each slice that is new. */
  readonly creates: readonly (readonly discovery.Endpoint[])[];
}

/** A slice, and what it shall hold. */
interface Packed {
  readonly slice: EndpointSlice;
  readonly endpoints: readonly discovery.Endpoint[];
}

interface PackOptions {
  readonly maxEndpointsPerSlice: number;
  /** Must the slice be written anyway, because its labels are out of date? */
  readonly isOutdated: (slice: EndpointSlice) => boolean;
}

/**
 * Distributes endpoints over slices with as few writes as it can. Every endpoint stays where it is. Slices that are
 * written anyway are filled up first, the fullest first. What is left goes into one slice that has room for all of it, and
 * leaves the least room there; or else into new slices. Slices are never merged: a write of a slice is a message to every
 * node.
 *
 * @param desired each once
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
  /** Did it hold something, and is nothing of it wanted any more? */
  readonly isLost: boolean;
}

/** The slice that is closest to full with so many more, of those that are not written yet. Upstream: getSliceToFill */
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
 * Which endpoint it is, whatever its state. The pod is part of it: an address can be two pods', of which one has ended.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/endpointset.go hashEndpoint
 */
export function endpointKey({ addresses, hostname = '', targetRef }: discovery.Endpoint): string {
  const { namespace = '', name = '' } = targetRef ?? {};
  return JSON.stringify([[...(addresses ?? [])].sort(), hostname, namespace, name]);
}

/**
 * Equal for equal ports, in whatever order they stand.
 *
 * Upstream: kubernetes/endpointslice@v0.36.3 util/controller_utils.go NewPortMapKey
 */
export function portsKey(ports: readonly discovery.EndpointPort[] | null): string {
  const each = (ports ?? []).map(({ name, port, protocol, appProtocol }) =>
    JSON.stringify([name, port, protocol, appProtocol]),
  );
  return each.sort().join();
}
