import type { Pod } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { pods } from '../../api/resource.ts';
import { isConflict, isNotFound, reasons, StatusError } from '../../api/status.ts';
import { ConnectionError, isConnectionRefused } from '../connection-error.ts';
import { isSame, isUnbound } from './pods.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * A bind has failed. Could the pod have a node all the same?
 *
 * @returns
 * - true if it is not known whether it was done: a ConnectionError other than `ECONNREFUSED`, a StatusError whose reason may
 *   have been written (`reasons[…].written`), and whatever is neither of the two;
 * - true for `Conflict`: that it has a node already is one of the reasons for it;
 * - false otherwise
 *
 * Differs: upstream takes every failure for a no.
 */
export function mayBeBound(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

/** The first pause before a request that failed is sent again; each further pause is twice as long. */
export const ASK_AGAIN_MS = 100;
/** The longest of these pauses. */
export const ASK_AGAIN_MS_MAX = 5_000;

/**
 * The pod as the server has it now (a `get` without a resourceVersion), however long it takes to be told: a refusal is no answer, except
 * that there is no such pod.
 *
 * @returns `undefined` if it is gone, or another pod of its name is there
 * @throws if the scheduler is stopped meanwhile
 */
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

/**
 * Another has bound the pod: it is assumed there until the informer shows it, unless the informer does already, or has no such pod any
 * more.
 *
 * @param live as the server has it, with a node
 */
export function assumeElsewhere(scheduler: Pick<Scheduler, 'cache' | 'getPod'>, live: Pod): void {
  const { cache } = scheduler;
  const seen = scheduler.getPod(keyOf(live));
  if (hasEnded(live) || !isUnbound(live, seen) || cache.getPod(live)) return;
  cache.assumePod(live, live.spec.nodeName ?? '');
}
