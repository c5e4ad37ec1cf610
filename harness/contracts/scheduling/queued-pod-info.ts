import type { Pod } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { FilterPlugin } from '../framework/index.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodInitialBackoffDuration */
export const POD_INITIAL_BACKOFF_MS = 1_000;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodMaxBackoffDuration */
export const POD_MAX_BACKOFF_MS = 10_000;

/**
 * The time after which an unschedulable pod is tried again, regardless of events.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
 * DefaultPodMaxInUnschedulablePodsDuration
 */
export const POD_MAX_IN_UNSCHEDULABLE_PODS_MS = 300_000;

/** The backoff of a failed pod: `initialMs` after the first failure, `maxMs` at most. */
export interface BackoffLimits {
  /** @defaultValue {@link POD_INITIAL_BACKOFF_MS} */
  readonly initialMs?: number;
  /** @defaultValue {@link POD_MAX_BACKOFF_MS} */
  readonly maxMs?: number;
}

/**
 * A pod that waits or is being scheduled, and the history of its attempts. It is an immutable value.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go QueuedPodInfo
 */
export interface QueuedPodInfo {
  readonly pod: Pod;
  /**
   * The time at which the pod was added to the queue, or last returned to it, in ms since 1970. Moves between places do
   * not change it.
   */
  readonly timestampMs: number;
  /** The number of times that it was popped. */
  readonly attempts: number;
  /** The number of times that plugins rejected it. */
  readonly unschedulableCount: number;
  /** The number of consecutive attempts that failed because of an error. */
  readonly consecutiveErrorsCount: number;
  /** The plugins that rejected it last. Empty if no plugin did. */
  readonly unschedulablePlugins: ReadonlySet<string>;
}

/** The `unschedulablePlugins` of a pod that no plugin has rejected. */
export const noPlugins: ReadonlySet<string> = new Set();

/** The part of a plugin that a queue uses: its name, and the events that could change its decision. */
export type QueueingPlugin = Pick<FilterPlugin, 'name' | 'eventsToRegister'>;

/** Options of a scheduling queue. */
export interface SchedulingQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: BackoffLimits;
  /** The plugins that may reject pods. Their registered events never change. @defaultValue none */
  readonly plugins?: readonly QueueingPlugin[];
}

/**
 * Returns whether pod `a` goes before pod `b`.
 *
 * @returns true if the `spec.priority` of `a` is higher (absent: 0), or equal and its `timestampMs` is earlier
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/queuesort/priority_sort.go PrioritySort.Less
 */
export function less(
  a: Pick<QueuedPodInfo, 'pod' | 'timestampMs'>,
  b: Pick<QueuedPodInfo, 'pod' | 'timestampMs'>,
): boolean {
  const [priorityA, priorityB] = [a.pod.spec.priority ?? 0, b.pod.spec.priority ?? 0];
  return priorityA > priorityB || (priorityA === priorityB && a.timestampMs < b.timestampMs);
}
