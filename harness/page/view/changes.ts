import type { KubeObject } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import type { FieldChange } from '../protocol/details.ts';
import { once } from './same.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The longest value that is shown, in characters. */
const SHOWN_MAX = 160;
/** The number of changes that are listed at most: a new object is read as YAML. */
const CHANGES_MAX = 60;

/** Fields that change with every write, and say nothing about it. */
const SILENT: ReadonlySet<string> = new Set(['metadata.resourceVersion', 'metadata.managedFields']);

/** The values that identify an item of a list: of containers, conditions, owners, endpoints, ports, addresses. */
const KEYS: readonly ((item: Fields) => unknown)[] = [
  ({ name }) => name,
  ({ type }) => type,
  ({ targetRef }) => (targetRef as Fields | undefined)?.name,
  ({ containerPort }) => containerPort,
  ({ port }) => port,
  ({ ip }) => ip,
];

/**
 * Returns the fields that a write changed. Items of lists are compared by their name or type, if it is unique in
 * both lists, and otherwise by their position. Equal parts of stored objects are shared, and skipped.
 *
 * @param before undefined for a new object: its fields count as changed, two levels deep
 */
export function changesBetween(before: KubeObject | undefined, after: KubeObject | undefined): FieldChange[] {
  const changes: FieldChange[] = [];
  const from = before ?? emptied(after);
  const to = after ?? emptied(before);
  if (from && to) compare('', from, to, changes);
  return changes.slice(0, CHANGES_MAX);
}

/** Returns the fields that a write changed. The same entry has the same answer, which is computed once. */
export const changesOf: (write: JournalEntry) => readonly FieldChange[] = once(
  ({ type, previous, object }) => (type === 'DELETED' ? [] : changesBetween(previous, object)),
);

/** Returns whether a write of an object changed nothing but the times of its conditions. */
export function isHeartbeat(before: KubeObject, after: KubeObject): boolean {
  return changesBetween(before, after).every(({ path }) => path.endsWith('.lastHeartbeatTime'));
}

/** Returns the object without the content of its parts, so that each field in them counts as changed. */
function emptied(object: KubeObject | undefined): Fields {
  const fields = Object.entries(object ?? {});
  return Object.fromEntries(
    fields.map(([name, value]) => [name, isFields(value) && !Array.isArray(value) ? {} : value]),
  );
}

function compare(path: string, before: unknown, after: unknown, changes: FieldChange[]): void {
  if (before === after || SILENT.has(path)) return;
  if (Array.isArray(before) && Array.isArray(after)) compareLists(path, before, after, changes);
  else if (isFields(before) && isFields(after) && !Array.isArray(before) && !Array.isArray(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(child(path, name), before[name], after[name], changes);
    }
  } else {
    const [from, to] = [shown(before), shown(after)];
    if (from === to) return;
    changes.push({ path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  }
}

function compareLists(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  changes: FieldChange[],
): void {
  const key = KEYS.find((each) => isKey(each, before) && isKey(each, after));
  if (key === undefined) {
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
      compare(`${path}[${i}]`, before[i], after[i], changes);
    }
    return;
  }
  const byKey = (items: readonly unknown[]) => new Map(items.map((item) => [key(item as Fields), item]));
  const [old, now] = [byKey(before), byKey(after)];
  for (const value of new Set([...old.keys(), ...now.keys()])) {
    compare(`${path}[${value}]`, old.get(value), now.get(value), changes);
  }
}

/** Returns whether every item has this value, and each another one. */
function isKey(key: (typeof KEYS)[number], items: readonly unknown[]): boolean {
  const values = new Set<unknown>();
  for (const item of items) {
    const value = isFields(item) && !Array.isArray(item) ? key(item) : undefined;
    if (value === undefined || values.has(value)) return false;
    values.add(value);
  }
  return true;
}

function child(path: string, name: string): string {
  if (!/^[\w-]+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Returns a value as JSON in one line, shortened. */
export function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
