import type { Subject } from '../../protocol/details.ts';
import { inspectTexts } from './texts.ts';

/**
 * Formats a time of a run: `+12.340 s`, `+3 min 05 s`; `−29.892 s` before the cluster stood.
 *
 * @param isExact whether a time above a minute shows its milliseconds, too
 */
export function formatWhen(ms: number, isExact = false): string {
  const sign = ms < 0 ? '−' : '+';
  const whole = Math.round(Math.abs(ms));
  const seconds = Math.floor(whole / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const fraction = `.${String(whole % 1_000).padStart(3, '0')}`;
  if (seconds < 60) return `${sign}${seconds}${fraction} s`;
  const tail = `${two(seconds % 60)}${isExact ? fraction : ''} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes} min ${tail}`;
  return `${sign}${Math.floor(minutes / 60)} h ${two(minutes % 60)} min${isExact ? ` ${tail}` : ''}`;
}

/** Returns the times of a list that must show their milliseconds, because another one has the same words without them. */
export function sharedTimes(times: readonly number[]): ReadonlySet<number> {
  const byWords = new Map<string, Set<number>>();
  for (const each of times) {
    const words = formatWhen(each);
    byWords.set(words, (byWords.get(words) ?? new Set()).add(each));
  }
  return new Set([...byWords.values()].filter(({ size }) => size > 1).flatMap((each) => [...each]));
}

/** Formats a number of bytes: `23 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1_024 && unit < units.length - 1; unit++) value /= 1_024;
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** The deepest column at which the rest of a long line goes on. */
const HANGING_MAX = 18;

/** Returns the column at which the rest of a long line goes on: that of its value, or two behind its own indentation. */
export function indentOf(line: string): number {
  const value = /^\s*[^\s:][^:]*:\s{2,}(?=\S)/.exec(line)?.[0].length ?? 0;
  const own = /^[\s-]*/.exec(line)?.[0].length ?? 0;
  return value > 0 && value <= HANGING_MAX ? value : Math.min(own + 2, HANGING_MAX);
}

/** Splits a command before each of its options, so that an option and its value stay together. */
export function argumentsOf(line: string): readonly string[] {
  return line.split(/ (?=(?:! )?--?[a-zA-Z]|dev |via |src |scope |proto |metric )(?<!! )/);
}

/**
 * Returns the name of a subject in a headline: `pods default/web-1`, `replicaset-controller`, `Packet 12`.
 *
 * @param isPacket whether the message is a packet
 */
export function subjectName(subject: Subject, isPacket = false): string {
  switch (subject.kind) {
    case 'object':
      return `${subject.resource.split('.')[0]} ${subject.key}`;
    case 'component':
    case 'node':
    case 'host':
      return subject.name;
    case 'message':
      return `${isPacket ? inspectTexts.kinds.packet : inspectTexts.kinds.message} ${subject.id}`;
    case 'request':
      return `${inspectTexts.kinds.request} ${subject.number}`;
    case 'apiserver':
      return inspectTexts.apiserver.title(subject.index);
  }
}

/** Returns whether two subjects are the same thing. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
