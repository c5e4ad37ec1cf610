/**
 * Formats a time of a run: `+12.340 s`, `+3 min 05 s`, `+2 h 05 min 09 s`, `+3 d 02 h 05 min`.
 *
 * @param ms virtual ms since the cluster stood
 * @param isExact whether a time above a minute shows its milliseconds, too
 */
export function formatTime(ms: number, isExact = false): string {
  return `+${formatSpan(ms, isExact)}`;
}

/** Formats a duration: `12.340 s`, `3 min 05 s`. */
export function formatSpan(ms: number, isExact = false): string {
  const whole = Math.max(0, Math.round(ms));
  const seconds = Math.floor(whole / 1000);
  const fraction = `.${String(whole % 1000).padStart(3, '0')}`;
  if (seconds < 60) return `${seconds}${fraction} s`;
  const tail = `${two(seconds % 60)}${isExact ? fraction : ''} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${tail}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${two(minutes % 60)} min ${tail}`;
  return `${Math.floor(hours / 24)} d ${two(hours % 24)} h ${two(minutes % 60)} min`;
}

/** Formats a duration for a narrow place: `0 s`, `40 ms`, `12 s`, `5 min`, `1 min 10 s`, `1 h 30 min`. */
export function formatShort(ms: number): string {
  if (ms === 0) return '0 s';
  const at = units.findIndex(([, length]) => ms >= length);
  const unit = units[at];
  if (!unit) return `${Math.round(ms)} ms`;
  const [name, length] = unit;
  const [next, part] = units[at + 1] ?? [];
  if (!part) return `${Math.round(ms / 100) / 10} ${name}`;
  const rest = Math.floor((ms % length) / part);
  return `${Math.floor(ms / length)} ${name}${rest > 0 ? ` ${rest} ${next}` : ''}`;
}

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

const two = (value: number): string => String(value).padStart(2, '0');
