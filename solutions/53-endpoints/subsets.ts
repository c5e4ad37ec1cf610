import type { core, Pod, Service } from '#harness';
import { addressesOf, endpointPorts, hasHostname, isPodReady, shouldPodBeInEndpoints } from './endpoint.ts';

/** The maximum number of addresses in an Endpoints object. Upstream: maxCapacity */
const CAPACITY = 1000;

/**
 * Groups the addresses of a Service by their ports. A pod that lacks a named port is in another subset than a pod that
 * has it.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpoint/endpoints_controller.go Controller.syncService,
 * pkg/api/v1/endpoints/util.go RepackSubsets
 *
 * Differs: ports and subsets are ordered by their JSON; upstream orders them by their hashes.
 */
export function subsetsOf(service: Service, pods: readonly Pod[]): core.EndpointSubset[] {
  const { publishNotReadyAddresses = false, ports = [], clusterIP } = service.spec;
  const byPort = new Map<string, { port: core.EndpointPort | undefined; members: Map<string, Member> }>();
  const add = (port: core.EndpointPort | undefined, member: Member): void => {
    const key = JSON.stringify(port ?? null);
    const entry = byPort.get(key) ?? { port, members: new Map() };
    byPort.set(key, entry);
    entry.members.set(keyOf(member.address), member);
  };
  for (const pod of pods) {
    if (!shouldPodBeInEndpoints(pod, publishNotReadyAddresses)) continue;
    const address = addressOf(pod, service);
    if (!address) continue;
    const member = { address, ready: publishNotReadyAddresses || isPodReady(pod) };
    for (const { name, port = 0, ...rest } of endpointPorts(pod, service)) {
      add({ ...(name ? { name } : {}), port, ...rest }, member);
    }
    // A headless Service does not need ports.
    if (ports.length === 0 && clusterIP === 'None') add(undefined, member);
  }

  const bySet = new Map<string, { members: readonly Member[]; ports: core.EndpointPort[] }>();
  for (const { port, members } of byPort.values()) {
    const keys = [...members.keys()].sort();
    const entry = bySet.get(keys.join()) ?? {
      members: keys.map((key) => members.get(key) as Member),
      ports: [],
    };
    bySet.set(keys.join(), entry);
    if (port) entry.ports.push(port);
  }
  return [...bySet.values()].map(subsetOf).sort(byText);
}

/** A pod's address, and whether it is ready. */
interface Member {
  readonly address: core.EndpointAddress;
  readonly ready: boolean;
}

/** Two pods can have the same address while one of them is ending. */
function keyOf({ ip, targetRef }: core.EndpointAddress): string {
  return `${ip} ${targetRef?.uid ?? ''}`;
}

function subsetOf({
  members,
  ports,
}: {
  members: readonly Member[];
  ports: core.EndpointPort[];
}): core.EndpointSubset {
  const addresses = members.filter(({ ready }) => ready).map(({ address }) => address);
  const notReadyAddresses = members.filter(({ ready }) => !ready).map(({ address }) => address);
  return {
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(notReadyAddresses.length > 0 ? { notReadyAddresses } : {}),
    ...(ports.length > 0 ? { ports: ports.sort(byText) } : {}),
  };
}

function byText(a: object, b: object): number {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)];
  return one < other ? -1 : Number(one > other);
}

/** Upstream: podToEndpointAddressForService */
function addressOf(pod: Pod, service: Service): core.EndpointAddress | undefined {
  const { ipFamilies = [], clusterIP = '' } = service.spec;
  const known = clusterIP && clusterIP !== 'None' ? clusterIP : (pod.status.podIP ?? '');
  const family = ipFamilies[0] ?? (known.includes(':') ? 'IPv6' : 'IPv4');
  const [ip] = addressesOf(pod, family === 'IPv6' ? 'IPv6' : 'IPv4');
  if (ip === undefined) return undefined;
  const { name, namespace, uid } = pod.metadata;
  const { nodeName, hostname } = pod.spec;
  return {
    ip,
    ...(nodeName ? { nodeName } : {}),
    ...(hostname && hasHostname(pod, service) ? { hostname } : {}),
    targetRef: { kind: 'Pod', ...(namespace ? { namespace } : {}), name, uid },
  };
}

/**
 * Truncates subsets to the capacity of an Endpoints object. It keeps ready addresses before others, and a share of each
 * subset.
 *
 * @returns the remaining subsets, and whether any address was removed
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/endpoint/endpoints_controller.go truncateEndpoints
 */
export function truncated(subsets: core.EndpointSubset[]): {
  subsets: core.EndpointSubset[];
  isCut: boolean;
} {
  const count = (field: 'addresses' | 'notReadyAddresses'): number =>
    subsets.reduce((sum, subset) => sum + (subset[field]?.length ?? 0), 0);
  const [ready, notReady] = [count('addresses'), count('notReadyAddresses')];
  if (ready + notReady <= CAPACITY) return { subsets, isCut: false };
  const field = ready > CAPACITY ? 'addresses' : 'notReadyAddresses';
  const room = ready > CAPACITY ? CAPACITY : CAPACITY - ready;
  let left = room;
  const cut = subsets.map((subset) => {
    const all = subset[field] ?? [];
    const share = Math.min(Math.ceil((all.length / count(field)) * room), left);
    left -= Math.min(share, all.length);
    const { notReadyAddresses: _, ...rest } = subset;
    const kept = { ...(field === 'addresses' ? rest : subset), [field]: all.slice(0, share) };
    return kept;
  });
  // Empty lists are left out.
  return { subsets: cut.map(withoutEmpty), isCut: true };
}

function withoutEmpty(subset: core.EndpointSubset): core.EndpointSubset {
  return Object.fromEntries(
    Object.entries(subset).filter(([, list]) => list.length > 0),
  ) as core.EndpointSubset;
}
