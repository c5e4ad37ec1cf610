/**
 * A workqueue by a learner who used none of the given parts. One record for each item contains its whole state. The
 * queue is an array, one timer serves all delayed items, and a worker is a promise chain.
 */
import type { Clock, NewWorkQueue, RateLimitingWorkQueue, RunWorkers, WorkQueueOptions } from '#harness';

interface Job {
  state: 'idle' | 'queued' | 'busy' | 'busy, and wanted again';
  readyAtMs?: number;
  failures: number;
}

class OneQueue<T> implements RateLimitingWorkQueue<T> {
  readonly #options: WorkQueueOptions<T>;
  readonly #jobs = new Map<T, Job>();
  #line: T[] = [];
  #closed = false;
  #wake: (() => void)[] = [];
  #alarm: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #cut = 0;
  /** The time when the bucket of the default rate limiter is full again. */
  #fullAtMs = 0;

  constructor(options: WorkQueueOptions<T>) {
    this.#options = options;
  }

  add(item: T): void {
    if (this.#closed) return;
    const job = this.#job(item);
    if (job.state === 'idle') this.#enqueue(item, job);
    else if (job.state === 'busy') job.state = 'busy, and wanted again';
  }

  len(): number {
    return this.#line.length;
  }

  async get(): Promise<T | undefined> {
    for (;;) {
      if (this.#line.length > 0) {
        const [item, ...rest] = this.#line as [T, ...T[]];
        this.#line = rest;
        this.#job(item).state = 'busy';
        return item;
      }
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  done(item: T): void {
    const job = this.#job(item);
    if (job.state === 'busy, and wanted again') this.#enqueue(item, job);
    else if (job.state === 'busy') job.state = 'idle';
    this.#rouse();
  }

  shutDown(): void {
    this.#cut++;
    this.#close();
  }

  async shutDownWithDrain(): Promise<void> {
    this.#close();
    const cut = this.#cut;
    const busy = () => [...this.#jobs.values()].some(({ state }) => state.startsWith('busy'));
    while (busy() && cut === this.#cut) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  shuttingDown(): boolean {
    return this.#closed;
  }

  addAfter(item: T, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) {
      this.add(item);
      return;
    }
    const job = this.#job(item);
    job.readyAtMs = Math.min(job.readyAtMs ?? Number.POSITIVE_INFINITY, this.#clock.now() + delayMs);
    this.#setAlarm();
  }

  addRateLimited(item: T): void {
    const { rateLimiter } = this.#options;
    this.addAfter(item, rateLimiter ? rateLimiter.when(item) : this.#defaultWait(this.#job(item)));
  }

  forget(item: T): void {
    this.#options.rateLimiter?.forget(item);
    this.#job(item).failures = 0;
  }

  numRequeues(item: T): number {
    return this.#options.rateLimiter?.numRequeues(item) ?? this.#job(item).failures;
  }

  get #clock(): Clock {
    return this.#options.clock;
  }

  #job(item: T): Job {
    const job = this.#jobs.get(item) ?? { state: 'idle', failures: 0 };
    this.#jobs.set(item, job);
    return job;
  }

  #enqueue(item: T, job: Job): void {
    job.state = 'queued';
    this.#line.push(item);
    this.#rouse();
  }

  #rouse(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #close(): void {
    this.#closed = true;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    this.#rouse();
  }

  /** A token every 100 ms; a full bucket holds the tokens of ten seconds. */
  #defaultWait(job: Job): number {
    const nowMs = this.#clock.now();
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + 100;
    const ownMs = Math.min(5 * 2 ** job.failures++, 1_000_000);
    return Math.max(ownMs, this.#fullAtMs - nowMs - 10_000);
  }

  #setAlarm(): void {
    const times = [...this.#jobs.values()].flatMap(({ readyAtMs }) =>
      readyAtMs === undefined ? [] : [readyAtMs],
    );
    const atMs = Math.min(...times);
    if (this.#alarm && this.#alarm.atMs <= atMs) return;
    this.#alarm?.cancel();
    this.#alarm = undefined;
    if (times.length === 0) return;
    const cancel = this.#clock.after(atMs - this.#clock.now(), () => {
      this.#alarm = undefined;
      for (const [item, job] of this.#jobs) {
        if (job.readyAtMs === undefined || job.readyAtMs > this.#clock.now()) continue;
        delete job.readyAtMs;
        this.add(item);
      }
      this.#setAlarm();
    });
    this.#alarm = { atMs, cancel };
  }
}

export const newWorkQueue: NewWorkQueue = (options) => new OneQueue(options);

export const runWorkers: RunWorkers = async ({ queue, sync, workers, maxRetries, onError, signal }) => {
  const stop = (): void => queue.shutDown();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  await Promise.all(Array.from({ length: workers }, () => next()));
  signal.removeEventListener('abort', stop);

  async function next(): Promise<void> {
    for (let item = await queue.get(); item !== undefined; item = await queue.get()) {
      const tried = item;
      if (!signal.aborted) {
        await new Promise<void>((resolve) => resolve(sync(tried))).then(
          () => queue.forget(tried),
          (error: unknown) => failed(tried, error),
        );
      }
      queue.done(tried);
    }
  }

  function failed(item: Parameters<typeof sync>[0], error: unknown): void {
    if (maxRetries !== undefined && queue.numRequeues(item) >= maxRetries) queue.forget(item);
    else queue.addRateLimited(item);
    Promise.resolve()
      .then(() => onError?.(error, item))
      .catch(() => {});
  }
};
