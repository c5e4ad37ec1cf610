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
  /** What needs work: all that waits, and of what is in hand that which was added again. */
  readonly #dirty = new Set<T>();
  /** What is in hand. */
  readonly #processing = new Set<T>();
  /** What waits, in order: dirty and not in hand. A Set keeps the order in which it was filled. */
  readonly #waiting = new Set<T>();
  /** Those who wait for an item, in order; nobody waits while something else does. */
  readonly #getters: ((item: T | undefined) => void)[] = [];
  /** Those who wait until nothing is in hand. */
  #drained: (() => void)[] = [];
  #shuttingDown = false;

  add(item: T): void {
    if (this.#shuttingDown || this.#dirty.has(item)) return;
    this.#dirty.add(item);
    if (!this.#processing.has(item)) this.#enqueue(item);
  }

  len(): number {
    return this.#waiting.size;
  }

  async get(): Promise<T | undefined> {
    for (const item of this.#waiting) return this.#take(item);
    if (this.#shuttingDown) return undefined;
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  done(item: T): void {
    if (!this.#processing.delete(item)) return;
    if (this.#dirty.has(item)) this.#enqueue(item);
    else if (this.#processing.size === 0) this.#endDrain();
  }

  shutDown(): void {
    this.#close();
    this.#endDrain();
  }

  shutDownWithDrain(): Promise<void> {
    this.#close();
    if (this.#processing.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  #enqueue(item: T): void {
    this.#waiting.add(item);
    this.#getters.shift()?.(this.#take(item));
  }

  /** Hands an item out: from here on it is clean, so that whatever happens to it now makes it dirty again. */
  #take(item: T): T {
    this.#waiting.delete(item);
    this.#dirty.delete(item);
    this.#processing.add(item);
    return item;
  }

  #close(): void {
    this.#shuttingDown = true;
    for (const give of this.#getters.splice(0)) give(undefined);
  }

  #endDrain(): void {
    for (const resolve of this.#drained.splice(0)) resolve();
  }
}

// Level 4 · Later

/**
 * The clock is the queue of what is not ready yet: a timer an item.
 *
 * Upstream: kubernetes/client-go@v0.30.0 util/workqueue/delaying_queue.go delayingType
 */
export class DelayingQueue<T> implements DelayingWorkQueue<T> {
  readonly #queue: WorkQueue<T>;
  readonly #clock: Clock;
  /** For each item that waits for its time, when that is, and what calls it off. */
  readonly #timers = new Map<T, { readonly readyAtMs: number; readonly cancel: () => void }>();

  constructor(queue: WorkQueue<T>, clock: Clock) {
    this.#queue = queue;
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
    this.#cancelAll();
    this.#queue.shutDown();
  }

  shutDownWithDrain(): Promise<void> {
    this.#cancelAll();
    return this.#queue.shutDownWithDrain();
  }

  shuttingDown(): boolean {
    return this.#queue.shuttingDown();
  }

  /** What is not ready yet would be dropped when it is: nobody needs to be woken for that. */
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
    this.#baseDelayMs = baseDelayMs;
    this.#maxDelayMs = maxDelayMs;
  }

  when(item: T): number {
    const failures = this.numRequeues(item);
    this.#failures.set(item, failures + 1);
    // A double has no overflow: after a thousand failures this is the maximum of infinity and that.
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
    const failures = this.numRequeues(item) + 1;
    this.#failures.set(item, failures);
    return failures <= this.#maxFastAttempts ? this.#fastDelayMs : this.#slowDelayMs;
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
 * is golang.org/x/time/rate Limiter
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

  when(): number {
    const nowMs = this.#clock.now();
    const dropped = ((nowMs - this.#countedAtMs) / 1_000) * this.#qps;
    this.#tokens = Math.min(this.#burst, this.#tokens + dropped) - 1;
    this.#countedAtMs = nowMs;
    return this.#tokens < 0 ? (-this.#tokens / this.#qps) * 1_000 : 0;
  }

  forget(): void {}

  numRequeues(): number {
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

/**
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go processNextWorkItem,
 * handleErr
 */
export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  const { queue, sync, maxRetries = Number.POSITIVE_INFINITY, onError, signal } = options;
  const item = await queue.get();
  if (item === undefined) return false;
  try {
    if (signal.aborted) return true;
    await sync(item);
    queue.forget(item);
  } catch (error) {
    onError?.(error, item);
    if (queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);
    else queue.forget(item);
  } finally {
    // Whatever came of it: an item that is never given back is never seen to again.
    queue.done(item);
  }
  return true;
}

/** Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go Run, worker */
export const runWorkers: RunWorkers = async (options) => {
  const { queue, workers, signal } = options;
  const stop = (): void => queue.shutDown();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (await processNextWorkItem(options));
    }),
  );
};
