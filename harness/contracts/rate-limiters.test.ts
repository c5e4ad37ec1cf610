import { describe, expect, test } from 'vitest';
import { ItemFastSlowRateLimiter, MaxOfRateLimiter } from './rate-limiters.ts';

const fastSlow = (fastDelayMs: number, slowDelayMs: number, maxFastAttempts: number) =>
  new ItemFastSlowRateLimiter<string>({ fastDelayMs, slowDelayMs, maxFastAttempts });
const waits = (limiter: { when(item: string): number }, items: string) =>
  [...items].map((item) => limiter.when(item));

describe('ItemFastSlowRateLimiter', () => {
  test('returns the short delay for the first failures of each item, then the long delay', () =>
    expect(waits(fastSlow(5, 3_000, 3), 'aaaabaa')).toEqual([5, 5, 5, 3_000, 5, 3_000, 3_000]));

  test('starts again after an item is forgotten', () => {
    const limiter = fastSlow(5, 3_000, 1);
    waits(limiter, 'aab');
    limiter.forget('a');
    expect(['a', 'b', 'c'].map((item) => limiter.numRequeues(item))).toEqual([0, 1, 0]);
    expect(waits(limiter, 'ab')).toEqual([5, 3_000]);
  });
});

describe('MaxOfRateLimiter', () => {
  test('returns the longest delay, and calls every limiter', () => {
    const [soon, late] = [fastSlow(5, 100, 2), fastSlow(20, 30, 2)];
    const limiter = new MaxOfRateLimiter<string>(soon, late);
    expect(waits(limiter, 'aaa')).toEqual([20, 20, 100]);
    limiter.forget('a');
    expect([soon, late, limiter].map((one) => one.numRequeues('a'))).toEqual([0, 0, 0]);
  });

  test('returns no delay without limiters', () => {
    const limiter = new MaxOfRateLimiter<string>();
    expect([limiter.when('a'), limiter.numRequeues('a')]).toEqual([0, 0]);
  });
});
