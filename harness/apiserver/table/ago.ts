import { humanDuration } from './human-duration.ts';

/** How long ago a moment was, as people say it. `<unknown>` if there was no such moment. */
export type Ago = (timestamp: string | null | undefined) => string;

/**
 * How long ago moments are at `now`. Without a clock it is unknown.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers.go translateTimestampSince,
 * translateMicroTimestampSince
 *
 * @param now milliseconds since 1970
 */
export function agoAt(now: number | undefined): Ago {
  return (timestamp) =>
    !timestamp || timestamp === ZERO_TIME || now === undefined
      ? UNKNOWN
      : humanDuration(durationBetween(Date.parse(timestamp), now));
}

/** What stands where a moment is not known. */
export const UNKNOWN = '<unknown>';

/** Go's time before there is any. */
export const ZERO_TIME = '0001-01-01T00:00:00Z';

/** In milliseconds. Go's durations end at 292 years, and stay there. */
export function durationBetween(from: number, to: number): number {
  return Math.max(-DURATION_MS_MAX, Math.min(to - from, DURATION_MS_MAX));
}

const DURATION_MS_MAX = 2 ** 63 / 1e6;
