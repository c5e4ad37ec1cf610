/**
 * Formats a duration like Go: `10s`, `1m20s`, `5m0s`, `500ms`.
 *
 * Upstream: golang/go@go1.26 src/time/time.go Duration.String; kubernetes/apimachinery@v0.36.3
 * pkg/apis/meta/v1/duration.go Duration.MarshalJSON
 *
 * @param ms a non-negative integer number of milliseconds
 */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 1_000) return `${ms}ms`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor(ms / 60_000) % 60;
  const seconds = `${(ms % 60_000) / 1_000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

/**
 * Parses the format of {@link formatDuration}.
 *
 * Differs: fractions of a millisecond and negative durations are invalid here.
 *
 * @returns milliseconds; undefined for an invalid text
 */
export function parseDuration(text: string): number | undefined {
  const [found, hours = 0, minutes = 0, seconds = 0, ms = 0] =
    /^(?=.)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d{1,3})?)s)?(?:(\d+)ms)?$/.exec(text) ?? [];
  if (found === undefined) return undefined;
  return Math.round((Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000) + Number(ms);
}
