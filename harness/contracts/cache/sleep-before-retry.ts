import { StatusError } from '../../api/status.ts';
import type { Clock } from '../../sim/index.ts';

/**
 * Waits before the retry of a request: `backoffMs`, or as long as the server requested (`Retry-After`), whichever is
 * longer. An abort ends the wait. The promise never rejects.
 *
 * Differs: upstream honours `Retry-After` in its REST client, below the reflector (rest/with_retry.go).
 */
export async function sleepBeforeRetry(
  error: unknown,
  backoffMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const askedMs = error instanceof StatusError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
  await clock.sleep(Math.max(backoffMs, askedMs), signal).catch(() => {});
}
