/**
 * Who had what in hand, and why. An item may have been taken off the line at any moment between the call of `get`
 * and its return: a hand-over is right if there is a moment at which it could have been.
 */
import { closingOf, type Due, duesOf } from './dues.ts';
import type { HistoryEntry, WorkQueueHistory } from './history.ts';

/** One item in one hand. Numbers are indices of entries. */
export interface HandOver {
  readonly item: string;
  readonly worker: string;
  readonly asked: number;
  readonly got: number;
  /** Infinity when it was not given back. */
  readonly done: number;
  /** Why the item was handed out; absent when there is no reason. */
  readonly due?: Due;
  /** When it had come into the line: not before, and certainly by then; Infinity when that cannot be known. */
  readonly inLine: { readonly from: number; readonly to: number; readonly toMs: number };
}

/** A get that waited. Numbers are indices of entries. */
export interface Wait {
  readonly worker: string;
  readonly asked: number;
  /** Infinity when it never returned. */
  readonly returned: number;
}

/** A history, understood. */
export interface Account {
  readonly entries: readonly HistoryEntry[];
  /** When the queue was shut down, as an index; Infinity when it was not. */
  readonly closing: number;
  readonly dues: readonly Due[];
  /** In the order in which they happened. */
  readonly handOvers: readonly HandOver[];
  readonly waits: readonly Wait[];
  /** When an entry happened; Infinity for Infinity. */
  readonly timeOf: (index: number) => number;
}

const accounts = new WeakMap<WorkQueueHistory, Account>();

/** The same for each law. */
export function accountOf(history: WorkQueueHistory): Account {
  const known = accounts.get(history);
  if (known) return known;
  const { entries } = history;
  const dues = duesOf(entries);
  const account: Account = {
    entries,
    closing: closingOf(entries),
    dues,
    waits: waitsIn(entries),
    handOvers: explained(entries, observed(entries), dues),
    timeOf: (index) => entries[index]?.atMs ?? Number.POSITIVE_INFINITY,
  };
  accounts.set(history, account);
  return account;
}

type Observed = Omit<HandOver, 'due' | 'inLine'>;

function observed(entries: readonly HistoryEntry[]): readonly Observed[] {
  const asked = new Map<string, number>();
  const held = new Map<string, { done: number }>();
  const all: Observed[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'ask') asked.set(entry.worker, index);
    if (entry.kind === 'got') {
      const { item, worker } = entry;
      const one = {
        item,
        worker,
        asked: asked.get(worker) ?? index,
        got: index,
        done: Number.POSITIVE_INFINITY,
      };
      held.set(worker, one);
      all.push(one);
    }
    if (entry.kind === 'done') {
      const one = held.get(entry.worker);
      if (one) one.done = index;
    }
  }
  return all;
}

function waitsIn(entries: readonly HistoryEntry[]): readonly Wait[] {
  const open = new Map<string, { worker: string; asked: number; returned: number }>();
  return entries.flatMap((entry, index) => {
    if (entry.kind === 'ask') {
      const wait = { worker: entry.worker, asked: index, returned: Number.POSITIVE_INFINITY };
      open.set(entry.worker, wait);
      return [wait];
    }
    if (entry.kind === 'got' || entry.kind === 'end') {
      const wait = open.get(entry.worker);
      if (wait) wait.returned = index;
    }
    return [];
  });
}

/** Finds for each hand-over a reason that no other has used up, item by item. */
function explained(
  entries: readonly HistoryEntry[],
  all: readonly Observed[],
  dues: readonly Due[],
): readonly HandOver[] {
  const results = new Map<Observed, HandOver>();
  for (const item of new Set(all.map((one) => one.item))) {
    const own = dues.filter((due) => due.item === item);
    const used = new Set<Due>();
    /** The hand-over before, and the earliest moment at which it can have been taken off the line. */
    let last = { asked: -1, got: -1, done: -1, takenFrom: -1 };
    for (const one of all.filter((each) => each.item === item)) {
      const possible = own.filter((due) => !used.has(due) && due.to > last.takenFrom && due.from < one.got);
      // Of several reasons the one that will soonest be none any more: the others may serve later.
      const [due] = possible.toSorted((x, y) => x.to - y.to);
      const from = Math.max(last.done, Math.min(one.got, ...possible.map((each) => each.from)));
      const inLine = { from, ...certainlyInLine(entries, own, last, one) };
      results.set(one, { ...one, ...(due && { due }), inLine });
      if (due) used.add(due);
      last = { ...one, takenFrom: due ? Math.max(one.asked, due.from, last.done) : one.got };
    }
  }
  return all.map((one) => results.get(one) as HandOver);
}

/** By when an item stood in line again for certain. */
function certainlyInLine(
  entries: readonly HistoryEntry[],
  dues: readonly Due[],
  last: { readonly got: number; readonly done: number },
  { got }: Observed,
): { readonly to: number; readonly toMs: number } {
  const [first] = dues
    .filter((due) => due.certain && due.from > last.got && due.to < got)
    .toSorted((x, y) => x.to - y.to);
  if (!first) return { to: Number.POSITIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const doneAtMs = entries[last.done]?.atMs ?? 0;
  return { to: Math.max(last.done, first.to), toMs: Math.max(doneAtMs, first.hiMs) };
}
