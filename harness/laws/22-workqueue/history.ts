import type { Limits } from './limits.ts';

/**
 * One thing that was done to a queue, or that came of it, in the order in which it happened. Where somebody acts, it
 * is written down just before; where something comes back, just after. An item that is handed out may have been taken
 * off the line at any moment between the two entries `ask` and `got`: who looks from outside cannot know.
 */
export type HistoryEntry = { readonly atMs: number } & (
  | { readonly kind: 'add'; readonly by: string; readonly item: string }
  | { readonly kind: 'addAfter'; readonly by: string; readonly item: string; readonly delayMs: number }
  | { readonly kind: 'addRateLimited'; readonly by: string; readonly item: string }
  /** The rate limiter was asked, and answered. */
  | { readonly kind: 'when'; readonly item: string; readonly delayMs: number }
  /** What `numRequeues` gave, right after the failure or the forgetting. */
  | { readonly kind: 'requeues'; readonly item: string; readonly count: number }
  | { readonly kind: 'forget'; readonly by: string; readonly item: string }
  | { readonly kind: 'ask'; readonly worker: string }
  | { readonly kind: 'got'; readonly worker: string; readonly item: string }
  | { readonly kind: 'done'; readonly worker: string; readonly item: string }
  /** A get gave `undefined`; the worker goes home. */
  | { readonly kind: 'end'; readonly worker: string }
  | { readonly kind: 'shutDown' }
  | { readonly kind: 'drain' }
  | { readonly kind: 'drained' }
);

/** One life of a queue, from the first add until long after it was shut down. */
export interface WorkQueueHistory {
  readonly entries: readonly HistoryEntry[];
  readonly limits: Limits;
  /** Equal for equal runs. */
  readonly hash: string;
  /** The whole of it, drawn. */
  timeline(): readonly string[];
}
