import type { JournalEntry } from '../../cluster/journal.ts';

/** Fields that each write changes. */
const BOOKKEEPING = /^metadata\.(resourceVersion|managedFields|generation)\b/;

/** More changes than this do not fit into a sentence. */
const NAMED_MAX = 3;

/** Longer values are cut. */
const VALUE_MAX = 60;

/**
 * Writes the changes of a write to an object: `status.replicas from 2 to 3`.
 *
 * @returns `nothing` if only the resourceVersion is new
 */
export function changedBy({ previous, object }: Pick<JournalEntry, 'previous' | 'object'>): string {
  const changes = changesOf(previous, object, '').filter((change) => !BOOKKEEPING.test(change));
  if (changes.length === 0) return 'nothing';
  const more = changes.length > NAMED_MAX ? `, and ${changes.length - NAMED_MAX} more` : '';
  return `${changes.slice(0, NAMED_MAX).join(', ')}${more}`;
}

function changesOf(before: unknown, after: unknown, path: string): readonly string[] {
  if (before === after) return [];
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changesOf(before[key], after[key], pathTo(path, key)));
  }
  return [`${path} from ${said(before)} to ${said(after)}`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function pathTo(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  if (!/^\w+$/.test(key)) return `${path}["${key}"]`;
  return path === '' ? key : `${path}.${key}`;
}

function said(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text;
}
