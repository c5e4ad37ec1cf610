/** Level 1 · The queue: how long a pod waits after a failure. */

export const POD_INITIAL_BACKOFF_MS = 1_000;
export const POD_MAX_BACKOFF_MS = 10_000;

export interface BackoffLimits {
  readonly initialMs?: number;
  readonly maxMs?: number;
}

/** Caps the exponent: 2 ** 1024 is Infinity, and 0 * Infinity is NaN. */
const DOUBLINGS_MAX = 1_000;

export function backoffDurationMs(count: number, limits: BackoffLimits = {}): number {
  const { initialMs = POD_INITIAL_BACKOFF_MS, maxMs = POD_MAX_BACKOFF_MS } = limits;
  if (count === 0) return 0;
  return Math.min(initialMs * 2 ** Math.min(count - 1, DOUBLINGS_MAX), maxMs);
}
