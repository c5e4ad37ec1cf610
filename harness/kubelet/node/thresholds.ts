/** What is looked at to tell whether a node runs short of something. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/api/types.go Signal */
export type EvictionSignal =
  | 'memory.available'
  | 'nodefs.available'
  | 'nodefs.inodesFree'
  | 'imagefs.available'
  | 'imagefs.inodesFree'
  | 'pid.available';

/** When a node is short of something: as soon as there is less of it than `value`. */
export interface EvictionThreshold {
  readonly signal: EvictionSignal;
  readonly value: ThresholdValue;
  /** How long it may last before a pod is evicted. 0: no time at all, a *hard* threshold. @defaultValue 0 */
  readonly gracePeriodMs?: number;
  /** How much more than `value` there has to be until it is over. @defaultValue none */
  readonly minReclaim?: ThresholdValue;
}

/** So much; or so much of the whole, as a part of 1. */
export type ThresholdValue = { readonly quantity: number } | { readonly percentage: number };

/** How much there is of something. */
export interface SignalObservation {
  readonly available: number;
  readonly capacity: number;
}

/** What was found, by signal. A signal that could not be looked at is not in it. */
export type SignalObservations = Readonly<Partial<Record<EvictionSignal, SignalObservation>>>;

const MIB = 1024 ** 2;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/defaults_linux.go DefaultEvictionHard */
export const defaultEvictionHard: readonly EvictionThreshold[] = [
  { signal: 'memory.available', value: { quantity: 100 * MIB } },
  { signal: 'nodefs.available', value: { percentage: 0.1 } },
  { signal: 'nodefs.inodesFree', value: { percentage: 0.05 } },
  { signal: 'imagefs.available', value: { percentage: 0.15 } },
  { signal: 'imagefs.inodesFree', value: { percentage: 0.05 } },
];

/**
 * How much a value is of something of which there is so much, in whole units.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/api/types.go GetThresholdQuantity
 */
export function thresholdQuantity(value: ThresholdValue, capacity: number): number {
  return 'quantity' in value ? value.quantity : Math.trunc(capacity * value.percentage);
}

/** What a signal is about, as events and messages name it. Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/helpers.go signalToResource */
export function resourceOf(signal: EvictionSignal): 'memory' | 'ephemeral-storage' | 'inodes' | 'pids' {
  if (signal === 'memory.available') return 'memory';
  if (signal === 'pid.available') return 'pids';
  return signal.endsWith('inodesFree') ? 'inodes' : 'ephemeral-storage';
}
