import type { Clock } from '../sim/index.ts';

/**
 * A queue that holds each item at most once, and never gives one item to two workers at once. It connects the code that
 * notices changes with the code that acts on them.
 *
 * Kata 22 implements this port, and every controller uses it. It consists of a queue, delays on top of it, rate limits
 * on top of those, and the workers. The delegating classes are in work-queue-decorators.ts.
 *
 * Items are equal if a `Map` treats them as the same key: use strings, `namespace/name`. Any value except `undefined`
 * can be an item, including `''` and `0`.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go TypedInterface
 */
export interface WorkQueue<T> {
  /**
   * Adds an item that needs work. If the item is already queued, nothing changes, and it keeps its place. If a worker
   * is processing it, it is queued again after {@link done}: once, even after several adds. After {@link shutDown}
   * nothing is added.
   */
  add(item: T): void;

  /**
   * Returns the number of queued items. It excludes items that are being processed, even if they were added again, and
   * items whose delay has not passed.
   */
  len(): number;

  /**
   * Takes the item that was queued first, or waits for an item. The item is then being processed, until the caller
   * calls {@link done}. If several callers wait, each gets a different item.
   *
   * @returns `undefined` only when the queue is shut down and has no queued items
   */
  get(): Promise<T | undefined>;

  /**
   * Marks an item as processed. If it was added again while it was processed, it is queued now, at the end. For an item
   * that is not being processed, nothing happens.
   */
  done(item: T): void;

  /**
   * Shuts the queue down: later adds are ignored. Queued items are still handed out. When no item is queued, every
   * {@link get} resolves with `undefined`, including calls that already wait. An item that is being processed does not
   * delay that.
   */
  shutDown(): void;

  /**
   * Shuts down like {@link shutDown}, and resolves when no item is being processed. If no item is queued or being
   * processed at the call, it resolves at once. Whether it also waits for queued items, or for items that were added
   * again while processed, is unspecified: rely on neither. A later {@link shutDown} ends the wait; a second
   * `shutDownWithDrain` does not.
   */
  shutDownWithDrain(): Promise<void>;

  /** Returns whether the queue was shut down, in either way. */
  shuttingDown(): boolean;
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go TypedDelayingInterface */
export interface DelayingWorkQueue<T> extends WorkQueue<T> {
  /**
   * Adds the item after `delayMs`, with a precision of 1 ms and never early: a delay of 0.5 ms ends after 1 ms. A delay
   * of 0 or less is the same as {@link add}.
   *
   * An item has at most one pending delay. If it already waits, the earlier of the two times counts, and the later is
   * dropped. An {@link add}, or a delay of 0 or less, does not change the pending time. When the queue is shut down,
   * pending items are dropped, and within 20 s no timer remains on the clock. The effect of a clock change on pending
   * items is unspecified.
   *
   * @param delayMs a finite number of ms, may be fractional
   */
  addAfter(item: T, delayMs: number): void;
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go TypedRateLimitingInterface */
export interface RateLimitingWorkQueue<T> extends DelayingWorkQueue<T> {
  /** Adds the item after the delay that the rate limiter returns. Each call counts as one failure of the item. */
  addRateLimited(item: T): void;

  /**
   * Resets the failures of an item that succeeded or was dropped. This does *not* mark the item as processed (call
   * {@link done}, too), and a pending delay continues.
   */
  forget(item: T): void;

  /** Returns the number of counted failures of this item: {@link RateLimiter.numRequeues}. */
  numRequeues(item: T): number;
}

/**
 * Computes the delay of an item after a failure. It only counts; it never waits.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedRateLimiter
 */
export interface RateLimiter<T> {
  /** Counts another failure of the item. Never throws. @returns the delay in ms: finite, 0 or more, may be fractional */
  when(item: T): number;
  /** Resets the failures of the item. */
  forget(item: T): void;
  /** Returns the number of counted failures of this item. */
  numRequeues(item: T): number;
}

/** Options of a queue. */
export interface WorkQueueOptions<T> {
  readonly clock: Clock;
  /**
   * @defaultValue the default of controllers, the longer of two delays. The first is 5 ms for the first counted failure
   * of an item, and doubles with each further failure, up to 1000 s. The second limits all items together to 10
   * failures a second, with a burst of 100. Its bucket holds 100 tokens, starts full, and gains a token every 100 ms.
   * Each failure takes a token. If the bucket is empty, the failure waits for the next token that no earlier failure
   * has reserved.
   */
  readonly rateLimiter?: RateLimiter<T>;
}

/** Creates a queue. A cluster uses kata 22 through this function. */
export type NewWorkQueue = <T>(options: WorkQueueOptions<T>) => RateLimitingWorkQueue<T>;

/** Options of {@link RunWorkers}. */
export interface WorkersOptions<T> {
  readonly queue: RateLimitingWorkQueue<T>;
  /**
   * Processes one item. If it resolves, the failures of the item are reset. If it rejects or throws, even with
   * `undefined`, the item is retried with the rate limiter. It is never called for one item twice at once.
   */
  readonly sync: (item: T) => Promise<void>;
  /** The maximum number of items that are processed at once: an integer, at least 1. */
  readonly workers: number;
  /**
   * The maximum number of retries of an item. At its failure number `maxRetries` + 1 the item is dropped: its failures
   * are reset, and it is not retried. {@link RateLimitingWorkQueue.numRequeues} counts the failures. An item that is
   * added later has the full number of retries again.
   *
   * @defaultValue no limit
   */
  readonly maxRetries?: number;
  /**
   * Called once for every failure, with the error and the item. It cannot affect the work: an error that it throws is
   * ignored; a promise that it returns is not awaited, and its rejection is ignored. `tell` implements this.
   *
   * @defaultValue failures are not reported
   */
  readonly onError?: (error: unknown, item: T) => void;
  /**
   * Its abort stops the workers, and calls `shutDown` of the queue, which also ends a drain. When `runWorkers` resolves
   * without an abort, no listener of it is left on the signal.
   */
  readonly signal: AbortSignal;
}

/**
 * Processes a queue with this many workers. On abort the queue is shut down, and `sync` is not called for the items
 * that are still queued. Items that are being processed are marked as done. Whether {@link WorkQueue.len} becomes 0,
 * and whether failures are then reset, is unspecified. The signal may already be aborted at the call.
 *
 * @returns a promise that never rejects. It resolves after every running `sync` has settled, when the signal is
 * aborted, or the queue was shut down otherwise and is empty
 */
export type RunWorkers = <T>(options: WorkersOptions<T>) => Promise<void>;

/**
 * Reports a failure to a listener. The listener cannot affect the work: an error that it throws or rejects with is
 * ignored, and its result is not awaited.
 */
export function tell<T>(onError: WorkersOptions<T>['onError'], error: unknown, item: T): void {
  (async () => onError?.(error, item))().catch(() => {});
}
