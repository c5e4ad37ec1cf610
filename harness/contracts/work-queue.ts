/**
 * The workqueue: between those who notice that something changed and those who see to it. The port that kata 22
 * implements and every controller consumes: a queue, with delays, with rate limits, each on top of the one before,
 * and the workers who empty it.
 */
import type { Clock } from '../sim/index.ts';

/**
 * A queue that holds each item once at most, and of which no item is ever in two hands.
 *
 * Items are the same when a `Map` takes them for the same key: use strings, `namespace/name`.
 *
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue/queue.go Interface
 */
export interface WorkQueue<T> {
  /**
   * Says that there is work to do for this item. One that waits already is not added again. One that is in hand
   * waits until it is {@link done} and is then handed out once more. After {@link shutDown} nothing is added.
   */
  add(item: T): void;

  /** How many items wait. Those in hand do not count, even when they were added again. */
  len(): number;

  /**
   * Takes the item that has waited longest, or waits for one. Whoever takes an item gives it back by {@link done}.
   *
   * @returns `undefined` when the queue is shut down and nothing waits any more
   */
  get(): Promise<T | undefined>;

  /** Gives an item back. If it was added meanwhile, it waits again from now on. */
  done(item: T): void;

  /** From now on nothing is added. What waits is still handed out, and then every {@link get} gives `undefined`. */
  shutDown(): void;

  /**
   * Like {@link shutDown}; and resolves when no item is in hand any more, at once if none is. An item that was added
   * again while it was in hand is handed out once more, and is waited for, too; for what merely waits nobody waits.
   * A {@link shutDown} after it ends the wait.
   */
  shutDownWithDrain(): Promise<void>;

  shuttingDown(): boolean;
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/delaying_queue.go DelayingInterface */
export interface DelayingWorkQueue<T> extends WorkQueue<T> {
  /**
   * Adds the item when `delayMs` have passed; at once when that is 0 or less. Of several times for one item that
   * waits, the earliest counts.
   */
  addAfter(item: T, delayMs: number): void;
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/rate_limiting_queue.go RateLimitingInterface */
export interface RateLimitingWorkQueue<T> extends DelayingWorkQueue<T> {
  /** Adds the item when the rate limiter says that it is time. Each call counts as a failure of the item. */
  addRateLimited(item: T): void;

  /** The item is well: its failures no longer count. It is *not* given back by that: call {@link done}, too. */
  forget(item: T): void;

  /** How many failures of this item count. */
  numRequeues(item: T): number;
}

/**
 * Decides how long an item has to wait.
 *
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go RateLimiter
 */
export interface RateLimiter<T> {
  /** Counts one more failure of the item. @returns how long it is to wait, in ms */
  when(item: T): number;
  /** Counts no failure of the item any more. */
  forget(item: T): void;
  /** How many failures of this item count. */
  numRequeues(item: T): number;
}

export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /**
   * @defaultValue what controllers use: the longer of 5 ms for the first failure of an item, doubling with each up
   * to 1000 s, and of what keeps all items together to 10 a second, 100 at once
   */
  readonly rateLimiter?: RateLimiter<T>;
}

/** Makes a queue: what kata 22 is to the rest of a cluster. */
export type NewWorkQueue = <T>(options: WorkQueueOptions<T>) => RateLimitingWorkQueue<T>;

export interface WorkersOptions<T> {
  readonly queue: RateLimitingWorkQueue<T>;
  /**
   * Sees to one item. Resolves: it is done with, and its failures are forgotten. Rejects or throws: it is tried
   * again, later each time. It is never called for one item twice at once.
   */
  readonly sync: (item: T) => Promise<void>;
  /** How many items may be in hand at once. */
  readonly workers: number;
  /** An item that fails once more after so many retries is given up, until it is added anew. @defaultValue never */
  readonly maxRetries?: number;
  /** Told of every failure. @defaultValue nobody is told */
  readonly onError?: (error: unknown, item: T) => void;
  /** Stops the workers, and shuts the queue down. */
  readonly signal: AbortSignal;
}

/**
 * Works a queue off. Resolves, never rejects, when the signal was aborted and every `sync` that was under way has
 * settled; after the abort none begins.
 */
export type RunWorkers = <T>(options: WorkersOptions<T>) => Promise<void>;
