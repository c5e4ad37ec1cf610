/**
 * Kata 22 · The workqueue. Read README.md beside this file, then begin at the top: Level 1 is the line.
 *
 * From the inside out: a {@link Queue} hands each item to one worker at a time; a {@link DelayingQueue} adds items
 * later; rate limiters say how much later, and a {@link RateLimitingQueue} asks them; {@link runWorkers} empties it.
 */
import {
  type Clock,
  type DelayingWorkQueue,
  type NewWorkQueue,
  type RateLimiter,
  type RateLimitingWorkQueue,
  todo,
  type WorkersOptions,
  type WorkQueue,
  type WorkQueueOptions,
} from '#harness';

const KATA = '22-workqueue';

// Levels 1 to 3 · The queue

/**
 * A queue that holds each item once at most, and of which no item is ever in two hands. Items are the same when a
 * `Map` takes them for the same key. Anything but `undefined` can be an item, also `''` and `0`.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/queue.go Type
 */
export class Queue<T> implements WorkQueue<T> {
  /**
   * Says that there is work to do for this item: it goes to the end of the line, and whoever waits for an item gets
   * one. An item that stands in line already is not added again, and keeps its place.
   *
   * Level 2: one that is in hand is not put in line before it is {@link done}.
   *
   * Level 3: after {@link shutDown} nothing is added.
   */
  add(item: T): void {
    todo(KATA, 'Queue.add', 'Level 1');
  }

  /** @returns how many items stand in line; not those in hand, even when they were added again */
  len(): number {
    return todo(KATA, 'Queue.len', 'Level 1');
  }

  /**
   * Takes the item that has stood in line longest, or waits for one. Several may wait at once; each gets an item of
   * its own.
   *
   * @returns the item, which is in hand from then on, until it is {@link done}; Level 3: `undefined` when the queue is
   * shut down and nothing stands in line, even if something is still in hand; never before
   */
  async get(): Promise<T | undefined> {
    return todo(KATA, 'Queue.get', 'Level 1');
  }

  /**
   * Gives an item back. If it was added while it was in hand, however often, it goes to the end of the line now, once.
   * What is not in hand cannot be given back: then nothing happens.
   */
  done(item: T): void {
    todo(KATA, 'Queue.done', 'Level 2');
  }

  /**
   * From now on nothing is added. What stands in line is still handed out, and so is, when it is {@link done}, what
   * was added again before. Then every {@link get} gives `undefined`, and so do those that wait now.
   */
  shutDown(): void {
    todo(KATA, 'Queue.shutDown', 'Level 3');
  }

  /**
   * Like {@link shutDown}, but waits for the work that is under way.
   *
   * @returns when no item is in hand any more; at once if none is and none stands in line. For what stands in line, also
   * for what was added again while it was in hand, it need not wait, but may. A {@link shutDown} after it ends the wait
   */
  async shutDownWithDrain(): Promise<void> {
    todo(KATA, 'Queue.shutDownWithDrain', 'Level 3');
  }

  /** @returns whether it was shut down, in either way */
  shuttingDown(): boolean {
    return todo(KATA, 'Queue.shuttingDown', 'Level 3');
  }
}

// Level 4 · Later

/**
 * A queue to which items can be added later: it puts them into the queue that it is made of when it is time, and
 * passes everything else on.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/delaying_queue.go delayingType
 */
export class DelayingQueue<T> implements DelayingWorkQueue<T> {
  readonly #queue: WorkQueue<T>;

  /** @param clock its `after(ms, callback)` calls back when it is time, and gives what calls that off */
  constructor(queue: WorkQueue<T>, clock: Clock) {
    this.#queue = queue;
  }

  /**
   * Adds the item when `delayMs` have passed, to the millisecond. A delay of 0 or less is an {@link add}. After a shut
   * down, nothing happens.
   *
   * An item waits for one time only. When it waits already, the earlier time of the two counts, and the later one is
   * forgotten. To {@link add} the item, be it by a delay of 0 or less, changes nothing about that: the time that it waits
   * for already stays, and it is added again when that has come. It is added like any other then: it may stand in line
   * or be in hand.
   *
   * @throws RangeError when `delayMs` is not a number (NaN), or Infinity, which never comes; after a shut down, too
   */
  addAfter(item: T, delayMs: number): void {
    todo(KATA, 'DelayingQueue.addAfter', 'Level 4');
  }

  /**
   * Shuts the queue down. What waits for its time would be dropped when that comes: it is dropped now, and within
   * twenty seconds nothing of it is left to wait for on the clock; a timer would keep a process alive for nothing.
   */
  shutDown(): void {
    todo(KATA, 'DelayingQueue.shutDown', 'Level 4');
  }

  /** Like {@link shutDown}, but waits as the queue does: {@link Queue.shutDownWithDrain}. */
  async shutDownWithDrain(): Promise<void> {
    todo(KATA, 'DelayingQueue.shutDownWithDrain', 'Level 4');
  }

  // What follows is passed on, and written already.

  add(item: T): void {
    this.#queue.add(item);
  }

  len(): number {
    return this.#queue.len();
  }

  get(): Promise<T | undefined> {
    return this.#queue.get();
  }

  done(item: T): void {
    this.#queue.done(item);
  }

  shuttingDown(): boolean {
    return this.#queue.shuttingDown();
  }
}

// Level 5 · How long to wait

/**
 * Each failure of an item doubles how long that item waits, up to a maximum. Other items do not matter.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go ItemExponentialFailureRateLimiter
 */
export class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {
  /** @throws RangeError when one of the two is not more than 0, or not finite */
  constructor(options: { readonly baseDelayMs: number; readonly maxDelayMs: number }) {
    todo(KATA, 'ItemExponentialFailureRateLimiter', 'Level 5');
  }

  /**
   * Counts one more failure of the item.
   *
   * @returns `baseDelayMs` for the first one that counts, twice as much for each that follows, but never more than
   * `maxDelayMs`: not after two thousand failures, and not for the first if the base is more than that
   */
  when(item: T): number {
    return todo(KATA, 'ItemExponentialFailureRateLimiter.when', 'Level 5');
  }

  /** The failures of this item count no more: its next one is the first. */
  forget(item: T): void {
    todo(KATA, 'ItemExponentialFailureRateLimiter.forget', 'Level 5');
  }

  /** @returns how many failures of this item count; 0 when it is not known */
  numRequeues(item: T): number {
    return todo(KATA, 'ItemExponentialFailureRateLimiter.numRequeues', 'Level 5');
  }
}

/**
 * An item is tried again soon for so many times, and slowly from then on.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go ItemFastSlowRateLimiter
 */
export class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {
  constructor(options: {
    readonly fastDelayMs: number;
    readonly slowDelayMs: number;
    readonly maxFastAttempts: number;
  }) {
    todo(KATA, 'ItemFastSlowRateLimiter', 'Level 5');
  }

  /**
   * Counts one more failure of the item.
   *
   * @returns `fastDelayMs` for its first `maxFastAttempts` failures that count, `slowDelayMs` for each that follows
   */
  when(item: T): number {
    return todo(KATA, 'ItemFastSlowRateLimiter.when', 'Level 5');
  }

  /** The failures of this item count no more. */
  forget(item: T): void {
    todo(KATA, 'ItemFastSlowRateLimiter.forget', 'Level 5');
  }

  /** @returns how many failures of this item count */
  numRequeues(item: T): number {
    return todo(KATA, 'ItemFastSlowRateLimiter.numRequeues', 'Level 5');
  }
}

/**
 * Keeps all items together to a rate. A bucket holds `burst` tokens, and is full at first; `qps` tokens a second drop
 * into it (in a tenth of a second a tenth of that: fractions count), and what it cannot hold is lost. Each failure, of
 * whatever item, takes one out. When none is there, it takes one that has not dropped yet, and the item waits for it;
 * whoever comes next waits for the one after that.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go BucketRateLimiter; the bucket
 * itself is golang/time@v0.3.0 rate/rate.go Limiter
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  /**
   * @param options `qps`: tokens a second, more than 0, perhaps less than 1; `burst`: how many the bucket holds, 1 or
   * more. When the clock is set back, no time has passed: the bucket loses nothing, and time counts on from there
   */
  constructor(options: { readonly clock: Clock; readonly qps: number; readonly burst: number }) {
    todo(KATA, 'BucketRateLimiter', 'Level 5');
  }

  /** Takes a token. @returns in how many ms it is there, with a fraction or rounded up; 0 when it is there now */
  when(item: T): number {
    return todo(KATA, 'BucketRateLimiter.when', 'Level 5');
  }

  /** Does nothing: tokens that were taken are gone. */
  forget(item: T): void {
    todo(KATA, 'BucketRateLimiter.forget', 'Level 5');
  }

  /** @returns 0: it does not know one item from another */
  numRequeues(item: T): number {
    return todo(KATA, 'BucketRateLimiter.numRequeues', 'Level 5');
  }
}

/**
 * The strictest of several rate limiters.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go MaxOfRateLimiter
 */
export class MaxOfRateLimiter<T> implements RateLimiter<T> {
  constructor(...limiters: readonly RateLimiter<T>[]) {
    todo(KATA, 'MaxOfRateLimiter', 'Level 5');
  }

  /** Asks every one of them, once. @returns the longest wait; 0 when there is nobody to ask */
  when(item: T): number {
    return todo(KATA, 'MaxOfRateLimiter.when', 'Level 5');
  }

  /** Tells every one of them. */
  forget(item: T): void {
    todo(KATA, 'MaxOfRateLimiter.forget', 'Level 5');
  }

  /** @returns the highest count; 0 when there is nobody to ask */
  numRequeues(item: T): number {
    return todo(KATA, 'MaxOfRateLimiter.numRequeues', 'Level 5');
  }
}

/**
 * What controllers use: the longer of 5 ms for the first failure of an item, doubling with each up to 1000 s, and of
 * what keeps all items together to 10 a second, 100 at once.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go DefaultControllerRateLimiter
 */
export function defaultControllerRateLimiter<T>(clock: Clock): RateLimiter<T> {
  return todo(KATA, 'defaultControllerRateLimiter', 'Level 5');
}

/**
 * A queue to which items that failed are added when a rate limiter says so. It passes everything else on.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 util/workqueue/rate_limiting_queue.go rateLimitingType
 */
export class RateLimitingQueue<T> implements RateLimitingWorkQueue<T> {
  readonly #queue: DelayingWorkQueue<T>;

  constructor(queue: DelayingWorkQueue<T>, rateLimiter: RateLimiter<T>) {
    this.#queue = queue;
  }

  /** Adds the item after as long as the rate limiter says, which it asks once. After a shut down it need not ask. */
  addRateLimited(item: T): void {
    todo(KATA, 'RateLimitingQueue.addRateLimited', 'Level 5');
  }

  /** The rate limiter forgets the item. Where the item is, in line, in hand or waiting for its time, does not change. */
  forget(item: T): void {
    todo(KATA, 'RateLimitingQueue.forget', 'Level 5');
  }

  /** @returns how many failures of the item the rate limiter counts */
  numRequeues(item: T): number {
    return todo(KATA, 'RateLimitingQueue.numRequeues', 'Level 5');
  }

  // What follows is passed on, and written already.

  addAfter(item: T, delayMs: number): void {
    this.#queue.addAfter(item, delayMs);
  }

  add(item: T): void {
    this.#queue.add(item);
  }

  len(): number {
    return this.#queue.len();
  }

  get(): Promise<T | undefined> {
    return this.#queue.get();
  }

  done(item: T): void {
    this.#queue.done(item);
  }

  shutDown(): void {
    this.#queue.shutDown();
  }

  shutDownWithDrain(): Promise<void> {
    return this.#queue.shutDownWithDrain();
  }

  shuttingDown(): boolean {
    return this.#queue.shuttingDown();
  }
}

/** All three, one on top of the other: what the rest of a cluster knows of this kata. Written already. */
export const newWorkQueue: NewWorkQueue = <T>(options: WorkQueueOptions<T>) => {
  const { clock, rateLimiter = defaultControllerRateLimiter<T>(clock) } = options;
  return new RateLimitingQueue<T>(new DelayingQueue<T>(new Queue<T>(), clock), rateLimiter);
};

// Level 6 · The workers

/**
 * Sees to one item: takes it from the queue, calls `sync` with it, and gives it back whatever came of that.
 *
 * - `sync` resolves: the item's failures are forgotten.
 * - `sync` rejects, or throws before it has a promise to give, with an error or with nothing at all: as long as fewer than
 *   `maxRetries` of the item's failures count (`numRequeues`), it is added again rate-limited; when it has had so many
 *   retries, it is given up, that is, forgotten and not added. Either way `onError` is told, once.
 * - The signal was aborted before: the item is given back, and `sync` is not called.
 *
 * With a `sync` that is under way at the abort all this is no different: of an add, the queue sees to it that nothing comes.
 *
 * @param options what `onError` throws is dropped: who only listens cannot end the work. If it returns a promise, that is
 * not awaited, and if it rejects, that is dropped, too
 * @returns true when there was an item, whatever came of it; false when the queue is shut down and empty. Never rejects
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go processNextWorkItem,
 * handleErr
 */
export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  return todo(KATA, 'processNextWorkItem', 'Level 6');
}

/**
 * Works a queue off with so many workers, each of whom sees to one item after another. The abort shuts the queue
 * down, if need be before anything has begun; after it no `sync` begins, and what still stands in line is dropped.
 *
 * @returns when the signal was aborted, or somebody else shut the queue down and nothing stands in line, and every
 * `sync` that was under way has settled
 * @throws RangeError (it rejects) when `workers` is not a whole number from 1 on; for no other reason
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go Run, worker
 */
export async function runWorkers<T>(options: WorkersOptions<T>): Promise<void> {
  todo(KATA, 'runWorkers', 'Level 6');
}
