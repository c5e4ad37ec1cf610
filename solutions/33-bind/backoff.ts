/** Level 1 · The queue: the back-off of a pod after failures. */
import { scheduling } from '#given/33-bind';

/** Caps the exponent: 2 ** 1024 is Infinity, and 0 * Infinity is NaN. */
const DOUBLINGS_MAX = 1_000;

export function backoffDurationMs(count: number, limits: scheduling.BackoffLimits = {}): number {
  const { initialMs = scheduling.POD_INITIAL_BACKOFF_MS, maxMs = scheduling.POD_MAX_BACKOFF_MS } = limits;
  if (count === 0) return 0;
  return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);
}
