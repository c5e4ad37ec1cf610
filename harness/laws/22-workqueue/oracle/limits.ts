import type { RateLimiter } from '../../../contracts/work-queue.ts';
import type { Clock } from '../../../sim/index.ts';

/** The parts of a rate limiter: one of the two, or both; then the longer wait counts. */
export interface Limits {
  readonly exponential?: { readonly baseDelayMs: number; readonly maxDelayMs: number };
  /** `1000 / qps` is a whole number, so that waits are whole milliseconds. */
  readonly bucket?: { readonly qps: number; readonly burst: number };
}

/** The default limits of a queue, see `WorkQueueOptions`. */
export const defaultLimits: Limits = {
  exponential: { baseDelayMs: 5, maxDelayMs: 1_000_000 },
  bucket: { qps: 10, burst: 100 },
};

/** The wait of a failure. */
export interface Wait {
  readonly ms: number;
  /** Whether the token of the bucket is the reason for the wait, and not the earlier failures of the item. */
  readonly isForToken: boolean;
  /** Whether the wait lasts until the token is there, so that the rounding of tokens matters. */
  readonly isCounted: boolean;
  /** The wait because of the failures of the item, and the wait for a token; the longer one counts. */
  readonly ownMs: number;
  readonly tokenMs: number;
}

/** Counts failures, and computes the wait of each. */
export class Expectation {
  readonly #limits: Limits;
  readonly #failures = new Map<unknown, number>();
  /** The time of the next token that no failure has taken. */
  #nextTokenAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Returns the number of failures of the item since it was last forgotten. */
  failuresOf(item: unknown): number {
    return this.#limits.exponential ? (this.#failures.get(item) ?? 0) : 0;
  }

  forget(item: unknown): void {
    this.#failures.delete(item);
  }

  /** Counts a failure, and returns its wait. */
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
    // The oldest token of a full bucket is as old as the time that it takes to fill the bucket.
    const tokenAtMs = Math.max(this.#nextTokenAtMs, atMs - (burst - 1) * everyMs);
    this.#nextTokenAtMs = tokenAtMs + everyMs;
    return Math.max(0, tokenAtMs - atMs);
  }
}

/** Returns a correct rate limiter with these limits, for scenarios with small numbers. */
export function expectedRateLimiter(limits: Limits, clock: Clock): RateLimiter<unknown> {
  const expectation = new Expectation(limits);
  return {
    when: (item) => expectation.fail(item, clock.now()).ms,
    forget: (item) => expectation.forget(item),
    numRequeues: (item) => expectation.failuresOf(item),
  };
}
