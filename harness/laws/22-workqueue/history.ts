import type { WorkQueueScenario } from './scenario/index.ts';

/** An item of the queue. */
export type Item = string | number | boolean | null;

/**
 * One call of a queue, or one result, in order. A call is recorded just before it is made, a result just after it
 * arrives. The queue may have removed an item from the line at any moment between the entries `ask` and `got`; a test
 * cannot observe when.
 */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'add' | 'addRateLimited' | 'forget'; readonly by: string; readonly item: Item }
  | { readonly kind: 'addAfter'; readonly by: string; readonly item: Item; readonly delayMs: number }
  /** The result of `len`. */
  | { readonly kind: 'len'; readonly count: number }
  /** The result of `numRequeues`, right after a failure or `forget`. */
  | { readonly kind: 'requeues'; readonly item: Item; readonly count: number }
  | { readonly kind: 'ask'; readonly worker: string }
  | { readonly kind: 'got' | 'done'; readonly worker: string; readonly item: Item }
  /** The result of `shuttingDown`. */
  | { readonly kind: 'says'; readonly closed: boolean }
  /** A get returned `undefined`. */
  | { readonly kind: 'end'; readonly worker: string }
  | { readonly kind: 'shutDown' }
  /** A drain begins, or resolves; drains are numbered from 0. */
  | { readonly kind: 'drain' | 'drained'; readonly drain: number }
  /** `runWorkers` calls `sync`, which resolves or fails. */
  | { readonly kind: 'begin'; readonly item: Item }
  | { readonly kind: 'success'; readonly item: Item }
  | { readonly kind: 'failure'; readonly item: Item; readonly error: unknown }
  | { readonly kind: 'told'; readonly item: Item; readonly error: unknown }
  /** In a quiet period, one item for each worker is added at once. */
  | { readonly kind: 'muster' }
  /** `runWorkers` is called. */
  | { readonly kind: 'employ' }
  /** The record ends before the queue does, as when its process crashes. It is the last entry. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'abort' | 'returned' }
  | { readonly kind: 'rejected' | 'uncaught'; readonly error: unknown }
  /**
   * Long after the end: the number of timers left on the clock, the number of abort listeners left on the signal, and the
   * items without a `done` by `runWorkers`.
   */
  | {
      readonly kind: 'rest';
      readonly timers: number;
      readonly listeners: number;
      readonly kept: readonly Item[];
    }
);

/** An entry without its time. */
export type Event = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** The record of one run of a queue, from before the first add until long after its end. */
export interface WorkQueueHistory {
  readonly entries: readonly HistoryEntry[];
  readonly scenario: WorkQueueScenario;
  /** Equal for equal runs. */
  readonly hash: string;
  /** Renders the whole timeline. */
  timeline(): readonly string[];
}

/** Names a drain; the first one has no number. */
export function sayDrain(drain: number): string {
  return drain === 0 ? 'shutDownWithDrain' : `shutDownWithDrain number ${drain + 1}`;
}

/** Formats an error. */
export function sayError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Strings that print like another item. */
const ODD = /^(?:\d*|null|NaN|false)$/;

/** Formats an item. */
export function sayItem(item: Item): string {
  return typeof item === 'string' && ODD.test(item) ? `'${item}'` : String(item);
}

/**
 * Returns a remark on an item that a careless comparison confuses with another item, or with none; `''` for other
 * items.
 */
export function identityOf(item: Item): string {
  if (Number.isNaN(item)) return ' (NaN is one item, although NaN !== NaN)';
  const other = { 0: "'0'", null: "'null'", false: "'false'" }[String(item)];
  if (typeof item === 'string')
    return item === '' ? " ('' is falsy, but an item)" : other ? ` (${other} and ${item} are two items)` : '';
  return other ? ` (${String(item)} is falsy, but an item; ${other} is another one)` : '';
}
