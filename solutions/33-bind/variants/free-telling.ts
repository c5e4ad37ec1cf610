/** Reports why a pod waits: first the condition, then the event. */
import { type ComponentContext, formatTime, isConflict, keyOf, type Pod, pods } from '#harness';

/** The reason why a pod was not scheduled. */
export interface Refusal {
  readonly message: string;
  /** Whether the pod was rejected, as opposed to an error. */
  readonly isOfPod: boolean;
  readonly by: ReadonlySet<string>;
}

/** Converts a thrown value to a reason. */
export function refusalOf(thrown: unknown): Refusal {
  if (typeof thrown === 'object' && thrown !== null && 'isOfPod' in thrown) return thrown as Refusal;
  return {
    message: thrown instanceof Error ? thrown.message : String(thrown),
    isOfPod: false,
    by: new Set(),
  };
}

const LIMIT = 1_024;

export async function tell(
  context: Pick<ComponentContext, 'client' | 'clock' | 'recorder' | 'signal' | 'log'>,
  pod: Pod,
  refusal: Refusal,
): Promise<void> {
  const { message } = refusal;
  try {
    await writeCondition(context, pod, refusal);
  } catch (error) {
    if (!context.signal.aborted) context.log(`condition: ${String(error)}`);
  }
  if (context.signal.aborted) return;
  const note = message.length > LIMIT ? `${message.slice(0, LIMIT - 4)} ...` : message;
  context.recorder.event(pod, 'Warning', 'FailedScheduling', note);
}

async function writeCondition(
  { client, clock, signal }: Pick<ComponentContext, 'client' | 'clock' | 'signal'>,
  pod: Pod,
  { message, isOfPod }: Refusal,
): Promise<void> {
  const reason = isOfPod ? 'Unschedulable' : 'SchedulerError';
  for (let live = pod, tries = 0; tries < 4; tries++) {
    const is = live.status.conditions?.find(({ type }) => type === 'PodScheduled');
    const was = is?.status === 'False' ? is : undefined;
    if (was?.reason === reason && was.message === message) return;
    const lastTransitionTime = was?.lastTransitionTime || formatTime(clock.now());
    const condition = { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime };
    const { uid, resourceVersion } = live.metadata;
    const body = { metadata: { uid, resourceVersion }, status: { conditions: [condition] } };
    try {
      await client.patch(pods, keyOf(pod), { type: 'strategic', body }, { subresource: 'status', signal });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    live = await client.get(pods, keyOf(pod), { signal });
    if (live.metadata.uid !== pod.metadata.uid || live.spec.nodeName) return;
  }
}
