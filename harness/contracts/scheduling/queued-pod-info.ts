import type { Pod } from '../../api/objects.ts';
import type { Clock } from '../../sim/index.ts';
import type { FilterPlugin } from '../framework/index.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodInitialBackoffDuration */
export const POD_INITIAL_BACKOFF_MS = 1_000;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go DefaultPodMaxBackoffDuration */
export const POD_MAX_BACKOFF_MS = 10_000;

/**
 * After so long among the unschedulable a pod is tried again, whatever has happened.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/backend/queue/scheduling_queue.go
 * DefaultPodMaxInUnschedulablePodsDuration
 */
export const POD_MAX_IN_UNSCHEDULABLE_PODS_MS = 300_000;

/** How long a pod waits after it failed: `initialMs` the first time, `maxMs` at most. */
export interface BackoffLimits {
  /** @defaultValue {@link POD_INITIAL_BACKOFF_MS} */
  readonly initialMs?: number;
  /** @defaultValue {@link POD_MAX_BACKOFF_MS} */
  readonly maxMs?: number;
}

/**
 * A pod that waits or is being scheduled, and what became of it so far. A value: what changes it gives another one.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go QueuedPodInfo
 */
export interface QueuedPodInfo {
  readonly pod: Pod;
  /** When it was added to the queue, or came back to it last: ms since 1970. To be moved from one place to another does not count. */
  readonly timestampMs: number;
  /** How often it was popped. */
  readonly attempts: number;
  /** How often it was turned away by plugins. */
  readonly unschedulableCount: number;
  /** How often it came back last, one time after the other, because something went wrong. */
  readonly consecutiveErrorsCount: number;
  /** The plugins that turned it away last. Empty: none did. */
  readonly unschedulablePlugins: ReadonlySet<string>;
}

/** The `unschedulablePlugins` of a pod that no plugin has turned away. */
export const noPlugins: ReadonlySet<string> = new Set();

/** What a queue needs to know of a plugin: its name, and what could make it change its mind. */
export type QueueingPlugin = Pick<FilterPlugin, 'name' | 'eventsToRegister'>;

/** What a queue needs to be given. */
export interface SchedulingQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: BackoffLimits;
  /** Those that may turn pods away. They say the same whenever they are asked. @defaultValue none */
  readonly plugins?: readonly QueueingPlugin[];
}

/**
 * Which pod goes first?
 *
 * @returns true if `a` goes before `b`: its `spec.priority` is higher (absent: 0), or the same and its `timestampMs` is
 * earlier
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
