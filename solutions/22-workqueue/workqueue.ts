/**
 * The reference workqueue: a queue, delays on top of it, rate limits on top of those, and the workers that process it.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue
 */
import {
  type Clock,
  type DelayingWorkQueue,
  MaxOfRateLimiter,
  type NewWorkQueue,
  type RateLimiter,
  RateLimitingDecorator,
  type RunWorkers,
  tell,
  type WorkersOptions,
  type WorkQueue,
  WorkQueueDecorator,
  type WorkQueueOptions,
} from '#harness';

// Levels 1 to 3 · The queue

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/queue.go Typed */
export class Queue<T> implements WorkQueue<T> {
  /** All items that need processing: the queued ones, and those in processing that were added again. */
  readonly #dirty = new Set<T>();
  /** The items that workers are processing. */
  readonly #processing = new Set<T>();
  /** The queued items: dirty and not in processing. A Set keeps the insertion order. */
  readonly #line = new Set<T>();
  /** The waiting gets. None waits while an item is queued. */
  readonly #getters: ((item: T | undefined) => void)[] = [];
  /** The drains that wait until no item is in processing. */
  readonly #drainers: (() => void)[] = [];
  #shuttingDown = false;

  add(item: T): void {
    if (this.#shuttingDown || this.#dirty.has(item)) return;
    this.#dirty.add(item);
    if (!this.#processing.has(item)) this.#enqueue(item);
  }

  len(): number {
    return this.#line.size;
  }

  async get(): Promise<T | undefined> {
    for (const first of this.#line) return this.#take(first);
    if (this.#shuttingDown) return undefined;
    return new Promise((resolve) => {
      this.#getters.push(resolve);
    });
  }

  done(item: T): void {
    // Differs: upstream continues, and queues an item a second time if it is already queued.
    if (!this.#processing.delete(item)) return;
    if (this.#dirty.has(item)) this.#enqueue(item);
    else if (this.#processing.size === 0) this.#endDrain();
  }

  shutDown(): void {
    this.#close();
    this.#endDrain();
  }

  async shutDownWithDrain(): Promise<void> {
    this.#close();
    if (this.#processing.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#drainers.push(resolve);
    });
  }

  shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  #enqueue(item: T): void {
    this.#line.add(item);
    this.#getters.shift()?.(this.#take(item));
  }

  /** Hands out an item. From here on it is clean, so that any later add makes it dirty again. */
  #take(item: T): T {
    this.#line.delete(item);
    this.#dirty.delete(item);
    this.#processing.add(item);
    return item;
  }

  #close(): void {
    this.#shuttingDown = true;
    for (const give of this.#getters.splice(0)) give(undefined);
  }

  #endDrain(): void {
    for (const resolve of this.#drainers.splice(0)) resolve();
  }
}

// Level 4 · Later

/**
 * A queue with delayed adds. The clock has one timer for each delayed item.
 *
 * Differs: the clock can jump; Go's times are monotonic.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType
 */
export class DelayingQueue<T> extends WorkQueueDecorator<T> implements DelayingWorkQueue<T> {
  readonly #clock: Clock;
  /** For each delayed item, the time when it is ready, and the function that cancels its timer. */
  readonly #timers = new Map<T, { readonly readyAtMs: number; readonly cancel: () => void }>();

  constructor(queue: WorkQueue<T>, clock: Clock) {
    super(queue);
    this.#clock = clock;
  }

  addAfter(item: T, delayMs: number): void {
    if (this.shuttingDown()) return;
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    const readyAtMs = this.#clock.now() + delayMs;
    const known = this.#timers.get(item);
    if (known && known.readyAtMs <= readyAtMs) return;
    known?.cancel();
    const cancel = this.#clock.after(delayMs, () => {
      this.#timers.delete(item);
      this.add(item);
    });
    this.#timers.set(item, { readyAtMs, cancel });
  }

  override shutDown(): void {
    this.#cancelAll();
    super.shutDown();
  }

  override shutDownWithDrain(): Promise<void> {
    this.#cancelAll();
    return super.shutDownWithDrain();
  }

  /** After a shutdown, delayed items would be dropped anyway; until then their timers would keep the process alive. */
  #cancelAll(): void {
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

// Level 5 · Each failure waits longer

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedItemExponentialFailureRateLimiter */
export class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #failures = new Map<T, number>();

  constructor({ baseDelayMs, maxDelayMs }: { readonly baseDelayMs: number; readonly maxDelayMs: number }) {
    this.#baseDelayMs = baseDelayMs;
    this.#maxDelayMs = maxDelayMs;
  }

  when(item: T): number {
    const failures = this.numRequeues(item);
    this.#failures.set(item, failures + 1);
    // After about a thousand failures the result is Infinity, which `min` handles; nothing overflows.
    return Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs);
  }

  forget(item: T): void {
    this.#failures.delete(item);
  }

  numRequeues(item: T): number {
    return this.#failures.get(item) ?? 0;
  }
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go rateLimitingType */
export class RateLimitingQueue<T> extends RateLimitingDecorator<T> {
  override addRateLimited(item: T): void {
    this.addAfter(item, this.rateLimiter.when(item));
  }
}

// Level 6 · All together

/**
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedBucketRateLimiter; the bucket
 * itself is golang/time@v0.15.0 rate/rate.go Limiter
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;
  /** Negative when tokens were taken in advance: the failures that took them wait. */
  #tokens: number;
  #countedAtMs: number;

  constructor({
    clock,
    qps,
    burst,
  }: { readonly clock: Clock; readonly qps: number; readonly burst: number }) {
    this.#clock = clock;
    this.#qps = qps;
    this.#burst = burst;
    this.#tokens = burst;
    this.#countedAtMs = clock.now();
  }

  when(_item: T): number {
    const nowMs = this.#clock.now();
    // A clock that was set back must not remove tokens from the bucket.
    const elapsedMs = Math.max(0, nowMs - this.#countedAtMs);
    this.#countedAtMs = nowMs;
    this.#tokens = Math.min(this.#burst, this.#tokens + (elapsedMs * this.#qps) / 1_000) - 1;
    return this.#tokens < 0 ? (-this.#tokens * 1_000) / this.#qps : 0;
  }

  forget(_item: T): void {}

  numRequeues(_item: T): number {
    return 0;
  }
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go DefaultTypedControllerRateLimiter */
export function defaultControllerRateLimiter<T>(clock: Clock): RateLimiter<T> {
  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );
}

/** Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go NewTypedRateLimitingQueueWithConfig */
export const newWorkQueue: NewWorkQueue = <T>(options: WorkQueueOptions<T>) => {
  const { clock, rateLimiter = defaultControllerRateLimiter<T>(clock) } = options;
  return new RateLimitingQueue<T>(new DelayingQueue<T>(new Queue<T>(), clock), rateLimiter);
};

// Levels 7 and 8 · The workers

/** Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go processNextItem */
export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  const { queue, signal } = options;
  const item = await queue.get();
  if (item === undefined) return false;
  try {
    // Differs: after the abort, upstream still processes the queued items, with a cancelled context.
    if (!signal.aborted) await seeTo(item, options);
  } finally {
    // In every case: an item without `done` is never processed again.
    queue.done(item);
  }
  return true;
}

/** Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go handleErr */
async function seeTo<T>(item: T, options: WorkersOptions<T>): Promise<void> {
  const { queue, sync, maxRetries = Number.POSITIVE_INFINITY, onError } = options;
  try {
    await sync(item);
    queue.forget(item);
  } catch (error) {
    if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);
    else queue.forget(item);
    tell(onError, error, item);
  }
}

/** Upstream: kubernetes/client-go@v0.36.3 examples/workqueue/main.go Run, runWorker */
export const runWorkers: RunWorkers = async (options) => {
  const { queue, workers, signal } = options;
  const stop = (): void => queue.shutDown();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const work = async (): Promise<void> => {
    while (await processNextWorkItem(options));
  };
  await Promise.all(Array.from({ length: workers }, work));
  signal.removeEventListener('abort', stop);
};
