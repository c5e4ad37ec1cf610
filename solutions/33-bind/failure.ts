/** Level 5 · Binding: a pod that was not scheduled goes back into the queue, and is told why. */
import { formatTime, isConflict, keyOf, keyToString, type Pod, pods } from '#harness';
import { FitError, NoNodesAvailableError } from './cycle.ts';
import { isUnbound } from './pods.ts';
import { noPlugins, type QueuedPodInfo } from './queue.ts';
import type { Scheduler } from './scheduler.ts';

export type PodCondition = NonNullable<Pod['status']['conditions']>[number];

export function podScheduledCondition(
  pod: Pod,
  reason: string,
  message: string,
  nowMs: number,
): PodCondition | undefined {
  const old = pod.status.conditions?.find(({ type }) => type === 'PodScheduled');
  const wasFalse = old?.status === 'False';
  if (wasFalse && old.reason === reason && old.message === message) return undefined;
  const lastTransitionTime = (wasFalse && old.lastTransitionTime) || formatTime(nowMs);
  return { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime };
}

export async function handleSchedulingFailure(
  scheduler: Scheduler,
  info: QueuedPodInfo,
  error: unknown,
): Promise<void> {
  const { queue, recorder, signal } = scheduler;
  const current = scheduler.getPod(keyOf(info.pod));
  if (!isUnbound(info.pod, current)) {
    queue.done(info.pod.metadata.uid);
    return;
  }
  const unschedulablePlugins = error instanceof FitError ? error.diagnosis.unschedulablePlugins : noPlugins;
  queue.addUnschedulableIfNotPresent({ ...info, pod: current, unschedulablePlugins });
  if (signal.aborted) return;
  const message = messageOf(error);
  recorder.event(current, 'Warning', 'FailedScheduling', truncateMessage(message));
  const unschedulable = error instanceof FitError || error instanceof NoNodesAvailableError;
  try {
    await updatePodCondition(scheduler, current, unschedulable ? 'Unschedulable' : 'SchedulerError', message);
  } catch (failure) {
    if (signal.aborted) return;
    scheduler.log(`Failed to write why pod ${keyToString(keyOf(current))} waits: ${messageOf(failure)}`);
  }
}

/** Whoever is overtaken more often has nothing to add. */
const CONDITION_TRIES_MAX = 5;

/**
 * Compares and swaps: the next attempt may have succeeded before this arrives, and then it is not true any more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go updatePod; there the loop waits for it
 */
async function updatePodCondition(
  { client, clock, signal }: Pick<Scheduler, 'client' | 'clock' | 'signal'>,
  pod: Pod,
  reason: string,
  message: string,
): Promise<void> {
  let live = pod;
  for (let tries = 1; ; tries++) {
    const condition = podScheduledCondition(live, reason, message, clock.now());
    if (!condition) return;
    const { uid, resourceVersion } = live.metadata;
    const body = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };
    const options = { subresource: 'status', signal } as const;
    try {
      await client.patch(pods, keyOf(live), { type: 'strategic', body }, options);
      return;
    } catch (error) {
      if (!isConflict(error) || tries === CONDITION_TRIES_MAX) throw error;
    }
    live = await client.get(pods, keyOf(pod), { signal });
    if (!isUnbound(pod, live)) return;
  }
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/validation.go NoteLengthLimit */
const NOTE_LENGTH_LIMIT = 1_024;

function truncateMessage(message: string): string {
  const suffix = ' ...';
  if (message.length <= NOTE_LENGTH_LIMIT) return message;
  return message.slice(0, NOTE_LENGTH_LIMIT - suffix.length) + suffix;
}

/** What to say of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
