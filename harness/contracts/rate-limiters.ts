import type { RateLimiter } from './work-queue.ts';

/**
 * The strictest of several rate limiters: it asks every one, once, and waits as long as the longest.
 *
 * Rate limiters that are given: they put others together, or hold no idea that another one does not.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedMaxOfRateLimiter
 */
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

/**
 * A short wait for an item's first failures that count, and a long one from then on.
 *
 * Upstream: kubernetes/client-go@v0.36.3 util/workqueue/default_rate_limiters.go TypedItemFastSlowRateLimiter
 */
export class ItemFastSlowRateLimiter<T> implements RateLimiter<T> {
  readonly #options: {
    readonly fastDelayMs: number;
    readonly slowDelayMs: number;
    readonly maxFastAttempts: number;
  };
  readonly #failures = new Map<T, number>();

  /** @param options the two waits in ms, and for how many failures the short one holds */
  constructor(options: {
    readonly fastDelayMs: number;
    readonly slowDelayMs: number;
    readonly maxFastAttempts: number;
  }) {
    this.#options = options;
  }

  when(item: T): number {
    const attempts = this.numRequeues(item) + 1;
    this.#failures.set(item, attempts);
    const { fastDelayMs, slowDelayMs, maxFastAttempts } = this.#options;
    return attempts <= maxFastAttempts ? fastDelayMs : slowDelayMs;
  }

  forget(item: T): void {
    this.#failures.delete(item);
  }

  numRequeues(item: T): number {
    return this.#failures.get(item) ?? 0;
  }
}
