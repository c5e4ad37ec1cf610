import type { DelayingWorkQueue, RateLimiter, RateLimitingWorkQueue, WorkQueue } from './work-queue.ts';

/**
 * A queue on top of another, to which it delegates every call.
 *
 * These delegating calls are the given part of a workqueue. In Go a struct embeds the queue below and gets its methods.
 * Here they are written out once, for the learner's queues and the reference's.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/delaying_queue.go delayingType, which embeds a TypedInterface
 */
export class WorkQueueDecorator<T, Q extends WorkQueue<T> = WorkQueue<T>> implements WorkQueue<T> {
  /** The queue below. */
  protected readonly queue: Q;

  constructor(queue: Q) {
    this.queue = queue;
  }

  add(item: T): void {
    this.queue.add(item);
  }

  len(): number {
    return this.queue.len();
  }

  get(): Promise<T | undefined> {
    return this.queue.get();
  }

  done(item: T): void {
    this.queue.done(item);
  }

  shutDown(): void {
    this.queue.shutDown();
  }

  shutDownWithDrain(): Promise<void> {
    return this.queue.shutDownWithDrain();
  }

  shuttingDown(): boolean {
    return this.queue.shuttingDown();
  }
}

/**
 * A delaying queue with a rate limiter: a complete rate-limiting queue, except for `addRateLimited`, which connects the
 * two.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/rate_limiting_queue.go rateLimitingType
 */
export abstract class RateLimitingDecorator<T>
  extends WorkQueueDecorator<T, DelayingWorkQueue<T>>
  implements RateLimitingWorkQueue<T>
{
  protected readonly rateLimiter: RateLimiter<T>;

  constructor(queue: DelayingWorkQueue<T>, rateLimiter: RateLimiter<T>) {
    super(queue);
    this.rateLimiter = rateLimiter;
  }

  abstract addRateLimited(item: T): void;

  addAfter(item: T, delayMs: number): void {
    this.queue.addAfter(item, delayMs);
  }

  forget(item: T): void {
    this.rateLimiter.forget(item);
  }

  numRequeues(item: T): number {
    return this.rateLimiter.numRequeues(item);
  }
}
