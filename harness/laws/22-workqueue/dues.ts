/**
 * What should be handed out, and when: read off what was asked of the queue, without looking at what it did. Where
 * two things happen at one instant, either may have come first, and both are right: then it is said what may be, and
 * what must.
 */
import type { HistoryEntry } from './history.ts';

/** A moment at which an item is added, at once or when its time has come. */
export interface Due {
  readonly item: string;
  /** The entry that asked for it. */
  readonly index: number;
  readonly delayMs: number;
  /** The item is added at this time at the earliest, and at the latest. */
  readonly loMs: number;
  readonly hiMs: number;
  /** The same among the entries: between which of them. */
  readonly from: number;
  readonly to: number;
  /** Whether it must be; else it may be. */
  readonly certain: boolean;
}

type Pending = { -readonly [K in keyof Due]: Due[K] };

/** When somebody began to shut the queue down, as an index; Infinity when nobody did. */
export function closingOf(entries: readonly HistoryEntry[]): number {
  const index = entries.findIndex(({ kind }) => kind === 'shutDown' || kind === 'drain');
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

/** What is asked for in an entry: this item, so much later. */
export function requestIn(
  entry: HistoryEntry,
): { readonly item: string; readonly delayMs: number } | undefined {
  switch (entry.kind) {
    case 'add':
      return { item: entry.item, delayMs: 0 };
    case 'addAfter':
    case 'when':
      return { item: entry.item, delayMs: entry.delayMs };
    default:
      return undefined;
  }
}

/** Everything that was to be added before the queue was shut down. */
export function duesOf(entries: readonly HistoryEntry[]): readonly Due[] {
  const closing = closingOf(entries);
  const closedAtMs = entries[closing]?.atMs ?? Number.POSITIVE_INFINITY;
  /** What each item may be waiting for. */
  const waiting = new Map<string, readonly Pending[]>();
  const dues: Pending[] = [];
  for (const [index, entry] of entries.entries()) {
    const request = requestIn(entry);
    if (!request || index > closing) continue;
    const { atMs } = entry;
    const { item, delayMs } = request;
    if (!(delayMs > 0)) {
      dues.push({ item, index, delayMs: 0, loMs: atMs, hiMs: atMs, from: index, to: index, certain: true });
      continue;
    }
    const asked = { item, index, delayMs, loMs: atMs + Math.floor(delayMs), hiMs: atMs + Math.ceil(delayMs) };
    const possible = (waiting.get(item) ?? []).filter(({ hiMs }) => hiMs >= atMs);
    const known = possible.find(({ certain, loMs }) => certain && atMs < loMs);
    if (known) {
      // It waits already: the earlier time counts, and only that. Fractions of a ms may fall either way.
      const loMs = Math.min(known.loMs, asked.loMs);
      if (asked.hiMs < known.loMs) Object.assign(known, asked, { loMs });
      else known.loMs = loMs;
      continue;
    }
    // If its time has come at this very instant, it waits for that still, or no more.
    const certain = possible.every(({ loMs }) => atMs < loMs);
    const due: Pending = { ...asked, from: 0, to: 0, certain };
    if (certain) due.loMs = Math.min(...possible.map(({ loMs }) => loMs), due.loMs);
    dues.push(due);
    waiting.set(item, [...possible, due]);
  }
  return dues.flatMap((due) => {
    if (due.delayMs === 0) return [due];
    // What was not ready when the queue was shut down is dropped; at that very instant it may be either.
    if (due.loMs > closedAtMs) return [];
    const certain = due.certain && due.hiMs < closedAtMs;
    return [{ ...due, certain, from: before(entries, due.loMs), to: after(entries, due.hiMs) }];
  });
}

/** Between which entries the instant begins. */
function before(entries: readonly HistoryEntry[], atMs: number): number {
  return firstFrom(entries, atMs) - 0.5;
}

/** Between which entries the instant ends. */
function after(entries: readonly HistoryEntry[], atMs: number): number {
  return firstFrom(entries, atMs + 1) - 0.5;
}

/** The first entry that is not before `atMs`. */
function firstFrom(entries: readonly HistoryEntry[], atMs: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as HistoryEntry).atMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
