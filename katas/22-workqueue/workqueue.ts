/**
 * Kata 22 · The workqueue. Read README.md beside this file up to its Level 1, then write `add`, `len` and `get` below.
 * Each level needs only its own section there, and the comments of its functions here.
 *
 * From the inside out: a {@link Queue} hands each item to one worker at a time. A {@link DelayingQueue} adds items
 * later. Rate limiters compute the delays for a {@link RateLimitingQueue}. {@link runWorkers} empties it.
 *
 * For your own design, write only {@link newWorkQueue} and {@link runWorkers}, in any shape. Their contracts are in the
 * comments of `NewWorkQueue` and `RunWorkers`, and the laws require no more.
 */
import {
  type Clock,
  type DelayingWorkQueue,
  MaxOfRateLimiter,
  type NewWorkQueue,
  type RateLimiter,
  RateLimitingDecorator,
  type RunWorkers,
  todo,
  type WorkersOptions,
  type WorkQueue,
  WorkQueueDecorator,
  type WorkQueueOptions,
} from '#harness';

const KATA = '22-workqueue';

// Levels 1 to 3 · The queue

/**
 * A queue that holds each item at most once, and never hands one item to two workers at once. Two items are equal if
 * they are the same key of a `Map`. Every value except `undefined` can be an item, also `''` and `0`.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed
 */
export class Queue<T> implements WorkQueue<T> {
  /**
   * Adds an item at the end of the line. If a {@link get} waits, it gets an item. An item that is already in line is
   * not added again, and keeps its place.
   *
   * Level 2: an item in hand enters the line only at {@link done}.
   *
   * Level 3: after {@link shutDown} nothing is added.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.Add
   */
  add(item: T): void {
    todo(KATA, 'Queue.add', 'Level 1');
  }

  /** @returns the number of items in line. Level 2: items in hand do not count, even if they were added again */
  len(): number {
    return todo(KATA, 'Queue.len', 'Level 1');
  }

  /**
   * Takes the item that has waited longest in line, or waits for one. Several gets may wait at once; each gets a
   * different item.
   *
   * @returns the item. Level 2: it is then in hand, until {@link done}. Level 3: `undefined` when the queue is shut
   * down and the line is empty, even if an item is still in hand; never before
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.Get
   */
  async get(): Promise<T | undefined> {
    return todo(KATA, 'Queue.get', 'Level 1');
  }

  /**
   * Ends the work on an item in hand. If the item was added while it was in hand, it now goes to the end of the line,
   * once, however often it was added. If the item is not in hand, nothing happens.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.Done
   */
  done(item: T): void {
    todo(KATA, 'Queue.done', 'Level 2');
  }

  /**
   * Stops all adds. The queue still hands out the items in line. It also hands out an item in hand that was added again
   * before the shutdown, after its {@link done}. While the line is empty, each {@link get} returns `undefined`: also a get
   * that already waits, and also if an item in hand will enter the line again.
   *
   * Level 9: ends every waiting {@link shutDownWithDrain}.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.ShutDown
   */
  shutDown(): void {
    todo(KATA, 'Queue.shutDown', 'Level 3');
  }

  /** @returns whether the queue was shut down, in either way */
  shuttingDown(): boolean {
    return todo(KATA, 'Queue.shuttingDown', 'Level 3');
  }

  /**
   * ★ Shuts down like {@link shutDown}, and waits for the items in hand. Several calls may wait at once.
   *
   * - If no item is in hand and the line is empty, it resolves at once.
   * - Otherwise it resolves when no item is in hand. It may also wait for the items in line, and for an item in hand that
   *   was added again: both are right.
   *
   * A later {@link shutDown} ends the wait. A second `shutDownWithDrain` does not end it.
   *
   * @returns a promise that resolves at the end of the wait
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.ShutDownWithDrain
   */
  async shutDownWithDrain(): Promise<void> {
    todo(KATA, 'Queue.shutDownWithDrain', 'Level 9');
  }
}

// Level 4 · Later

/**
 * A queue that adds items later. It adds them to the queue below, `this.queue`. `WorkQueueDecorator` (given) passes all
 * other calls on to that queue.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType
 */
export class DelayingQueue<T> extends WorkQueueDecorator<T> implements DelayingWorkQueue<T> {
  readonly #clock: Clock;

  constructor(queue: WorkQueue<T>, clock: Clock) {
    super(queue);
    this.#clock = clock;
  }

  /**
   * Adds the item after `delayMs`, to the millisecond. A delay of 0 or less is an {@link add}. After a shutdown,
   * nothing happens.
   *
   * An item waits for one time only. If it already waits, the earlier of the two times counts, and the later one is
   * dropped. An {@link add}, or a delay of 0 or less, adds the item now, and keeps its waiting time: the item is added
   * again at that time. It may be in line or in hand then, like at any other add.
   *
   * @example
   * At 0 ms `addAfter('a', 50)`, at 40 ms `addAfter('a', 30)`: `a` is added at 50 ms, and not again at 70 ms.
   *
   * The effect of a clock that is set back or forward on a waiting item is not specified.
   *
   * @param delayMs a finite number of ms, perhaps with a fraction
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType.AddAfter, insert
   */
  addAfter(item: T, delayMs: number): void {
    todo(KATA, 'DelayingQueue.addAfter', 'Level 4');
  }

  /**
   * Shuts the queue below down. Drops all waiting items. Within 20 s, no timer is left on the clock: a timer keeps a
   * process alive.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType.ShutDown
   */
  override shutDown(): void {
    todo(KATA, 'DelayingQueue.shutDown', 'Level 4');
  }

  /**
   * ★ Shuts down like {@link shutDown}, and waits like the queue below: {@link Queue.shutDownWithDrain}. Drops all
   * waiting items at the beginning, not after the wait.
   */
  override async shutDownWithDrain(): Promise<void> {
    todo(KATA, 'DelayingQueue.shutDownWithDrain', 'Level 9');
  }
}

// Level 5 · Each failure waits longer

/**
 * A rate limiter: each failure of an item doubles the wait of that item, up to a maximum. Other items have no
 * effect.
 *
 * @example
 * From 5 ms up to 100 ms, the failures of one item wait 5, 10, 20, 40, 80, 100, 100 … ms.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedItemExponentialFailureRateLimiter
 */
export class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;

  /** @param options both in ms, finite and more than 0 */
  constructor({ baseDelayMs, maxDelayMs }: { readonly baseDelayMs: number; readonly maxDelayMs: number }) {
    this.#baseDelayMs = baseDelayMs;
    this.#maxDelayMs = maxDelayMs;
  }

  /**
   * Counts a failure of the item.
   *
   * @returns `baseDelayMs` for the first failure, twice as much for each further one, and at most `maxDelayMs`. The
   * maximum also holds for the first failure, and after two thousand failures
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go
   * TypedItemExponentialFailureRateLimiter.When
   */
  when(item: T): number {
    return todo(KATA, 'ItemExponentialFailureRateLimiter.when', 'Level 5');
  }

  /** Forgets the failures of this item: its next failure is the first. */
  forget(item: T): void {
    todo(KATA, 'ItemExponentialFailureRateLimiter.forget', 'Level 5');
  }

  /** @returns the number of failures of this item since it was last forgotten */
  numRequeues(item: T): number {
    return todo(KATA, 'ItemExponentialFailureRateLimiter.numRequeues', 'Level 5');
  }
}

/**
 * A delaying queue, `this.queue`, with a rate limiter, `this.rateLimiter`. `RateLimitingDecorator` (given) passes
 * `forget`, `numRequeues` and all other calls on to one of them.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go rateLimitingType
 */
export class RateLimitingQueue<T> extends RateLimitingDecorator<T> {
  /**
   * Calls the rate limiter once, and adds the item after that wait, fractions included: 10.25 ms end after 11 ms. A rate
   * limiter never throws. After a shutdown the call is optional.
   */
  override addRateLimited(item: T): void {
    todo(KATA, 'RateLimitingQueue.addRateLimited', 'Level 5');
  }
}

// Level 6 · All together

/**
 * Limits the rate of all failures together. A bucket holds `burst` tokens, and is full at first. It gains `qps` tokens
 * a second, continuously: in a tenth of a second, a tenth of `qps`. A full bucket gains nothing. Each failure of any
 * item takes one token. If the bucket has none, the failure waits for the next token that no other failure has taken.
 *
 * @example
 * 10 tokens a second, a bucket of 3, and six failures at once: they wait 0, 0, 0, 100, 200 and 300 ms.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedBucketRateLimiter; the bucket
 * itself is golang/time@v0.15.0 rate/rate.go Limiter
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;

  /**
   * @param options `qps`: tokens a second, more than 0, perhaps less than 1; `burst`: the capacity of the bucket, 1 or
   * more
   */
  constructor({
    clock,
    qps,
    burst,
  }: { readonly clock: Clock; readonly qps: number; readonly burst: number }) {
    this.#clock = clock;
    this.#qps = qps;
    this.#burst = burst;
  }

  /**
   * Takes a token. If the clock was set back since the last failure, the bucket neither gains nor loses tokens. After
   * that, tokens accrue from the new time.
   *
   * @returns the time in ms until the token is there; 0 if it is there now. Return the exact fraction, or round it up.
   * Do not add up rounded times: with 3 tokens a second, the third wait is 1000 ms, not 1002 ms. A floating-point error
   * of up to a millionth of a millisecond is allowed, although it can delay an item by 1 ms
   * @see Upstream: golang/time@v0.15.0 rate/rate.go Limiter.reserveN, Limiter.advance
   */
  when(item: T): number {
    return todo(KATA, 'BucketRateLimiter.when', 'Level 6');
  }

  // Given: a bucket does not return tokens, and does not distinguish items.

  forget(_item: T): void {}

  numRequeues(_item: T): number {
    return 0;
  }
}

/**
 * Returns the rate limiter of controllers (given). It returns the longer of two waits: that of the item, 5 ms doubling
 * up to 1000 s, and that of the bucket, 10 a second, 100 at once.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter
 */
export function defaultControllerRateLimiter<T>(clock: Clock): RateLimiter<T> {
  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );
}

/** Stacks the three queues (given); the rest of a cluster calls only this function and {@link runWorkers}. */
export const newWorkQueue: NewWorkQueue = <T>(options: WorkQueueOptions<T>) => {
  const { clock, rateLimiter = defaultControllerRateLimiter<T>(clock) } = options;
  return new RateLimitingQueue<T>(new DelayingQueue<T>(new Queue<T>(), clock), rateLimiter);
};

// Levels 7 and 8 · The workers

/**
 * Processes one item: takes it from the queue, calls `sync` with it, and always calls `done`.
 *
 * - If `sync` resolves, forget the item's failures.
 * - If `sync` rejects or throws anything, even `undefined`, the item has failed. Add it again, rate-limited, if it had
 *   fewer than `maxRetries` failures before this one (`numRequeues`). Otherwise give it up: forget it, and do not add
 *   it. For each failure call `onError` once with the error and the item. Use `tell` from `#harness` for that: it
 *   ignores errors of the listener.
 * - If the signal was aborted before `sync` begins, call `done` but not `sync`. You may forget the failures or not.
 *
 * After `sync`, the order of `done`, `forget`, `addRateLimited` and `onError` is free, in one turn: without an `await`
 * between them.
 *
 * @example
 * With `maxRetries` 2, an item that always fails is tried three times.
 *
 * @param options `queue`; `sync(item)`, which returns a promise; `signal`; `maxRetries`, without which the number of
 * retries is unlimited; `onError(error, item)`, which may be absent. README.md has a table of them at Level 7
 * @returns true if it took an item, whatever the result; false when the queue is shut down and empty. Never rejects
 * @see Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go processNextItem, handleErr
 */
export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  return todo(KATA, 'processNextWorkItem', 'Level 7');
}

/**
 * Processes the items of a queue with `workers` workers; each processes one item after another. At the abort of the
 * signal, call `queue.shutDown()`. Do the same if the signal was aborted before the call. After the abort, never call
 * `sync`, even for items in line; they may stay in line or not. Remove your listener from the signal before you resolve.
 *
 * @returns a promise that never rejects. It resolves when every running `sync` has settled, and either the signal was
 * aborted, or other code shut the queue down and the line is empty
 * @see Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go Run, runWorker
 */
export const runWorkers: RunWorkers = async <T>(options: WorkersOptions<T>): Promise<void> => {
  todo(KATA, 'runWorkers', 'Level 8');
};
