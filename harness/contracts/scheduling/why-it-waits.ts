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
 * Returns the condition `PodScheduled` for a pod without a node.
 *
 * @param reason `Unschedulable` or `SchedulerError`
 * @param nowMs ms since 1970
 * @returns `undefined` if the pod's condition already has this `status`, `reason` and `message`. Otherwise a condition
 * of type `PodScheduled`, with status `False`, the reason, the message, and `lastTransitionTime`. That time stays if
 * the old status is also `False`; otherwise it is now, in the API's format (`formatTime`)
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
 * Reports why a pod was not scheduled, with an Event and a condition.
 *
 * 1. The Event is `Warning`, `FailedScheduling`, with the error's message, truncated to 1,024 characters; a truncated
 *    message ends with ` ...`.
 * 2. If {@link podScheduledCondition} returns a condition, it is written with a patch of the status. The reason is
 *    `Unschedulable` for a FitError and a NoNodesAvailableError, and `SchedulerError` for other errors. The message is
 *    complete. The patch affects neither a pod that has been bound meanwhile, nor another pod of its name.
 *
 * @param pod the informer's pod
 * @returns a promise that resolves after both. It never rejects: a failed write of the condition is logged
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

/** The maximum number of attempts. After so many conflicts the condition is outdated. */
const CONDITION_TRIES_MAX = 5;

/**
 * Writes the condition with a compare-and-swap: a later attempt may schedule the pod before this write arrives, and
 * then the condition is wrong.
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

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/apis/core/validation/events.go NoteLengthLimit */
const NOTE_LENGTH_LIMIT = 1_024;

function truncateMessage(message: string): string {
  const suffix = ' ...';
  if (message.length <= NOTE_LENGTH_LIMIT) return message;
  return message.slice(0, NOTE_LENGTH_LIMIT - suffix.length) + suffix;
}
