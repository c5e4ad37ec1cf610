import type { Pod } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { pods } from '../../api/resource.ts';
import { isConflict, isNotFound, reasons, StatusError } from '../../api/status.ts';
import { ConnectionError, isConnectionRefused } from '../connection-error.ts';
import { isSame, isUnbound } from './pods.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Returns whether the pod may be bound in spite of a failed bind.
 *
 * @returns
 * - true if the outcome is unknown: a ConnectionError other than `ECONNREFUSED`, a StatusError whose reason may have
 *   been written (`reasons[…].written`), and any other error;
 * - true for `Conflict`: one of its causes is that the pod already has a node;
 * - false otherwise
 *
 * Differs: upstream treats every failure as a refusal.
 */
export function mayBeBound(error: unknown): boolean {
  if (isConflict(error)) return true;
  if (error instanceof StatusError) return reasons[error.reason].written === 'unknown';
  return !(error instanceof ConnectionError) || !isConnectionRefused(error);
}

/** The pause before the first retry of a failed request; each further pause is twice as long. */
export const ASK_AGAIN_MS = 100;
/** The longest pause. */
export const ASK_AGAIN_MS_MAX = 5_000;

/**
 * Reads the current pod from the server (a `get` without a resourceVersion). It retries after every error except
 * NotFound.
 *
 * @returns `undefined` if the pod does not exist, or its name now belongs to another pod
 * @throws when the scheduler is stopped during the call
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
 * Assumes a pod that another scheduler has bound, until the informer shows it on its node. It does nothing if the
 * informer already shows it there, or no longer has the pod.
 *
 * @param live the pod from the server, with a node
 */
export function assumeElsewhere(scheduler: Pick<Scheduler, 'cache' | 'getPod'>, live: Pod): void {
  const { cache } = scheduler;
  const seen = scheduler.getPod(keyOf(live));
  if (hasEnded(live) || !isUnbound(live, seen) || cache.getPod(live)) return;
  cache.assumePod(live, live.spec.nodeName ?? '');
}
