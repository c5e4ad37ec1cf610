import type { Clock } from '../sim/index.ts';

/**
 * The workqueue: between those who notice that something changed and those who see to it. The port that kata 22
 * implements and every controller consumes: a queue, with delays, with rate limits, each on top of the one before,
 * and the workers who empty it.
 *
 * A queue that holds each item once at most, and of which no item is ever in two hands.
 *
 * Items are the same when a `Map` takes them for the same key: use strings, `namespace/name`. Anything but
 * `undefined` can be an item, also `''` and `0`.
 *
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue/queue.go Interface
 */
export interface WorkQueue<T> {
  /**
   * Says that there is work to do for this item. One that waits already is not added again, and keeps its place in
   * line. One that is in hand is handed out once more after it is {@link done}, however often it was added
   * meanwhile. After {@link shutDown} nothing is added.
   */
  add(item: T): void;

  /**
   * How many items stand in line. Those in hand do not count, even when they were added again; nor do those that
   * wait for their time.
   */
  len(): number;

  /**
   * Takes the item that has waited longest, or waits for one. It is in hand from then on: whoever takes an item gives
   * it back by {@link done}. Of several who wait for an item, each gets another one.
   *
   * @returns `undefined` when the queue is shut down and nothing stands in line any more; never before
   */
  get(): Promise<T | undefined>;

  /**
   * Gives an item back. If it was added meanwhile, it goes to the end of the line now. What is not in hand cannot be
   * given back: then nothing happens.
   */
  done(item: T): void;

  /** From now on nothing is added. What stands in line is still handed out, and then every {@link get} gives `undefined`. */
  shutDown(): void;

  /**
   * Like {@link shutDown}; and resolves when no item is in hand any more, at once if none is and none stands in line.
   * For what stands in line, also for what was added again while it was in hand, it need not wait, but may: count on
   * neither. A {@link shutDown} after it ends the wait.
   */
  shutDownWithDrain(): Promise<void>;

  /** Whether it was shut down, in either way. */
  shuttingDown(): boolean;
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/delaying_queue.go DelayingInterface */
export interface DelayingWorkQueue<T> extends WorkQueue<T> {
  /**
   * Adds the item when `delayMs` have passed. A delay of 0 or less is an {@link add}: the time that the item waits for
   * already stays. While an item waits for its time, of several times for it the earliest counts, and the others are
   * forgotten; to {@link add} it changes nothing about that. What waits for its time when the queue is shut down is not
   * added any more.
   *
   * @throws RangeError when `delayMs` is not a number, or Infinity; also after a shut down
   */
  addAfter(item: T, delayMs: number): void;
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/rate_limiting_queue.go RateLimitingInterface */
export interface RateLimitingWorkQueue<T> extends DelayingWorkQueue<T> {
  /** Adds the item when the rate limiter says that it is time. Each call counts as a failure of the item. */
  addRateLimited(item: T): void;

  /**
   * The item is well, or given up: its failures no longer count. It is *not* given back by that (call {@link done},
   * too), and if it waits for its time, it goes on waiting.
   */
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
  /** Counts one more failure of the item. @returns how long it is to wait, in ms: 0 or more and finite, perhaps with a fraction */
  when(item: T): number;
  /** Counts no failure of the item any more. */
  forget(item: T): void;
  /** How many failures of this item count. */
  numRequeues(item: T): number;
}

/** What a queue is made of. */
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

/** Which queue is worked off, and how. */
export interface WorkersOptions<T> {
  readonly queue: RateLimitingWorkQueue<T>;
  /**
   * Sees to one item. Resolves: it is done with, and its failures are forgotten. Rejects or throws, be it with nothing:
   * it is tried again, later each time. It is never called for one item twice at once.
   */
  readonly sync: (item: T) => Promise<void>;
  /** How many items may be in hand at once: a whole number, 1 or more. */
  readonly workers: number;
  /**
   * An item that fails once more after so many retries is given up: forgotten, and not tried again until it is added
   * anew; then it has as many retries again. They are counted by the queue: {@link RateLimitingWorkQueue.numRequeues}.
   *
   * @defaultValue never
   */
  readonly maxRetries?: number;
  /**
   * Told of every failure, once: with what was thrown, and the item. What it throws itself is dropped, and changes
   * nothing. Nor does what it returns: a promise is not awaited, and one that rejects is dropped, too.
   *
   * @defaultValue nobody is told
   */
  readonly onError?: (error: unknown, item: T) => void;
  /** Stops the workers, and shuts the queue down. */
  readonly signal: AbortSignal;
}

/**
 * Works a queue off. After the abort no `sync` begins; what still stands in line then is dropped. Resolves when the
 * signal was aborted, or somebody else shut the queue down and nothing stands in line, and every `sync` that was under
 * way has settled.
 *
 * @throws RangeError as a rejection, when `workers` is not a whole number from 1 on; for no other reason
 */
export type RunWorkers = <T>(options: WorkersOptions<T>) => Promise<void>;
