import type { RateLimiter } from './work-queue.ts';

/**
 * The back-off of a controller whose limits are not the default ones: a delay that doubles with each failure of an item.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedItemExponentialFailureRateLimiter
 *
 * Differs: the token bucket that all items share (10 retries a second, 100 at once) is left out.
 */
export class ItemBackoff implements RateLimiter<string> {
  readonly #failures = new Map<string, number>();
  /** The delay after the first failure, in ms. */
  readonly baseMs: number;
  /** The longest delay, in ms. */
  readonly maxMs: number;

  constructor({ baseMs, maxMs }: Pick<ItemBackoff, 'baseMs' | 'maxMs'>) {
    this.baseMs = baseMs;
    this.maxMs = maxMs;
  }

  when(item: string): number {
    const failures = this.numRequeues(item);
    this.#failures.set(item, failures + 1);
    return Math.min(this.baseMs * 2 ** failures, this.maxMs);
  }

  forget(item: string): void {
    this.#failures.delete(item);
  }

  numRequeues(item: string): number {
    return this.#failures.get(item) ?? 0;
  }
}
