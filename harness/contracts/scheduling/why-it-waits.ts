import type * as core from '#api/core/v1';
import type { Pod } from '../../api/objects.ts';
import { keyOf, keyToString } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { isConflict } from '../../api/status.ts';
import { formatTime } from '../../sim/index.ts';
import { FitError, messageOf, NoNodesAvailableError } from './errors.ts';
import { isUnbound } from './pods.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * The condition `PodScheduled` that says why a pod has no node.
 *
 * @param reason `Unschedulable` or `SchedulerError`
 * @param nowMs ms since 1970
 * @returns `undefined` if the pod has a condition of this type that says the same: `status`, `reason` and `message`.
 * Otherwise type `PodScheduled`, status `False`, reason and message, and `lastTransitionTime`: that of the condition
 * it has if its status is `False`, too; else now, in the form of the API (`formatTime`)
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/api/v1/pod/util.go UpdatePodCondition
 */
export function podScheduledCondition(
  pod: Pod,
  reason: string,
  message: string,
  nowMs: number,
): core.PodCondition | undefined {
  const old = pod.status.conditions?.find(({ type }) => type === 'PodScheduled');
  const wasFalse = old?.status === 'False';
  if (wasFalse && old.reason === reason && old.message === message) return undefined;
  const lastTransitionTime = (wasFalse && old.lastTransitionTime) || formatTime(nowMs);
  return { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime };
}

/**
 * Tells why a pod was not scheduled: by an event, and by a condition.
 *
 * 1. The event is `Warning`, `FailedScheduling`, the error's message, cut to 1,024 characters; the last four of one that was
 *    cut are ` ...`.
 * 2. {@link podScheduledCondition}, if there is one, is written by a patch of the status: reason `Unschedulable` for a FitError
 *    and a NoNodesAvailableError, `SchedulerError` for any other; the whole message. It lands neither on a pod that has
 *    been bound meanwhile, nor on another of its name.
 *
 * @param pod as the informer has it
 * @returns when all that is done. Never rejects: that the condition could not be written is logged
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.handleSchedulingFailure, updatePod,
 * truncateMessage
 */
export async function tellWhyItWaits(
  scheduler: Pick<Scheduler, 'client' | 'clock' | 'recorder' | 'signal' | 'log'>,
  pod: Pod,
  error: unknown,
): Promise<void> {
  const { recorder, signal } = scheduler;
  if (signal.aborted) return;
  const message = messageOf(error);
  recorder.event(pod, 'Warning', 'FailedScheduling', truncateMessage(message));
  const unschedulable = error instanceof FitError || error instanceof NoNodesAvailableError;
  try {
    await updatePodCondition(scheduler, pod, unschedulable ? 'Unschedulable' : 'SchedulerError', message);
  } catch (failure) {
    if (signal.aborted) return;
    scheduler.log(`Failed to write why pod ${keyToString(keyOf(pod))} waits: ${messageOf(failure)}`);
  }
}

/** A write that is overtaken more often has nothing to add. */
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
