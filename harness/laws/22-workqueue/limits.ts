/** How long a rate limiter lets items wait, and the arithmetic that says whether it was right. */
import type { RateLimiter } from '../../contracts/work-queue.ts';
import type { Clock } from '../../sim/index.ts';

/** What a queue's rate limiter is made of: either of the two, or the longer of both. */
export interface Limits {
  readonly exponential?: { readonly baseDelayMs: number; readonly maxDelayMs: number };
  /** `1000 / qps` is a whole number, so that waits are whole milliseconds. */
  readonly bucket?: { readonly qps: number; readonly burst: number };
}

export type NewRateLimiter = (limits: Limits, clock: Clock) => RateLimiter<string>;

/** What a failure has to wait for; absent what the limits do not speak of. */
export interface Waits {
  readonly exponentialMs?: number;
  readonly bucketMs?: number;
}

/** Counts failures, and says how long each has to wait. */
export class Expectation {
  readonly #limits: Limits;
  readonly #failures = new Map<string, number>();
  /** When the next token is there that nobody has taken. */
  #nextTokenAtMs = Number.NEGATIVE_INFINITY;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  failuresOf(item: string): number {
    return this.#failures.get(item) ?? 0;
  }

  forget(item: string): void {
    this.#failures.delete(item);
  }

  fail(item: string, atMs: number): Waits {
    const { exponential, bucket } = this.#limits;
    const before = this.failuresOf(item);
    this.#failures.set(item, before + 1);
    return {
      ...(exponential && {
        exponentialMs: Math.min(exponential.baseDelayMs * 2 ** before, exponential.maxDelayMs),
      }),
      ...(bucket && { bucketMs: this.#takeToken(bucket, atMs) }),
    };
  }

  #takeToken({ qps, burst }: { readonly qps: number; readonly burst: number }, atMs: number): number {
    const everyMs = 1_000 / qps;
    // A full bucket is one whose oldest token has been there for as long as it takes to fill it.
    const tokenAtMs = Math.max(this.#nextTokenAtMs, atMs - (burst - 1) * everyMs);
    this.#nextTokenAtMs = tokenAtMs + everyMs;
    return Math.max(0, tokenAtMs - atMs);
  }
}

/** A rate limiter that does as expected: for those who measure a queue, and not its rate limiter. */
export const expectedRateLimiter: NewRateLimiter = (limits, clock) => {
  const expectation = new Expectation(limits);
  return {
    when: (item) => {
      const { exponentialMs = 0, bucketMs = 0 } = expectation.fail(item, clock.now());
      return Math.max(exponentialMs, bucketMs);
    },
    forget: (item) => expectation.forget(item),
    numRequeues: (item) => (limits.exponential ? expectation.failuresOf(item) : 0),
  };
};

/** A wait as one writes it: without what comes of counting in binary fractions. */
export function inMs(ms: number): number {
  return Number(Number(ms).toFixed(3));
}
