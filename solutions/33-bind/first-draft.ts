/** The functions of the short way, as a first draft: it reports that a bind failed, and then cleans up. */
import { scheduling } from '#given/33-bind';
import type { Pod } from '#harness';
import { handleSchedulingFailure } from './failure.ts';

export async function bindingCycle(
  scheduler: scheduling.Scheduler,
  assignment: scheduling.Assignment,
): Promise<void> {
  const { profile, queue, cache, recorder, signal } = scheduler;
  const { info, assumed, state } = assignment;
  const { namespace, name, uid } = assumed.metadata;
  const { nodeName } = assumed.spec;
  queue.done(uid);
  try {
    const { live, error } = await bind(scheduler, assignment);
    if (signal.aborted) return;
    if (live?.spec.nodeName === nodeName) {
      recorder.event(
        assumed,
        'Normal',
        'Scheduled',
        `Successfully assigned ${namespace}/${name} to ${nodeName}`,
      );
      return;
    }
    if (live && !live.spec.nodeName) await handleSchedulingFailure(scheduler, info, error);
    scheduling.runReservePluginsUnreserve(profile.reserve, state, assumed);
    if (cache.forgetPod(assumed)) {
      queue.moveAllToActiveOrBackoffQueue(scheduling.ASSIGNED_POD_DELETE, assumed, undefined);
    }
    if (live?.spec.nodeName) scheduling.assumeElsewhere(scheduler, live);
  } catch (error) {
    if (!signal.aborted) scheduler.log(`Failed to bind ${name}: ${scheduling.messageOf(error)}`);
  }
}

/** The pod after an attempt to bind it, `undefined` if it is gone, and the error of a failed request. */
interface Outcome {
  readonly live: Pod | undefined;
  readonly error?: unknown;
}

async function bind(
  scheduler: scheduling.Scheduler,
  { info, assumed, state }: scheduling.Assignment,
): Promise<Outcome> {
  try {
    const plugins = [...scheduler.profile.bind, scheduling.defaultBinder(scheduler.client)];
    const status = await scheduling.runBindPlugins(plugins, state, assumed);
    if (status.code !== 'Success') throw new Error(status.reasons.join(', '));
    return { live: assumed };
  } catch (error) {
    const isUnsure = scheduling.mayBeBound(error);
    return { live: isUnsure ? await scheduling.askServer(scheduler, assumed) : info.pod, error };
  }
}
