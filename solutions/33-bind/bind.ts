/**
 * The scheduling loop. From the inside out: the {@link SchedulingQueue}, in which pods wait until there is hope; the
 * {@link SchedulerCache}, which is ahead of the informers; {@link schedulePod}, which decides on one pod and one snapshot;
 * {@link bindingCycle}, which tells the API and puts things right when that fails; and the {@link scheduler}, which runs
 * them. A file or two for each level, in the order of the levels.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler
 */

// Level 1 · The queue

export {
  type BackoffLimits,
  backoffDurationMs,
  POD_INITIAL_BACKOFF_MS,
  POD_MAX_BACKOFF_MS,
} from './backoff.ts';
export {
  less,
  POD_MAX_IN_UNSCHEDULABLE_PODS_MS,
  type QueuedPodInfo,
  type QueueingPlugin,
  SchedulingQueue,
  type SchedulingQueueOptions,
} from './queue.ts';

// Level 2 · Who wakes whom

export {
  isPodWorthRequeuing,
  nodeSchedulingPropertiesChange,
  podSchedulingPropertiesChange,
} from './events.ts';

// Level 3 · The cache

export { SchedulerCache } from './cache.ts';

// Level 4 · One cycle

export {
  FitError,
  NoNodesAvailableError,
  type SchedulePod,
  type ScheduleResult,
  schedulePod,
  skipPodSchedule,
} from './cycle.ts';

// Level 5 · Binding

export {
  type Assignment,
  bindingCycle,
  type Decision,
  defaultBinder,
  mayBeBound,
  runBindPlugins,
  runReservePluginsReserve,
  runReservePluginsUnreserve,
} from './binding.ts';
export { handleSchedulingFailure, type PodCondition, podScheduledCondition } from './failure.ts';
export type { Scheduler } from './scheduler.ts';

// Level 6 · The loop

export { nodeChanged, podChanged } from './changes.ts';
export { scheduler } from './loop.ts';
