/**
 * A measurement that shows a shortage on a node.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/api/types.go Signal
 */
export type EvictionSignal =
  | 'memory.available'
  | 'nodefs.available'
  | 'nodefs.inodesFree'
  | 'imagefs.available'
  | 'imagefs.inodesFree'
  | 'pid.available';

/** The threshold of a shortage, which begins when the available amount is below `value`. */
export interface EvictionThreshold {
  readonly signal: EvictionSignal;
  readonly value: ThresholdValue;
  /** The duration of the shortage before a pod is evicted; 0 for a *hard* threshold. @defaultValue 0 */
  readonly gracePeriodMs?: number;
  /** The amount that must be available in addition to `value` to end the shortage. @defaultValue none */
  readonly minReclaim?: ThresholdValue;
}

/** An absolute amount, or a fraction of the capacity between 0 and 1. */
type ThresholdValue = { readonly quantity: number } | { readonly percentage: number };

/** The available amount and the capacity of a resource. */
interface SignalObservation {
  readonly available: number;
  readonly capacity: number;
}

/** The observations by signal, without signals that could not be read. */
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
 * Resolves a quantity or percentage against a capacity, rounded down to whole units.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/api/types.go GetThresholdQuantity
 */
export function thresholdQuantity(value: ThresholdValue, capacity: number): number {
  return 'quantity' in value ? value.quantity : Math.trunc(capacity * value.percentage);
}

/**
 * Returns the resource of a signal, as named in events and messages.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/eviction/helpers.go signalToResource
 */
export function resourceOf(signal: EvictionSignal): 'memory' | 'ephemeral-storage' | 'inodes' | 'pids' {
  if (signal === 'memory.available') return 'memory';
  if (signal === 'pid.available') return 'pids';
  return signal.endsWith('inodesFree') ? 'inodes' : 'ephemeral-storage';
}
