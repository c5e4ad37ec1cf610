import type { WorkQueueScenario } from './scenario.ts';

/** What is put into the queue. */
export type Item = string | number | boolean | null;

/**
 * One thing that was done to a queue, or that came of it, in the order in which it happened. A call is written down just
 * before it is made, an answer just after it came. An item that is handed out may have been taken off the line at any
 * moment between the two entries `ask` and `got`: from outside, that cannot be told.
 */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'add' | 'addRateLimited' | 'forget'; readonly by: string; readonly item: Item }
  | { readonly kind: 'addAfter'; readonly by: string; readonly item: Item; readonly delayMs: number }
  /** What `len` gave. */
  | { readonly kind: 'len'; readonly count: number }
  /** What `numRequeues` gave, right after a failure or the forgetting. */
  | { readonly kind: 'requeues'; readonly item: Item; readonly count: number }
  | { readonly kind: 'ask'; readonly worker: string }
  | { readonly kind: 'got' | 'done'; readonly worker: string; readonly item: Item }
  /** What `shuttingDown` gave. */
  | { readonly kind: 'says'; readonly closed: boolean }
  /** A get gave `undefined`. */
  | { readonly kind: 'end'; readonly worker: string }
  | { readonly kind: 'shutDown' }
  /** A drain begins, or resolves; drains are numbered from 0 on. */
  | { readonly kind: 'drain' | 'drained'; readonly drain: number }
  /** `runWorkers` calls `sync`, which resolves or fails. */
  | { readonly kind: 'begin'; readonly item: Item }
  | { readonly kind: 'success'; readonly item: Item }
  | { readonly kind: 'failure'; readonly item: Item; readonly error: unknown }
  | { readonly kind: 'told'; readonly item: Item; readonly error: unknown }
  /** When all is quiet, as many items are added at once as there are workers. */
  | { readonly kind: 'muster' }
  | { readonly kind: 'abort' | 'returned' }
  | { readonly kind: 'rejected' | 'uncaught'; readonly error: unknown }
  /** Long after the end: how many timers are left on the clock, and what `runWorkers` took and never gave back. */
  | { readonly kind: 'rest'; readonly timers: number; readonly kept: readonly Item[] }
);

/** An entry before it has a time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** One life of a queue, from before the first add until long after its end. */
export interface WorkQueueHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: WorkQueueScenario;
  /** Equal for equal runs. */
  readonly hash: string;
  /** The whole of it, drawn. */
  timeline(): readonly string[];
}

/** A drain as one calls it: the first has no number. */
export function sayDrain(drain: number): string {
  return drain === 0 ? 'shutDownWithDrain' : `shutDownWithDrain number ${drain + 1}`;
}

/** Strings that another item is written like. */
const ODD = /^(?:\d*|null|NaN|false)$/;

/** An item as one writes it. */
export function sayItem(item: Item): string {
  return typeof item === 'string' && ODD.test(item) ? `'${item}'` : String(item);
}

/** A remark on an item that a careless comparison takes for another item, or for none. Empty for usual items. */
export function identityOf(item: Item): string {
  if (Number.isNaN(item)) return ' (NaN is one item, although NaN !== NaN)';
  const other = { 0: "'0'", null: "'null'", false: "'false'" }[String(item)];
  if (typeof item === 'string')
    return item === '' ? " ('' is falsy, but an item)" : other ? ` (${other} and ${item} are two items)` : '';
  return other ? ` (${String(item)} is falsy, but an item; ${other} is another one)` : '';
}
