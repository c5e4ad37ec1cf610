/** Describes a duration: `40 ms`, `12.3 s`, `9 min 52 s`, `12 h`. */
export function sayMs(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, '')} s`;
  if (ms >= 7_200_000) return `${Math.round(ms / 3_600_000)} h`;
  const seconds = Math.round(ms / 1_000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest > 0 ? ` ${rest} s` : ''}`;
}
