/**
 * The workqueue, solved: a queue, delays on top of it, rate limits on top of those, and the workers who empty it.
 *
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue
 */
import type {
  Clock,
  DelayingWorkQueue,
  NewWorkQueue,
  RateLimiter,
  RateLimitingWorkQueue,
  RunWorkers,
  WorkersOptions,
  WorkQueue,
  WorkQueueOptions,
} from '#harness';

// Levels 1 to 3 · The queue

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/queue.go Type */
export class Queue<T> implements WorkQueue<T> {
  /** All that needs work: what waits in line, and of what is in hand that which was added again. */
  readonly #dirty = new Set<T>();
  /** What is in hand. */
  readonly #processing = new Set<T>();
  /** What waits in line: dirty and not in hand. A Set keeps the order in which it was filled. */
  readonly #line = new Set<T>();
  /** Those who wait for an item. Nobody waits while something stands in line. */
  readonly #getters: ((item: T | undefined) => void)[] = [];
  /** Those who wait until nothing is in hand. */
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
    // Differs: upstream goes on, and puts an item that stands in line there once more.
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

  /** Hands an item out. From here on it is clean, so that whatever happens to it now makes it dirty again. */
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
 * A queue to which items can be added later. The clock does the waiting: a timer an item.
 *
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue/delaying_queue.go delayingType
 */
export class DelayingQueue<T> implements DelayingWorkQueue<T> {
  readonly #queue: WorkQueue<T>;
  readonly #clock: Clock;
  /** When each item that waits for its time is ready, and what calls that off. */
  readonly #timers = new Map<T, { readonly readyAtMs: number; readonly cancel: () => void }>();

  constructor(queue: WorkQueue<T>, clock: Clock) {
    this.#queue = queue;
    this.#clock = clock;
  }

  addAfter(item: T, delayMs: number): void {
    // Differs: Go's durations are whole numbers of nanoseconds, and have neither.
    if (Number.isNaN(delayMs) || delayMs === Number.POSITIVE_INFINITY)
      throw new RangeError(`Failed to add ${String(item)} later: ${delayMs} ms is not a delay.`);
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

  shutDown(): void {
    this.#cancelAll();
    this.#queue.shutDown();
  }

  shutDownWithDrain(): Promise<void> {
    this.#cancelAll();
    return this.#queue.shutDownWithDrain();
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

  shuttingDown(): boolean {
    return this.#queue.shuttingDown();
  }

  /** What is not ready by now would be dropped when it is; until then its timer would keep a process alive. */
  #cancelAll(): void {
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
  }
}

// Level 5 · How long to wait

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go ItemExponentialFailureRateLimiter */
export class ItemExponentialFailureRateLimiter<T> implements RateLimiter<T> {
  readonly #baseDelayMs: number;
  readonly #maxDelayMs: number;
  readonly #failures = new Map<T, number>();

  constructor({ baseDelayMs, maxDelayMs }: { readonly baseDelayMs: number; readonly maxDelayMs: number }) {
    for (const [name, ms] of Object.entries({ baseDelayMs, maxDelayMs })) {
      // Differs: upstream takes 0, and after a thousand failures 0 × infinity is not a number.
      if (!(ms > 0 && ms < Number.POSITIVE_INFINITY))
        throw new RangeError(
          `Failed to make a rate limiter: ${name} must be more than 0, and finite, not ${ms}.`,
        );
    }
    this.#baseDelayMs = baseDelayMs;
    this.#maxDelayMs = maxDelayMs;
  }

  when(item: T): number {
    const failures = this.numRequeues(item);
    this.#failures.set(item, failures + 1);
    // After a thousand failures a double is infinity, and nothing overflows.
    return Math.min(this.#baseDelayMs * 2 ** failures, this.#maxDelayMs);
  }

  forget(item: T): void {
    this.#failures.delete(item);
  }

  numRequeues(item: T): number {
    return this.#failures.get(item) ?? 0;
  }
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go ItemFastSlowRateLimiter */
export class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {
  readonly #fastDelayMs: number;
  readonly #slowDelayMs: number;
  readonly #maxFastAttempts: number;
  readonly #failures = new Map<T, number>();

  constructor(options: {
    readonly fastDelayMs: number;
    readonly slowDelayMs: number;
    readonly maxFastAttempts: number;
  }) {
    this.#fastDelayMs = options.fastDelayMs;
    this.#slowDelayMs = options.slowDelayMs;
    this.#maxFastAttempts = options.maxFastAttempts;
  }

  when(item: T): number {
    const attempts = this.numRequeues(item) + 1;
    this.#failures.set(item, attempts);
    return attempts <= this.#maxFastAttempts ? this.#fastDelayMs : this.#slowDelayMs;
  }

  forget(item: T): void {
    this.#failures.delete(item);
  }

  numRequeues(item: T): number {
    return this.#failures.get(item) ?? 0;
  }
}

/**
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go BucketRateLimiter; the bucket itself
 * is golang/time@v0.3.0 rate/rate.go Limiter
 */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #clock: Clock;
  readonly #qps: number;
  readonly #burst: number;
  /** Below zero when some were taken that are not there yet: whoever took them waits. */
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
    // A clock that was set back must not take away what is in the bucket.
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

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go MaxOfRateLimiter */
export class MaxOfRateLimiter<T> implements RateLimiter<T> {
  readonly #limiters: readonly RateLimiter<T>[];

  constructor(...limiters: readonly RateLimiter<T>[]) {
    this.#limiters = limiters;
  }

  when(item: T): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.when(item)));
  }

  forget(item: T): void {
    for (const limiter of this.#limiters) limiter.forget(item);
  }

  numRequeues(item: T): number {
    return Math.max(0, ...this.#limiters.map((limiter) => limiter.numRequeues(item)));
  }
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/default_rate_limiters.go DefaultControllerRateLimiter */
export function defaultControllerRateLimiter<T>(clock: Clock): RateLimiter<T> {
  return new MaxOfRateLimiter<T>(
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
  );
}

/** Upstream: kubernetes/client-go@v0.30.0 util/workqueue/rate_limiting_queue.go rateLimitingType */
export class RateLimitingQueue<T> implements RateLimitingWorkQueue<T> {
  readonly #queue: DelayingWorkQueue<T>;
  readonly #rateLimiter: RateLimiter<T>;

  constructor(queue: DelayingWorkQueue<T>, rateLimiter: RateLimiter<T>) {
    this.#queue = queue;
    this.#rateLimiter = rateLimiter;
  }

  addRateLimited(item: T): void {
    this.addAfter(item, this.#rateLimiter.when(item));
  }

  forget(item: T): void {
    this.#rateLimiter.forget(item);
  }

  numRequeues(item: T): number {
    return this.#rateLimiter.numRequeues(item);
  }

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

/** All three, one on top of the other. */
export const newWorkQueue: NewWorkQueue = <T>(options: WorkQueueOptions<T>) => {
  const { clock, rateLimiter = defaultControllerRateLimiter<T>(clock) } = options;
  return new RateLimitingQueue<T>(new DelayingQueue<T>(new Queue<T>(), clock), rateLimiter);
};

// Level 6 · The workers

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go processNextWorkItem */
export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  const { queue, signal } = options;
  const item = await queue.get();
  if (item === undefined) return false;
  try {
    // Differs: upstream works off what stands in line after the abort, with a context that is cancelled.
    if (!signal.aborted) await seeTo(item, options);
  } finally {
    // Whatever came of it: an item that is never given back is never seen to again.
    queue.done(item);
  }
  return true;
}

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go handleErr */
async function seeTo<T>(item: T, options: WorkersOptions<T>): Promise<void> {
  const { queue, sync, maxRetries = Number.POSITIVE_INFINITY, onError } = options;
  try {
    await sync(item);
    queue.forget(item);
  } catch (error) {
    if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);
    else queue.forget(item);
    try {
      // An async listener is not waited for, and its failure is nobody's.
      Promise.resolve(onError?.(error, item)).catch(() => {});
    } catch {
      // Who only listens must not be able to end the work.
    }
  }
}

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go Run, worker */
export const runWorkers: RunWorkers = async (options) => {
  const { queue, workers, signal } = options;
  if (!Number.isInteger(workers) || workers < 1)
    throw new RangeError(
      `Failed to run workers: ${workers} is not a number of workers. Have one at the least.`,
    );
  const stop = (): void => queue.shutDown();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const work = async (): Promise<void> => {
    while (await processNextWorkItem(options));
  };
  await Promise.all(Array.from({ length: workers }, work));
  signal.removeEventListener('abort', stop);
};
