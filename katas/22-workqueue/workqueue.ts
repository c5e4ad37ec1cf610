/**
 * Kata 22 · The workqueue. Read README.md beside this file, then begin at the top: Level 1 is the line.
 *
 * From the inside out: a {@link Queue} hands each item to one worker at a time; a {@link DelayingQueue} adds items later;
 * rate limiters say how much later, and a {@link RateLimitingQueue} asks them; {@link runWorkers} empties it.
 *
 * To go your own way, write {@link newWorkQueue} and {@link runWorkers} in any shape: their contracts stand at
 * `NewWorkQueue` and `RunWorkers`, and the laws ask for no more.
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
 * A queue that holds each item at most once, and that never hands one item to two workers at once. Items are the same if a
 * `Map` takes them for the same key. Anything except `undefined` can be an item, also `''` and `0`.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed
 */
export class Queue<T> implements WorkQueue<T> {
  /**
   * Says that there is work to do for this item: it goes to the end of the line. If a {@link get} waits, it gets an item.
   * An item that stands in line already is not added again, and keeps its place.
   *
   * Level 2: an item that is in hand goes into the line only when it is {@link done}.
   *
   * Level 3: after {@link shutDown} nothing is added.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.Add
   */
  add(item: T): void {
    todo(KATA, 'Queue.add', 'Level 1');
  }

  /** @returns how many items stand in line. Level 2: items in hand do not count, even if they were added again */
  len(): number {
    return todo(KATA, 'Queue.len', 'Level 1');
  }

  /**
   * Takes the item that has stood in line longest, or waits for one. Several gets may wait at once; each gets another item.
   *
   * @returns the item. Level 2: it is in hand from then on, until it is {@link done}. Level 3: `undefined` when the queue is
   * shut down and nothing stands in line, even if something is still in hand; never before
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.Get
   */
  async get(): Promise<T | undefined> {
    return todo(KATA, 'Queue.get', 'Level 1');
  }

  /**
   * Gives an item back. If it was added while it was in hand, however often, it goes to the end of the line now, once. An
   * item that is not in hand cannot be given back: then nothing happens.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.Done
   */
  done(item: T): void {
    todo(KATA, 'Queue.done', 'Level 2');
  }

  /**
   * From now on nothing is added. What stands in line is still handed out; so is, when it is {@link done}, an item that was
   * added again before. When nothing stands in line, a {@link get} gives `undefined`, also one that waits now, even if an
   * item in hand will come back.
   *
   * Level 9: ends every {@link shutDownWithDrain} that waits.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.ShutDown
   */
  shutDown(): void {
    todo(KATA, 'Queue.shutDown', 'Level 3');
  }

  /** @returns whether it was shut down, in either way */
  shuttingDown(): boolean {
    return todo(KATA, 'Queue.shuttingDown', 'Level 3');
  }

  /**
   * ★ Shuts down like {@link shutDown}, and waits for the work that is under way. Several may wait at once.
   *
   * @returns a promise that resolves when no item is in hand any more. If nothing is in hand from the start, it resolves at
   * once if nothing stands in line; if something stands in line, both are right, to resolve and to wait for that, too. A
   * {@link shutDown} after it ends the wait; a second `shutDownWithDrain` does not
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed.ShutDownWithDrain
   */
  async shutDownWithDrain(): Promise<void> {
    todo(KATA, 'Queue.shutDownWithDrain', 'Level 9');
  }
}

// Level 4 · Later

/**
 * A queue to which items can be added later. It adds them to the queue below, `this.queue`, and passes everything else on
 * to it: that is written already, in `WorkQueueDecorator`.
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
   * Adds the item when `delayMs` have passed, to the millisecond. A delay of 0 or less is an {@link add}. After a shut down,
   * nothing happens.
   *
   * An item waits for one time only. If it waits already, the earlier of the two times counts, and the later is forgotten.
   * An {@link add}, or a delay of 0 or less, changes nothing about the time that the item waits for. When that has come, the
   * item is added like any other: it may stand in line or be in hand.
   *
   * @example
   * At 0 ms `addAfter('a', 50)`, at 40 ms `addAfter('a', 30)`: `a` is added at 50 ms, and not again at 70 ms.
   *
   * What a clock that is set back or forward means for an item that waits is left open.
   *
   * @param delayMs a finite number of ms, perhaps with a fraction
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType.AddAfter, insert
   */
  addAfter(item: T, delayMs: number): void {
    todo(KATA, 'DelayingQueue.addAfter', 'Level 4');
  }

  /**
   * Shuts the queue below down. What waits for its time is dropped, and within 20 s no timer is left on the clock: a timer
   * keeps a process alive.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType.ShutDown
   */
  override shutDown(): void {
    todo(KATA, 'DelayingQueue.shutDown', 'Level 4');
  }

  /**
   * ★ Like {@link shutDown}, but waits as the queue below does: {@link Queue.shutDownWithDrain}. What waits for its time is
   * dropped at the beginning, not when the wait is over.
   */
  override async shutDownWithDrain(): Promise<void> {
    todo(KATA, 'DelayingQueue.shutDownWithDrain', 'Level 9');
  }
}

// Level 5 · Each failure waits longer

/**
 * Each failure of an item doubles how long that item waits, up to a maximum. Other items do not matter.
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
   * Counts one more failure of the item.
   *
   * @returns `baseDelayMs` for the first failure that counts, twice as much for each that follows, but never more than
   * `maxDelayMs`: not after two thousand failures, and not for the first
   * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go
   * TypedItemExponentialFailureRateLimiter.When
   */
  when(item: T): number {
    return todo(KATA, 'ItemExponentialFailureRateLimiter.when', 'Level 5');
  }

  /** The failures of this item no longer count: its next one is the first. */
  forget(item: T): void {
    todo(KATA, 'ItemExponentialFailureRateLimiter.forget', 'Level 5');
  }

  /** @returns how many failures of this item count; 0 for an item that never failed */
  numRequeues(item: T): number {
    return todo(KATA, 'ItemExponentialFailureRateLimiter.numRequeues', 'Level 5');
  }
}

/**
 * A delaying queue, `this.queue`, and a rate limiter, `this.rateLimiter`. `forget`, `numRequeues` and everything else are
 * passed on to the one or the other: that is written already, in `RateLimitingDecorator`.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go rateLimitingType
 */
export class RateLimitingQueue<T> extends RateLimitingDecorator<T> {
  /** Adds the item after as long as the rate limiter says, which it asks once. After a shut down it need not ask. */
  override addRateLimited(item: T): void {
    todo(KATA, 'RateLimitingQueue.addRateLimited', 'Level 5');
  }
}

// Level 6 · All together

/**
 * Keeps all items together to a rate. A bucket holds `burst` tokens, and is full at first. `qps` tokens a second drop into
 * it, a bit at a time: in a tenth of a second, a tenth of `qps`. What it cannot hold is lost. Each failure, of whatever
 * item, takes one token. If none is there, it takes the next one that no other failure has taken, and waits for it.
 *
 * @example
 * 10 tokens a second, a bucket of 3, and six failures at once: they wait 0, 0, 0, 100, 200 and 300 ms.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedBucketRateLimiter; the bucket
 * itself is golang/time@v0.14.0 rate/rate.go Limiter
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;

  /** @param options `qps`: tokens a second, more than 0, perhaps less than 1; `burst`: how many the bucket holds, 1 or more */
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
   * Takes a token. If the clock was set back since the last failure, no time has passed: the bucket loses nothing,
   * and from now on time counts from the new time.
   *
   * @returns in how many ms the token is there, with a fraction or each wait rounded up by itself; 0 when it is
   * there now
   * @see Upstream: golang/time@v0.14.0 rate/rate.go Limiter.reserveN, Limiter.advance
   */
  when(item: T): number {
    return todo(KATA, 'BucketRateLimiter.when', 'Level 6');
  }

  // Written already: tokens that were taken are gone, and a bucket does not know one item from another.

  forget(_item: T): void {}

  numRequeues(_item: T): number {
    return 0;
  }
}

/**
 * What controllers use: the longer of 5 ms for the first failure of an item, doubling up to 1000 s, and of what keeps all
 * items together to 10 a second, 100 at once. Written already.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter
 */
export function defaultControllerRateLimiter<T>(clock: Clock): RateLimiter<T> {
  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );
}

/** All three queues, one on top of the other: what the rest of a cluster knows of this kata. Written already. */
export const newWorkQueue: NewWorkQueue = <T>(options: WorkQueueOptions<T>) => {
  const { clock, rateLimiter = defaultControllerRateLimiter<T>(clock) } = options;
  return new RateLimitingQueue<T>(new DelayingQueue<T>(new Queue<T>(), clock), rateLimiter);
};

// Levels 7 and 8 · The workers

/**
 * Sees to one item: takes it from the queue, calls `sync` with it, and gives it back whatever came of that.
 *
 * - `sync` resolves: the item's failures are forgotten.
 * - `sync` rejects, or throws before there is a promise, with an error or with nothing at all: if fewer than `maxRetries`
 *   failures of the item count before this one (`numRequeues`), it is added again, rate-limited; otherwise it is given up,
 *   that is, forgotten and not added. Either way `onError` is told, once, with what was thrown and the item; `tell` does
 *   that so that the listener can do no harm. Import it from `#harness`, like the rest above.
 * - The signal was aborted before `sync` began: the item is given back, and `sync` is not called. Whether its failures are
 *   forgotten is open.
 *
 * @example
 * With `maxRetries` 2, an item that always fails is tried three times.
 *
 * @param options `maxRetries` absent: there is no limit
 * @returns true when there was an item, whatever came of it; false when the queue is shut down and empty. Never rejects
 * @see Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go processNextItem, handleErr
 */
export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  return todo(KATA, 'processNextWorkItem', 'Level 7');
}

/**
 * Works a queue off with so many workers; each sees to one item after another. The abort shuts the queue down, if need be
 * before anything has begun; after it `sync` is called for nothing that still stands in line. Whether `len` becomes 0 is
 * open.
 *
 * @returns a promise that never rejects. It resolves when every `sync` that was under way has settled, and the signal was
 * aborted, or the queue was shut down by other means and nothing stands in line
 * @see Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go Run, runWorker
 */
export const runWorkers: RunWorkers = async <T>(options: WorkersOptions<T>): Promise<void> => {
  todo(KATA, 'runWorkers', 'Level 8');
};
