import { humanDuration } from './human-duration.ts';

/** Returns how long ago a time was, in human-readable form; `<unknown>` without a time. */
export type Ago = (timestamp: string | null | undefined) => string;

/**
 * Returns a function that reports how long before `now` a time was. Without a clock it returns `<unknown>`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go translateTimestampSince,
 * translateMicroTimestampSince
 *
 * @param now - milliseconds since 1970
 */
export function agoAt(now: number | undefined): Ago {
  return (timestamp) =>
    !timestamp || timestamp === ZERO_TIME || now === undefined
      ? UNKNOWN
      : humanDuration(durationBetween(Date.parse(timestamp), now));
}

/** The text for an unknown time. */
export const UNKNOWN = '<unknown>';

/** Go's zero time. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';

/** Returns the duration in milliseconds, limited to ±292 years like Go's durations. */
export function durationBetween(from: number, to: number): number {
  return Math.max(-DURATION_MS_MAX, Math.min(to - from, DURATION_MS_MAX));
}

const DURATION_MS_MAX = 2 ** 63 / 1e6;
