import type { Item } from '../history.ts';
import type { Limits } from '../oracle/limits.ts';

/** A call of the queue. */
export type Action =
  | { readonly act: 'add' | 'addRateLimited' | 'forget'; readonly item: Item }
  | { readonly act: 'addAfter'; readonly item: Item; readonly delayMs: number }
  | { readonly act: 'len' };

/** An action, `afterMs` after the producer's last one; 0 means in the same turn. */
export type Step = Action & { readonly afterMs: number };

/** How a worker processes one item. */
export interface Shift {
  readonly takesMs: number;
  /** The call with the item just before done, as controllers make it. */
  readonly lastly: 'nothing' | 'add' | 'addAfter' | 'addRateLimited' | 'forget';
  /** The pause before its next get. */
  readonly restsMs: number;
}

/** The delay of the `addAfter` of a worker. */
export const AGAIN_AFTER_MS = 20;

/**
 * A worker of the simulation: its start, and how it processes its first items. It calls done at once for later ones.
 */
export interface WorkerPlan {
  readonly startsAtMs: number;
  readonly shifts: readonly Shift[];
}

/** The result of one call of `sync`. A call that throws returns no promise, and takes no time. */
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
  /** The behavior of `onError`. */
  readonly listener: 'absent' | 'listens' | 'throws' | 'never answers' | 'rejects';
  /** The results of the first calls for each item; later calls succeed at once. */
  readonly attempts: Readonly<Record<string, readonly Attempt[]>>;
}

/** How and when the queue is shut down. */
export interface Ending {
  readonly how: 'shutDown' | 'drain' | 'abort';
  /** The time; -1: before `runWorkers` is called. @defaultValue after a quiet period */
  readonly atMs?: number;
  /** Further shutdowns, each `afterMs` after the previous one; 0 means in the same turn. */
  readonly followedBy?: readonly { readonly how: 'shutDown' | 'drain' | 'abort'; readonly afterMs: number }[];
}

/** A scenario: producers, workers, time and the end, as values that fast-check generates and shrinks. */
export interface WorkQueueScenario {
  readonly seed: number;
  /** The choices of the scheduler among events at the same instant. */
  readonly schedule: readonly number[];
  /** `default`: the queue uses its default rate limiter. Otherwise it gets one with these limits. */
  readonly limits: Limits | 'default';
  readonly producers: readonly (readonly Step[])[];
  readonly staff: readonly WorkerPlan[] | Pool;
  readonly ending: Ending;
  /** The time of the quiet period: after all steps, attempts and waits. */
  readonly quietAtMs: number;
}

/** Returns whether `runWorkers` runs the workers; otherwise the simulation does. */
export function isPool(staff: WorkQueueScenario['staff']): staff is Pool {
  return 'workers' in staff;
}
