/** Level 6 · The loop. */
import { scheduling } from '#given/33-bind';
import { type Component, framework } from '#harness';
import { bindingCycle } from './binding.ts';
import { SchedulerCache } from './cache.ts';
import { podChanged } from './changes.ts';
import { handleSchedulingFailure } from './failure.ts';
import { SchedulingQueue } from './queue.ts';
import { schedulePod } from './schedule-pod.ts';

export async function scheduleOne(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
): Promise<void> {
  const { pod } = info;
  if (scheduling.skipPodSchedule(scheduler, pod)) {
    scheduler.queue.done(pod.metadata.uid);
    return;
  }
  const state = new framework.CycleState();
  let assignment: scheduling.Assignment;
  try {
    assignment = schedulingCycle(scheduler, info, state);
  } catch (error) {
    return handleSchedulingFailure(scheduler, info, error);
  }
  return bindingCycle(scheduler, assignment);
}

/** Finds a node and assumes the pod there. It is synchronous, so that the next pod finds the room allocated. */
function schedulingCycle(
  scheduler: scheduling.Scheduler,
  info: scheduling.QueuedPodInfo,
  state: framework.CycleState,
): scheduling.Assignment {
  const { profile, random, cache, nextStartIndex: startIndex } = scheduler;
  const { pod } = info;
  const snapshot = cache.snapshot(scheduler.namespaces());
  const found = schedulePod({ profile, state, pod, snapshot, random, startIndex });
  scheduler.nextStartIndex = found.nextStartIndex;
  const assumed = cache.assumePod(pod, found.suggestedHost);
  try {
    scheduling.runReservePluginsReserve(profile, state, assumed);
  } catch (error) {
    cache.forgetPod(assumed);
    throw error;
  }
  return { info, assumed, state };
}

export async function run(scheduler: scheduling.Scheduler): Promise<void> {
  const { queue, signal } = scheduler;
  const bindings = new scheduling.InFlightBindings(signal);
  while (!signal.aborted) {
    const info = await queue.pop();
    if (!info || signal.aborted) return;
    bindings.add(scheduleOne(scheduler, info));
    await bindings.belowLimit();
  }
}

export const scheduler: Component = scheduling.assembleScheduler({
  newQueue: (options) => new SchedulingQueue(options),
  newCache: () => new SchedulerCache(),
  podChanged,
  run,
});
