/** Level 5 · Binding. */
import {
  type Client,
  ConnectionError,
  framework,
  isConflict,
  isConnectionRefused,
  isNotFound,
  keyOf,
  keyToString,
  type Pod,
  pods,
  reasons,
  StatusError,
} from '#harness';
import { ASSIGNED_POD_DELETE } from './events.ts';
import { handleSchedulingFailure, messageOf } from './failure.ts';
import { hasEnded, isSame, isUnbound } from './pods.ts';
import type { QueuedPodInfo } from './queue.ts';
import type { Scheduler } from './scheduler.ts';

export interface Decision {
  readonly status: framework.Status;
  readonly plugin?: string;
}

export function runReservePluginsReserve(
  plugins: readonly framework.ReservePlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): Decision {
  try {
    for (const plugin of plugins) {
      const status = plugin.reserve(state, pod, nodeName);
      if (status.code === 'Success') continue;
      runReservePluginsUnreserve(plugins, state, pod, nodeName);
      return { status, plugin: plugin.name };
    }
  } catch (error) {
    runReservePluginsUnreserve(plugins, state, pod, nodeName);
    throw error;
  }
  return { status: framework.success };
}

export function runReservePluginsUnreserve(
  plugins: readonly framework.ReservePlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): void {
  for (const plugin of [...plugins].reverse()) plugin.unreserve(state, pod, nodeName);
}

export function defaultBinder(client: Pick<Client, 'bind'>): framework.BindPlugin {
  return {
    name: 'DefaultBinder',
    async bind(_state, pod, nodeName) {
      await client.bind(keyOf(pod), nodeName, { uid: pod.metadata.uid });
      return framework.success;
    },
  };
}

export async function runBindPlugins(
  plugins: readonly framework.BindPlugin[],
  state: framework.CycleState,
  pod: Pod,
  nodeName: string,
): Promise<framework.Status> {
  for (const plugin of plugins) {
    const status = await plugin.bind(state, pod, nodeName);
    if (status.code !== 'Skip') return status;
  }
  return framework.skip;
}

export function mayBeBound(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

export interface Assignment {
  readonly info: QueuedPodInfo;
  readonly assumed: Pod;
  readonly state: framework.CycleState;
}

export async function bindingCycle(scheduler: Scheduler, assignment: Assignment): Promise<void> {
  const { queue, recorder, signal } = scheduler;
  const { info, assumed } = assignment;
  const { namespace, name, uid } = assumed.metadata;
  const { nodeName } = assumed.spec;
  // No event is of interest any more: the pod has a node, unless something goes wrong, and then it is tried again.
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
    releaseNode(scheduler, assignment);
    if (live?.spec.nodeName) assumeElsewhere(scheduler, live);
    else if (live) await handleSchedulingFailure(scheduler, info, error);
  } catch (error) {
    if (!signal.aborted)
      scheduler.log(`Failed to bind pod ${keyToString(keyOf(assumed))}: ${messageOf(error)}`);
  }
}

/** What came of a bind: the pod as it is then, and what went wrong. `undefined`: it is gone. */
interface Outcome {
  readonly live: Pod | undefined;
  readonly error?: unknown;
}

/** @throws only when the scheduler is stopped meanwhile */
async function bind(scheduler: Scheduler, { info, assumed, state }: Assignment): Promise<Outcome> {
  const { profile, client } = scheduler;
  try {
    const plugins = [...profile.bind, defaultBinder(client)];
    const status = await runBindPlugins(plugins, state, assumed, assumed.spec.nodeName ?? '');
    if (status.code !== 'Success') throw new Error(status.reasons.join(', '));
    return { live: assumed };
  } catch (error) {
    if (!mayBeBound(error)) return { live: info.pod, error };
    // Until we know, the room is taken: to give it away twice is the worse mistake.
    return { live: await askServer(scheduler, assumed), error };
  }
}

/** The first pause before a request that failed is sent again; each further pause is twice as long. */
export const ASK_AGAIN_MS = 100;
/** The longest of these pauses. */
export const ASK_AGAIN_MS_MAX = 5_000;

/** The pod as it is, however long it takes to be told. `undefined` when it is gone. @throws when the scheduler is stopped */
export async function askServer(
  { client, clock, signal }: Pick<Scheduler, 'client' | 'clock' | 'signal'>,
  pod: Pod,
): Promise<Pod | undefined> {
  for (let delayMs = ASK_AGAIN_MS; ; delayMs = Math.min(2 * delayMs, ASK_AGAIN_MS_MAX)) {
    try {
      const live = await client.get(pods, keyOf(pod), { signal });
      return isSame(pod, live) ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      await clock.sleep(delayMs, signal);
    }
  }
}

/** Gives back what the pod took of its node, and wakes the pods that wait for the room. */
function releaseNode({ profile, cache, queue }: Scheduler, { assumed, state }: Assignment): void {
  runReservePluginsUnreserve(profile.reserve, state, assumed, assumed.spec.nodeName ?? '');
  if (cache.forgetPod(assumed)) {
    queue.moveAllToActiveOrBackoffQueue(ASSIGNED_POD_DELETE, assumed, undefined);
  }
}

/** Somebody else has bound it. What the informer has seen, or has seen go, it has told. */
function assumeElsewhere(scheduler: Scheduler, live: Pod): void {
  const { cache } = scheduler;
  const seen = scheduler.getPod(keyOf(live));
  if (hasEnded(live) || !isUnbound(live, seen) || cache.getPod(live)) return;
  cache.assumePod(live, live.spec.nodeName ?? '');
}
