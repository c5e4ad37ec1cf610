import type { Pod } from '../../../api/objects.ts';
import { parseQuantity } from '../../../api/quantity.ts';
import type { NodePressure } from '../../../kubelet/node/index.ts';
import { isCriticalPod, localStorageMessage } from '../../../kubelet/node/pod-limits.ts';
import type { PodUsage } from '../../../kubelet/node/pod-usage.ts';
import {
  type EvictionThreshold,
  resourceOf,
  type SignalObservations,
  thresholdQuantity,
} from '../../../kubelet/node/thresholds.ts';
import type { EvictionHistory, PassRecord } from './history.ts';

/** Time for which a pressure is reported after its last threshold was met. */
const PRESSURE_MS = 300_000;

/** The required actions of one call of `synchronize`. */
export interface Demand {
  readonly record: PassRecord;
  /** The pods that exceed their own limits of disk space, with the reason. All are evicted, and nothing else happens. */
  readonly overLimits: ReadonlyMap<Pod, string>;
  /** The thresholds that require an eviction, in their order. */
  readonly due: readonly EvictionThreshold[];
  /** The due threshold that counts; undefined if none is due, or if pods exceed their own limits. */
  readonly first: EvictionThreshold | undefined;
  /** Whether the kubelet must reclaim disk space, and whether that is enough. */
  readonly reclaim: 'none' | 'too little' | 'enough';
  /** The pods that may be evicted: equal in rank, and before all others. One of them must be evicted, if there are any. */
  readonly candidates: readonly Pod[];
  /** The reported pressures; undefined before the first observation. */
  readonly pressure: ReadonlySet<NodePressure> | undefined;
}

/** The oracle of eviction. Returns the demand of each call. */
export function demandsOf({ scenario, passes }: EvictionHistory): readonly Demand[] {
  const { thresholds } = scenario;
  const since = new Map<EvictionThreshold, number>();
  let wereDue: readonly EvictionThreshold[] = [];
  const lastMs = new Map<NodePressure, number>();
  let hasObserved = false;
  return passes.map((record) => {
    const { atMs, before, reclaimed, pods, usages } = record;
    const isShort = (
      observations: SignalObservations,
      each: EvictionThreshold,
      isReclaiming: boolean,
    ): boolean => {
      const observed = observations[each.signal];
      if (!observed) return false;
      const more =
        isReclaiming && each.minReclaim ? thresholdQuantity(each.minReclaim, observed.capacity) : 0;
      return observed.available < thresholdQuantity(each.value, observed.capacity) + more;
    };
    if (before) {
      hasObserved = true;
      for (const each of thresholds) {
        const isMet = isShort(before, each, wereDue.includes(each));
        if (!isMet) since.delete(each);
        else if (!since.has(each)) since.set(each, atMs);
        if (isMet) lastMs.set(pressureOf(each), atMs);
      }
      wereDue = thresholds.filter(
        (each) => atMs - (since.get(each) ?? Infinity) >= (each.gracePeriodMs ?? 0),
      );
    }
    const overLimits = before ? podsOverLimits(record) : new Map<Pod, string>();
    const due = before ? wereDue : [];
    const first =
      overLimits.size > 0 ? undefined : (due.find(({ signal }) => signal === 'memory.available') ?? due[0]);
    const isOfDisk = first !== undefined && pressureOf(first) === 'DiskPressure';
    const isEnough = isOfDisk && !thresholds.some((each) => isShort(reclaimed, each, true));
    return {
      record,
      overLimits,
      due,
      first,
      reclaim: !isOfDisk ? 'none' : isEnough ? 'enough' : 'too little',
      candidates: first && !isEnough ? candidatesFor(first, pods, usages) : [],
      pressure: hasObserved
        ? new Set([...lastMs].flatMap(([each, ms]) => (atMs - ms < PRESSURE_MS ? [each] : [])))
        : undefined,
    };
  });
}

/** Returns the pressure that a threshold stands for. */
function pressureOf({ signal }: EvictionThreshold): NodePressure {
  if (signal === 'pid.available') return 'PIDPressure';
  return signal === 'memory.available' ? 'MemoryPressure' : 'DiskPressure';
}

function podsOverLimits({ pods, usages }: PassRecord): ReadonlyMap<Pod, string> {
  const over = new Map<Pod, string>();
  for (const pod of pods) {
    const usage = usages.get(pod.metadata.uid);
    const message = usage && !isCriticalPod(pod) ? localStorageMessage(pod, usage) : undefined;
    if (message !== undefined) over.set(pod, message);
  }
  return over;
}

/** The reasons for the rank of a pod, the most important first: the smallest values are evicted first. */
type Rank = readonly [isKnown: number, isWithinRequest: number, priority: number, room: number];

/** Returns the rank of a pod for a resource. */
export function rankOf(pod: Pod, resource: ReturnType<typeof resourceOf>, usage: PodUsage | undefined): Rank {
  const request = pod.spec.containers[0]?.resources?.requests?.memory;
  const requested =
    resource === 'memory' && request !== undefined ? parseQuantity(String(request)).value() : 0;
  const used =
    { memory: usage?.memoryBytes, 'ephemeral-storage': usage?.diskBytes, inodes: 0, pids: 0 }[resource] ?? 0;
  return [usage ? 1 : 0, used > requested ? 0 : 1, pod.spec.priority ?? 0, requested - used];
}

function candidatesFor(
  { signal }: EvictionThreshold,
  pods: readonly Pod[],
  usages: PassRecord['usages'],
): readonly Pod[] {
  const ranks = pods
    .filter((pod) => !isCriticalPod(pod))
    .map((pod) => ({ pod, rank: rankOf(pod, resourceOf(signal), usages.get(pod.metadata.uid)) }));
  return ranks
    .filter(({ rank }) => ranks.every((other) => compare(rank, other.rank) <= 0))
    .map(({ pod }) => pod);
}

function compare(a: Rank, b: Rank): number {
  return a.map((value, i) => value - (b[i] as number)).find((difference) => difference !== 0) ?? 0;
}
