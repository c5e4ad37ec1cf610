/**
 * A workqueue with another design than the reference, closer to upstream's: a change wakes all waiting gets, which
 * check again themselves. A separate loop handles delayed items, and also wakes up regularly without a reason. The
 * token bucket computes the time of the next token, and one dispatcher starts the work of all workers.
 */
import {
  type Clock,
  type DelayingWorkQueue,
  MaxOfRateLimiter,
  type NewWorkQueue,
  type RateLimiter,
  type RunWorkers,
  type WorkersOptions,
  type WorkQueue,
} from '#harness';
import { ItemExponentialFailureRateLimiter, RateLimitingQueue } from '../workqueue.ts';

export * from '../workqueue.ts';

/** A condition variable: callers wait for the next change. */
class Condition {
  #waiting: (() => void)[] = [];

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  broadcast(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    // The last caller is woken first.
    for (const wake of waiting.reverse()) wake();
  }
}

export class Queue<T> implements WorkQueue<T> {
  readonly #line: T[] = [];
  readonly #dirty = new Set<T>();
  readonly #processing = new Set<T>();
  readonly #changed = new Condition();
  #shuttingDown = false;
  #drain = false;

  add(item: T): void {
    if (this.#shuttingDown || this.#dirty.has(item)) return;
    this.#dirty.add(item);
    if (this.#processing.has(item)) return;
    this.#line.push(item);
    this.#changed.broadcast();
  }

  len(): number {
    return this.#line.length;
  }

  async get(): Promise<T | undefined> {
    while (this.#line.length === 0 && !this.#shuttingDown) await this.#changed.wait();
    if (this.#line.length === 0) return undefined;
    const [item] = this.#line.splice(0, 1) as [T];
    this.#processing.add(item);
    this.#dirty.delete(item);
    return item;
  }

  done(item: T): void {
    if (!this.#processing.delete(item)) return;
    if (this.#dirty.has(item)) this.#line.push(item);
    this.#changed.broadcast();
  }

  shutDown(): void {
    this.#drain = false;
    this.#shuttingDown = true;
    this.#changed.broadcast();
  }

  async shutDownWithDrain(): Promise<void> {
    this.#drain = true;
    this.#shuttingDown = true;
    this.#changed.broadcast();
    // Queued items count, too.
    while (this.#drain && this.#processing.size + this.#line.length > 0) await this.#changed.wait();
  }

  shuttingDown(): boolean {
    return this.#shuttingDown;
  }
}

/** The interval of the periodic wake-ups of the loop. */
const HEARTBEAT_MS = 10_000;

export class DelayingQueue<T> implements DelayingWorkQueue<T> {
  readonly #queue: WorkQueue<T>;
  readonly #clock: Clock;
  /** Sorted by time; among equal times, the latest item first. */
  readonly #waiting: { readonly item: T; readonly readyAtMs: number }[] = [];
  readonly #changed = new Condition();
  #watching = false;

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
    this.#insert(item, this.#clock.now() + delayMs);
    this.#changed.broadcast();
    if (!this.#watching) void this.#watch();
  }

  #insert(item: T, readyAtMs: number): void {
    // Compares like a Map: NaN equals NaN.
    const known = this.#waiting.findIndex((one) => [one.item].includes(item));
    if (known >= 0) {
      if ((this.#waiting[known]?.readyAtMs ?? 0) <= readyAtMs) return;
      this.#waiting.splice(known, 1);
    }
    const place = this.#waiting.findIndex((one) => one.readyAtMs >= readyAtMs);
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, { item, readyAtMs });
  }

  async #watch(): Promise<void> {
    this.#watching = true;
    while (!this.shuttingDown()) {
      const nowMs = this.#clock.now();
      for (let first = this.#waiting[0]; first && first.readyAtMs <= nowMs; first = this.#waiting[0]) {
        this.#waiting.shift();
        this.add(first.item);
      }
      const restMs = Math.min(
        HEARTBEAT_MS,
        (this.#waiting[0]?.readyAtMs ?? Number.POSITIVE_INFINITY) - nowMs,
      );
      const cancel = this.#clock.after(restMs, () => this.#changed.broadcast());
      await this.#changed.wait();
      cancel();
    }
  }

  /** The loop ends at its next check. */
  shutDown(): void {
    this.#queue.shutDown();
  }

  shutDownWithDrain(): Promise<void> {
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
}

/** Computes the time of the next token, and returns whole milliseconds. */
export class BucketRateLimiter<T> implements RateLimiter<T> {
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #burst: number;
  #nextMs = Number.NEGATIVE_INFINITY;
  #latestMs = Number.NEGATIVE_INFINITY;
  #setBackMs = 0;

  constructor({
    clock,
    qps,
    burst,
  }: { readonly clock: Clock; readonly qps: number; readonly burst: number }) {
    this.#clock = clock;
    this.#everyMs = 1_000 / qps;
    this.#burst = burst;
  }

  when(_item: T): number {
    const nowMs = this.#steadyNow();
    const tokenMs = Math.max(this.#nextMs, nowMs - (this.#burst - 1) * this.#everyMs);
    this.#nextMs = tokenMs + this.#everyMs;
    return Math.max(0, Math.ceil(tokenMs - nowMs));
  }

  forget(_item: T): void {}

  numRequeues(_item: T): number {
    return 0;
  }

  /** Returns the clock's time, corrected so that it never goes back. */
  #steadyNow(): number {
    const nowMs = this.#clock.now() + this.#setBackMs;
    if (nowMs < this.#latestMs) this.#setBackMs += this.#latestMs - nowMs;
    this.#latestMs = Math.max(this.#latestMs, nowMs);
    return this.#latestMs;
  }
}

export function defaultControllerRateLimiter<T>(clock: Clock): RateLimiter<T> {
  return new MaxOfRateLimiter<T>(
    new BucketRateLimiter({ clock, qps: 10, burst: 100 }),
    new ItemExponentialFailureRateLimiter({ baseDelayMs: 5, maxDelayMs: 1_000_000 }),
  );
}

export const newWorkQueue: NewWorkQueue = ({ clock, rateLimiter = defaultControllerRateLimiter(clock) }) =>
  new RateLimitingQueue(new DelayingQueue(new Queue(), clock), rateLimiter);

export async function processNextWorkItem<T>(options: WorkersOptions<T>): Promise<boolean> {
  const item = await options.queue.get();
  if (item === undefined) return false;
  await seeTo(item, options);
  return true;
}

/** Calls `done` first, and only then schedules the retry. */
async function seeTo<T>(item: T, options: WorkersOptions<T>): Promise<void> {
  const { queue, onError, maxRetries } = options;
  const outcome = await attempt(item, options);
  queue.done(item);
  if (outcome === 'dropped') return;
  if (outcome === 'done') {
    queue.forget(item);
    return;
  }
  // The async function turns a throw and a rejection into one rejected promise, which is ignored.
  (async () => onError?.(outcome.error, item))().catch(() => {});
  if (maxRetries === undefined || queue.numRequeues(item) < maxRetries) queue.addRateLimited(item);
  else queue.forget(item);
}

type Outcome = 'done' | 'dropped' | { readonly error: unknown };

async function attempt<T>(item: T, { sync, signal }: WorkersOptions<T>): Promise<Outcome> {
  await undefined;
  if (signal.aborted) return 'dropped';
  try {
    await sync(item);
    return 'done';
  } catch (error) {
    return { error };
  }
}

export const runWorkers: RunWorkers = async (options) => {
  const { queue, workers, signal } = options;
  const stop = (): void => queue.shutDown();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const underWay = new Set<Promise<void>>();
  for (;;) {
    while (underWay.size >= workers) await Promise.race(underWay);
    const item = await queue.get();
    if (item === undefined) {
      if (underWay.size === 0) {
        signal.removeEventListener('abort', stop);
        return;
      }
      // An item in processing may have been added again before the shutdown.
      await Promise.race(underWay);
      continue;
    }
    const work: Promise<void> = seeTo(item, options).finally(() => underWay.delete(work));
    underWay.add(work);
  }
};
