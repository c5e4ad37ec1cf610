/**
 * The scheduling loop. From the inside out: the {@link SchedulingQueue}, where pods wait for an event that could help
 * them; the {@link SchedulerCache}, which is ahead of the informers; {@link schedulePod}, which decides about one pod
 * and one snapshot; {@link bindingCycle}, which sends the bind and recovers if it fails; and {@link run}, the loop.
 * Each level has one or two files, in this order.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler
 */

// Level 1 · The queue

export { backoffDurationMs } from './backoff.ts';
export { SchedulingQueue } from './queue.ts';

// Level 2 · Which events wake which pods

export { isPodWorthRequeuing } from './requeuing.ts';

// Level 3 · The cache

export { SchedulerCache } from './cache.ts';

// Level 4 · One pod, one node

export { schedulePod } from './schedule-pod.ts';

// Level 5 · Binding

export { bindingCycle } from './binding.ts';
export { handleSchedulingFailure } from './failure.ts';

// Level 6 · The loop

export { podChanged } from './changes.ts';
export { run, scheduleOne, scheduler } from './loop.ts';
