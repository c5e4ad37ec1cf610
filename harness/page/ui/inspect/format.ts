import type { Subject } from '../../protocol/details.ts';
import { inspectTexts } from './texts.ts';

/** Formats a time of a run: `+12.340 s`, `+3 min 05 s`; `−29.892 s` before the cluster stood. */
export function formatWhen(ms: number): string {
  const sign = ms < 0 ? '−' : '+';
  const whole = Math.round(Math.abs(ms));
  const seconds = Math.floor(whole / 1_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 60) return `${sign}${seconds}.${String(whole % 1_000).padStart(3, '0')} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${sign}${minutes} min ${two(seconds % 60)} s`;
  return `${sign}${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** Formats a number of bytes: `23 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1_024 && unit < units.length - 1; unit++) value /= 1_024;
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
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
      return subject.name;
    case 'message':
      return `${isPacket ? inspectTexts.kinds.packet : inspectTexts.kinds.message} ${subject.id}`;
    case 'apiserver':
      return inspectTexts.apiserver.title(subject.index);
  }
}

/** Returns whether two subjects are the same thing. */
export function isSameSubject(a: Subject, b: Subject): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
