import {
  type EvictionGrounds,
  type EvictionSignal,
  type EvictionThreshold,
  formatAmount,
  type NodePressure,
  type PodUsage,
  resourceOf,
  type SignalObservations,
  thresholdQuantity,
} from '#given/41-kubelet';
import { framework, type Pod } from '#harness';

type Resource = ReturnType<typeof resourceOf>;
type Usages = ReadonlyMap<string, PodUsage>;

export function thresholdsMet(
  thresholds: readonly EvictionThreshold[],
  observations: SignalObservations,
  { enforceMinReclaim = false }: { readonly enforceMinReclaim?: boolean } = {},
): readonly EvictionThreshold[] {
  return thresholds.filter(({ signal, value, minReclaim }) => {
    const observed = observations[signal];
    if (!observed) return false;
    const more = enforceMinReclaim && minReclaim ? thresholdQuantity(minReclaim, observed.capacity) : 0;
    return observed.available < thresholdQuantity(value, observed.capacity) + more;
  });
}

export function pressureOf(signal: EvictionSignal): NodePressure {
  if (signal === 'memory.available') return 'MemoryPressure';
  return signal === 'pid.available' ? 'PIDPressure' : 'DiskPressure';
}

export function rankForEviction(resource: Resource, pods: readonly Pod[], usages: Usages): readonly Pod[] {
  const ranks = pods.map((pod) => ({ pod, ...rankOf(resource, pod, usages.get(pod.metadata.uid)) }));
  return ranks
    .sort(
      (a, b) =>
        Number(a.isKnown) - Number(b.isKnown) ||
        Number(b.exceeds) - Number(a.exceeds) ||
        a.priority - b.priority ||
        b.aboveRequest - a.aboveRequest,
    )
    .map(({ pod }) => pod);
}

function rankOf(resource: Resource, pod: Pod, usage: PodUsage | undefined) {
  const { priority = 0 } = pod.spec;
  const { requests } = framework.podInfoOf(pod);
  const [used, requested] =
    resource === 'memory'
      ? [usage?.memoryBytes ?? 0, requests.memory]
      : resource === 'ephemeral-storage'
        ? [usage?.diskBytes ?? 0, requests.ephemeralStorage]
        : // How many inodes or processes a pod has is not known.
          [0, 0];
  return {
    isKnown: usage !== undefined,
    exceeds: used > requested,
    priority,
    aboveRequest: used - requested,
  };
}

export function evictionMessage(
  resource: Resource,
  pod: Pod,
  { usages, thresholds, observations }: EvictionGrounds,
): string {
  const parts = [`The node was low on resource: ${resource}. `];
  const threshold = thresholds.find(({ signal }) => resourceOf(signal) === resource);
  const observed = threshold && observations[threshold.signal];
  if (threshold && observed) {
    const quantity = formatAmount(resource, thresholdQuantity(threshold.value, observed.capacity));
    parts.push(`Threshold quantity: ${quantity}, available: ${formatAmount(resource, observed.available)}. `);
  }
  const usage = usages.get(pod.metadata.uid);
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  for (const { name, memoryBytes, diskBytes } of usage?.containers ?? []) {
    const container = containers.find((each) => each.name === name);
    if (!container || (resource !== 'memory' && resource !== 'ephemeral-storage')) continue;
    const request = String(container.resources?.requests?.[resource] ?? '0');
    const used = resource === 'memory' ? memoryBytes : diskBytes;
    const requested = framework.parseResources({ [resource]: request });
    if (used <= (resource === 'memory' ? requested.memory : requested.ephemeralStorage)) continue;
    parts.push(
      `Container ${name} was using ${formatAmount(resource, used)}, request is ${request}, has larger consumption of ${resource}. `,
    );
  }
  return parts.join('');
}
