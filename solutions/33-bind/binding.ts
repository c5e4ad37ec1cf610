/** Level 5 · Binding. */
import { scheduling } from '#given/33-bind';
import { keyOf, keyToString, type Pod } from '#harness';
import { handleSchedulingFailure } from './failure.ts';

export async function bindingCycle(
  scheduler: scheduling.Scheduler,
  assignment: scheduling.Assignment,
): Promise<void> {
  const { queue, recorder, signal } = scheduler;
  const { info, assumed } = assignment;
  const { namespace, name, uid } = assumed.metadata;
  const { nodeName } = assumed.spec;
  // Events are no longer relevant: the pod has a node, unless an error occurs, and then it is retried anyway.
  queue.done(uid);
  try {
    const { live, error } = await bind(scheduler, assignment);
    if (signal.aborted) return;
    if (live?.spec.nodeName === nodeName) {
      const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
      recorder.event(assumed, 'Normal', 'Scheduled', message);
      return;
    }
    releaseNode(scheduler, assignment);
    if (live?.spec.nodeName) scheduling.assumeElsewhere(scheduler, live);
    else if (live) await handleSchedulingFailure(scheduler, info, error);
  } catch (error) {
    if (signal.aborted) return;
    scheduler.log(`Failed to bind pod ${keyToString(keyOf(assumed))}: ${scheduling.messageOf(error)}`);
  }
}

/** The result of a bind: the live pod, and the error. `undefined`: the pod was deleted. */
interface Outcome {
  readonly live: Pod | undefined;
  readonly error?: unknown;
}

/** @throws only if the scheduler stops meanwhile */
async function bind(
  scheduler: scheduling.Scheduler,
  { info, assumed, state }: scheduling.Assignment,
): Promise<Outcome> {
  const { profile, client } = scheduler;
  try {
    const plugins = [...profile.bind, scheduling.defaultBinder(client)];
    const status = await scheduling.runBindPlugins(plugins, state, assumed);
    if (status.code !== 'Success') throw new Error(status.reasons.join(', '));
    return { live: assumed };
  } catch (error) {
    if (!scheduling.mayBeBound(error)) return { live: info.pod, error };
    // Until the server answers, the room stays allocated: to allocate it twice would be the worse error.
    return { live: await scheduling.askServer(scheduler, assumed), error };
  }
}

/** Releases the pod's room on its node, and wakes the pods that wait for it. */
function releaseNode(
  { profile, cache, queue }: scheduling.Scheduler,
  { assumed, state }: scheduling.Assignment,
): void {
  scheduling.runReservePluginsUnreserve(profile.reserve, state, assumed);
  if (cache.forgetPod(assumed)) {
    queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);
  }
}
