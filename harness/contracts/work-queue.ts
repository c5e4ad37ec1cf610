import type { Clock } from '../sim/index.ts';

/**
 * The workqueue: between those that notice a change and those that act on it. The port that kata 22 implements and every
 * controller consumes: a queue, with delays, with rate limits, each on top of the one before, and the workers that empty
 * it. What passes calls on is in work-queue-decorators.ts.
 *
 * A queue that holds each item at most once, and that never hands one item to two workers at once.
 *
 * Items are the same if a `Map` takes them for the same key: use strings, `namespace/name`. Anything except `undefined`
 * can be an item, also `''` and `0`.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go TypedInterface
 */
export interface WorkQueue<T> {
  /**
   * Says that there is work to do for this item. An item that waits in line is not added again, and keeps its place. An
   * item that is in hand is handed out once more after it is {@link done}, however often it was added meanwhile. After
   * {@link shutDown} nothing is added.
   */
  add(item: T): void;

  /**
   * How many items stand in line. Items in hand do not count, even if they were added again; nor do items that wait for
   * their time.
   */
  len(): number;

  /**
   * Takes the item that has stood in line longest, or waits for one. The item is in hand from then on: the caller gives
   * it back by {@link done}. If several callers wait, each gets another item.
   *
   * @returns `undefined` when the queue is shut down and nothing stands in line any more; never before
   */
  get(): Promise<T | undefined>;

  /**
   * Gives an item back. If it was added meanwhile, it goes to the end of the line now. An item that is not in hand cannot
   * be given back: then nothing happens.
   */
  done(item: T): void;

  /**
   * From now on nothing is added. What stands in line is still handed out. When nothing stands in line, a {@link get} gives
   * `undefined`, also one that waits now, even if an item in hand will come back.
   */
  shutDown(): void;

  /**
   * Like {@link shutDown}; and resolves when no item is in hand any more. If nothing is in hand from the start, it resolves
   * at once if nothing stands in line. It may also wait for what stands in line, or was added again while it was in hand:
   * count on neither. A {@link shutDown} after it ends the wait; a second `shutDownWithDrain` does not.
   */
  shutDownWithDrain(): Promise<void>;

  /** Whether it was shut down, in either way. */
  shuttingDown(): boolean;
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go TypedDelayingInterface */
export interface DelayingWorkQueue<T> extends WorkQueue<T> {
  /**
   * Adds the item when `delayMs` have passed, to the millisecond, and never early: 0.5 ms have passed after 1 ms. A delay
   * of 0 or less is an {@link add}.
   *
   * An item waits for one time only. If it waits already, the earlier of the two times counts, and the later is
   * forgotten. An {@link add}, or a delay of 0 or less, changes nothing about the time that the item waits for. When the
   * queue is shut down, what waits for its time is dropped, and within 20 s no timer is left on the clock. What a clock
   * that is set back or forward means for an item that waits is left open.
   *
   * @param delayMs a finite number of ms, perhaps with a fraction
   */
  addAfter(item: T, delayMs: number): void;
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go TypedRateLimitingInterface */
export interface RateLimitingWorkQueue<T> extends DelayingWorkQueue<T> {
  /** Adds the item when the rate limiter says that it is time. Each call counts as one failure of the item. */
  addRateLimited(item: T): void;

  /**
   * The item is well, or given up: its failures no longer count. The item is *not* given back by that (call {@link done},
   * too), and if it waits for its time, it goes on waiting.
   */
  forget(item: T): void;

  /** How many failures of this item count: {@link RateLimiter.numRequeues}. */
  numRequeues(item: T): number;
}

/**
 * Decides how long an item has to wait after a failure. It counts, and waits for nothing itself.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedRateLimiter
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
   * @defaultValue what controllers use, the longer of two waits. One is 5 ms for the first failure of an item that counts,
   * and twice as much for each failure that follows, up to 1000 s. The other keeps all items together to 10 failures a
   * second, and 100 at once: a bucket holds 100 tokens, is full at first, and gets one more every 100 ms. Each failure
   * takes a token; if none is there, the failure waits for the next one that no other failure has taken.
   */
  readonly rateLimiter?: RateLimiter<T>;
}

/** Makes a queue: what kata 22 is to the rest of a cluster. */
export type NewWorkQueue = <T>(options: WorkQueueOptions<T>) => RateLimitingWorkQueue<T>;

/** Which queue is worked off, and how. */
export interface WorkersOptions<T> {
  readonly queue: RateLimitingWorkQueue<T>;
  /**
   * Sees to one item. Resolves: the item's failures are forgotten. Rejects or throws, be it with nothing: the item is
   * tried again, rate-limited. It is never called for one item twice at once.
   */
  readonly sync: (item: T) => Promise<void>;
  /** How many items may be in hand at once: a whole number, 1 or more. */
  readonly workers: number;
  /**
   * An item is given up at its failure number `maxRetries` + 1, as the queue counts them
   * ({@link RateLimitingWorkQueue.numRequeues}): forgotten, and not tried again until it is added anew. Then it has as many
   * retries again.
   *
   * @defaultValue no limit
   */
  readonly maxRetries?: number;
  /**
   * Told of every failure, once: with what was thrown, and the item. It only listens. What it throws is dropped, a promise
   * that it returns is not awaited, and one that rejects is dropped, too: `tell` does all of that.
   *
   * @defaultValue nothing is told
   */
  readonly onError?: (error: unknown, item: T) => void;
  /** Stops the workers, and shuts the queue down. */
  readonly signal: AbortSignal;
}

/**
 * Works a queue off with so many workers. At the abort the queue is shut down; after it `sync` is called for nothing that
 * still stands in line. What was in hand is given back. Whether {@link WorkQueue.len} becomes 0, and whether failures are
 * forgotten then, is open. The signal may be aborted before this is called.
 *
 * @returns a promise that never rejects. It resolves when every `sync` that was under way has settled, and the signal was
 * aborted, or the queue was shut down by other means and nothing stands in line
 */
export type RunWorkers = <T>(options: WorkersOptions<T>) => Promise<void>;

/**
 * Tells a listener of a failure. Whatever it does, it cannot harm the work: what it throws, or rejects with, is dropped,
 * and what it returns is not awaited.
 */
export function tell<T>(onError: WorkersOptions<T>['onError'], error: unknown, item: T): void {
  (async () => onError?.(error, item))().catch(() => {});
}
