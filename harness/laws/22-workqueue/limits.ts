import type { RateLimiter } from '../../contracts/work-queue.ts';
import type { Clock } from '../../sim/index.ts';

/**
 * How long failures wait, and the arithmetic that says whether a queue was right about it.
 *
 * What a rate limiter is made of: either of the two, or the longer of both.
 */
export interface Limits {
  readonly exponential?: { readonly baseDelayMs: number; readonly maxDelayMs: number };
  /** `1000 / qps` is a whole number, so that waits are whole milliseconds. */
  readonly bucket?: { readonly qps: number; readonly burst: number };
}

/** What a queue has that is given no rate limiter: see `WorkQueueOptions`. */
export const defaultLimits: Limits = {
  exponential: { baseDelayMs: 5, maxDelayMs: 1_000_000 },
  bucket: { qps: 10, burst: 100 },
};

/** How long a failure has to wait. */
export interface Wait {
  readonly ms: number;
  /** Whether it waits for a token, and not because its item failed before. */
  readonly isForToken: boolean;
  /** Whether the token is there no sooner than that: how tokens are counted matters. */
  readonly isCounted: boolean;
  /** The two waits; the longer one counts. */
  readonly ownMs: number;
  readonly tokenMs: number;
}

/** Counts failures, and says how long each has to wait. */
export class Expectation {
  readonly #limits: Limits;
  readonly #failures = new Map<unknown, number>();
  /** When the next token is there that no failure has taken. */
  #nextTokenAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many failures of the item count. */
  failuresOf(item: unknown): number {
    return this.#limits.exponential ? (this.#failures.get(item) ?? 0) : 0;
  }

  forget(item: unknown): void {
    this.#failures.delete(item);
  }

  /** Counts one more failure. */
  fail(item: unknown, atMs: number): Wait {
    const { exponential, bucket } = this.#limits;
    const before = this.#failures.get(item) ?? 0;
    this.#failures.set(item, before + 1);
    const ownMs = exponential ? Math.min(exponential.baseDelayMs * 2 ** before, exponential.maxDelayMs) : 0;
    const tokenMs = bucket ? this.#takeToken(bucket, atMs) : 0;
    return {
      ms: Math.max(ownMs, tokenMs),
      isForToken: tokenMs > ownMs,
      isCounted: tokenMs >= ownMs,
      ownMs,
      tokenMs,
    };
  }

  /** Explains a wait after this number of failures in a row. */
  explain({ ms, isForToken, ownMs, tokenMs }: Wait, failures: number): string {
    const { exponential, bucket } = this.#limits;
    const growth =
      exponential && failures > 1
        ? ` (${exponential.baseDelayMs} ms, doubled ${failures - 1} times, at most ${exponential.maxDelayMs} ms)`
        : '';
    const own = exponential ? `failure ${failures} in a row waits ${ownMs} ms${growth}` : '';
    const token = bucket
      ? `the next token of the bucket (${bucket.qps} a second) comes after ${tokenMs} ms`
      : '';
    if (own === '' || token === '') return own || token;
    if (tokenMs === 0) return own;
    return `${isForToken ? token : own}; ${isForToken ? own : token}; the longer wait, ${ms} ms, counts`;
  }

  #takeToken({ qps, burst }: { readonly qps: number; readonly burst: number }, atMs: number): number {
    const everyMs = 1_000 / qps;
    // The oldest token of a full bucket has been there for as long as it takes to fill it.
    const tokenAtMs = Math.max(this.#nextTokenAtMs, atMs - (burst - 1) * everyMs);
    this.#nextTokenAtMs = tokenAtMs + everyMs;
    return Math.max(0, tokenAtMs - atMs);
  }
}

/** A rate limiter that does as expected, for lives that judge a queue by small numbers. */
export function expectedRateLimiter(limits: Limits, clock: Clock): RateLimiter<unknown> {
  const expectation = new Expectation(limits);
  return {
    when: (item) => expectation.fail(item, clock.now()).ms,
    forget: (item) => expectation.forget(item),
    numRequeues: (item) => expectation.failuresOf(item),
  };
}
