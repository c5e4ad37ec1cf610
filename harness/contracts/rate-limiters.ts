import type { RateLimiter } from './work-queue.ts';

/**
 * A rate limiter that combines several: it calls each once, and returns the longest delay.
 *
 * This file contains the rate limiters that kata 22 gives: this one combines others, and the next one teaches no new
 * idea.
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
 * A rate limiter with a short delay for the first counted failures of an item, and a long delay for later ones.
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

  /** @param options the two delays in ms, and the number of failures with the short delay */
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
