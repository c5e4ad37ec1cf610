import { canonicalIP, SLICE } from '#given/57-endpoint-slice-mirroring';
import {
  type core,
  type discovery,
  type EndpointSlice,
  type Endpoints,
  type New,
  semanticEqual,
  semanticText,
} from '#harness';

export const CONTROLLER_NAME = 'endpointslicemirroring-controller.k8s.io';

/** Annotations that a slice does not copy. */
const OWN_ANNOTATIONS = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** Number of addresses of one subset that are mirrored. Upstream: MirroringMaxEndpointsPerSubset */
export const ADDRESSES_MAX = 1_000;

/** The writes that make the slices mirror their Endpoints. */
interface MirrorPlan {
  readonly creates: readonly New<EndpointSlice>[];
  readonly updates: readonly EndpointSlice[];
  readonly deletes: readonly EndpointSlice[];
  /** Number of addresses beyond {@link ADDRESSES_MAX}. */
  readonly skipped: number;
}

/**
 * Plans one slice for each set of ports and each address family. A slice that is no longer desired is reused for a new
 * one of the same family.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpointslicemirroring/reconciler.go reconciler.reconcile
 *
 * @param slices - the existing mirrored slices of the Endpoints
 */
export function planMirroring(endpoints: Endpoints, slices: readonly EndpointSlice[]): MirrorPlan {
  const { desired, skipped } = desiredSlices(endpoints);
  const creates: New<EndpointSlice>[] = [];
  const updates: EndpointSlice[] = [];
  const deletes = new Set(slices);
  for (const next of desired) {
    const existing = slices.find((slice) => keyOf(slice) === keyOf(next));
    if (!existing) creates.push(next);
    else {
      deletes.delete(existing);
      if (!isSame(existing, next)) updates.push(rewritten(existing, next));
    }
  }
  const created = creates.filter((next) => {
    const reused = [...deletes].find(({ addressType }) => addressType === next.addressType);
    if (!reused) return true;
    deletes.delete(reused);
    updates.push(rewritten(reused, next));
    return false;
  });
  return { creates: created, updates, deletes: [...deletes], skipped };
}

/** Slices with equal keys have the same family and the same ports. */
function keyOf({ addressType, ports }: Pick<EndpointSlice, 'addressType' | 'ports'>): string {
  return [addressType, ...(ports ?? []).map(semanticText).sort()].join();
}

/** Keeps the name of a slice and replaces everything else. */
function rewritten({ metadata, ...rest }: EndpointSlice, next: New<EndpointSlice>): EndpointSlice {
  const { generateName: _, ...its } = next.metadata;
  const { annotations: _old, ownerReferences: _owners, ...kept } = metadata;
  return { ...rest, ...next, metadata: { ...kept, ...its } } as EndpointSlice;
}

function isSame(slice: EndpointSlice, next: New<EndpointSlice>): boolean {
  // The server stores no empty annotations.
  const { labels, annotations = {}, ownerReferences = [] } = slice.metadata;
  const [owner] = next.metadata.ownerReferences ?? [];
  const texts = (endpoints: EndpointSlice['endpoints'] | undefined): readonly string[] =>
    (endpoints ?? []).map(semanticText).sort();
  return (
    semanticEqual(labels, next.metadata.labels) &&
    semanticEqual(annotations, next.metadata.annotations) &&
    !ownerReferences.some(
      ({ kind, name, uid }) => kind === 'Endpoints' && name === owner?.name && uid !== owner.uid,
    ) &&
    semanticEqual(texts(slice.endpoints), texts(next.endpoints))
  );
}

/** Upstream: utils.go newEndpointSlice */
function desiredSlices(endpoints: Endpoints): {
  readonly desired: readonly New<EndpointSlice>[];
  readonly skipped: number;
} {
  const { name, namespace = '', uid, labels, annotations = {} } = endpoints.metadata;
  const metadata = {
    generateName: `${name}-`,
    namespace,
    labels: { ...labels, [SLICE.service]: name, [SLICE.managedBy]: CONTROLLER_NAME },
    annotations: copied(annotations),
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true },
    ],
  };
  let skipped = 0;
  const desired = repacked(endpoints.subsets ?? []).flatMap(({ ports, members }) => {
    skipped += Math.max(0, members.length - ADDRESSES_MAX);
    const mirrored = members.slice(0, ADDRESSES_MAX).map(endpointOf);
    return (['IPv4', 'IPv6'] as const).flatMap((addressType) => {
      const ofFamily = mirrored.filter(
        ({ addresses }) => addresses[0]?.includes(':') === (addressType === 'IPv6'),
      );
      return ofFamily.length > 0 ? [{ metadata, addressType, ports, endpoints: ofFamily }] : [];
    });
  });
  return { desired, skipped };
}

/** Returns the annotations of Endpoints that a slice copies. */
function copied(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !OWN_ANNOTATIONS.includes(key)));
}

/** An address, and whether it is ready at some ports. */
interface Member {
  readonly address: core.EndpointAddress;
  readonly ready: boolean;
}

/** Upstream: utils.go addressToEndpoint */
function endpointOf({ address, ready }: Member): discovery.Endpoint {
  const { ip, targetRef, nodeName, hostname } = address;
  return {
    addresses: [canonicalIP(ip)],
    conditions: { ready },
    ...(targetRef ? { targetRef } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(hostname ? { hostname } : {}),
  };
}

/**
 * Groups addresses by their ports, with the ready addresses first. An address that several subsets list has the ports of
 * all of them. An address that is both ready and not ready at a port is not ready.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/endpoints/util.go RepackSubsets
 */
function repacked(subsets: readonly core.EndpointSubset[]): readonly {
  readonly ports: discovery.EndpointPort[];
  readonly members: readonly Member[];
}[] {
  const byPort = new Map<string, { port: core.EndpointPort | undefined; members: Map<string, Member> }>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    for (const port of ports.length > 0 ? ports : [undefined]) {
      const text = semanticText(port);
      const { members } = byPort.get(text) ?? { members: new Map<string, Member>() };
      byPort.set(text, { port, members });
      for (const address of addresses) {
        const key = memberKey(address);
        if (!members.has(key)) members.set(key, { address, ready: true });
      }
      for (const address of notReadyAddresses) members.set(memberKey(address), { address, ready: false });
    }
  }
  const groups = new Map<string, { ports: discovery.EndpointPort[]; members: readonly Member[] }>();
  for (const { port, members: all } of byPort.values()) {
    const members = [...all.values()].sort((a, b) => Number(b.ready) - Number(a.ready));
    const text = members
      .map(({ address, ready }) => `${memberKey(address)} ${ready}`)
      .toSorted()
      .join();
    const group = groups.get(text) ?? { ports: [], members };
    groups.set(text, group);
    if (port) group.ports.push({ ...port, name: port.name ?? '' });
  }
  return [...groups.values()];
}

/** Two pods can have the same address while one of them ends. */
function memberKey({ ip, targetRef }: core.EndpointAddress): string {
  return `${ip} ${targetRef?.uid ?? ''}`;
}
