import type { Item } from './history.ts';
import type { Limits } from './limits.ts';

/** What is done to the queue. */
export type Action =
  | { readonly act: 'add' | 'addRateLimited' | 'forget'; readonly item: Item }
  | { readonly act: 'addAfter'; readonly item: Item; readonly delayMs: number }
  | { readonly act: 'len' };

/** An action, and how long after the producer's last one; after 0 ms it is done in the same breath. */
export type Step = Action & { readonly afterMs: number };

/** How a worker deals with one item that it is handed. */
export interface Shift {
  readonly takesMs: number;
  /** What it does with the item just before it gives it back, as controllers do. */
  readonly lastly: 'nothing' | 'add' | 'addAfter' | 'addRateLimited' | 'forget';
  /** How long it rests before it asks for the next one. */
  readonly restsMs: number;
}

/** How much later a worker adds an item that it has in hand. */
export const AGAIN_AFTER_MS = 20;

/** A worker of the law's own: when it begins, and what it does with its first items. With later ones it is done at once. */
export interface WorkerPlan {
  readonly startsAtMs: number;
  readonly shifts: readonly Shift[];
}

/** How one call of `sync` goes. A call that throws has no promise to give, and takes no time. */
export type Attempt =
  | {
      readonly how: 'succeeds' | 'rejects' | 'rejects with nothing' | 'rejects with a string';
      readonly takesMs: number;
    }
  | { readonly how: 'throws' | 'throws with nothing'; readonly takesMs: 0 };

/** Workers that `runWorkers` runs. */
export interface Pool {
  readonly workers: number;
  readonly maxRetries?: number;
  /** What `onError` does. */
  readonly listener: 'absent' | 'listens' | 'throws' | 'never answers' | 'rejects';
  /** How the first calls for each item go, by item; later ones succeed at once. */
  readonly attempts: Readonly<Record<string, readonly Attempt[]>>;
}

/** How the queue is shut down, and when. */
export interface Ending {
  readonly how: 'shutDown' | 'drain' | 'abort';
  /** When; -1: before the workers are run; absent: when all is quiet. */
  readonly atMs?: number;
  /** What follows it: each one so long after the one before, perhaps in the same turn. */
  readonly followedBy?: readonly { readonly how: 'shutDown' | 'drain'; readonly afterMs: number }[];
}

/** What a queue is put through: producers, workers, time and its end, as values that fast-check makes and shrinks. */
export interface WorkQueueScenario {
  readonly seed: number;
  /** Which goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  /** `default`: the queue is given no rate limiter, and has its own. Otherwise it is given one that the law counts with. */
  readonly limits: Limits | 'default';
  readonly producers: readonly (readonly Step[])[];
  readonly staff: readonly WorkerPlan[] | Pool;
  readonly ending: Ending;
  /** When all is quiet: longer than all steps, attempts and waits take together. */
  readonly quietAtMs: number;
}

/** Whether the workers are the law's own, or `runWorkers` runs them. */
export function isPool(staff: WorkQueueScenario['staff']): staff is Pool {
  return 'workers' in staff;
}
