import { describe, expect, test } from 'vitest';
import { ItemFastSlowRateLimiter, MaxOfRateLimiter } from './rate-limiters.ts';

const fastSlow = (fastDelayMs: number, slowDelayMs: number, maxFastAttempts: number) =>
  new ItemFastSlowRateLimiter<string>({ fastDelayMs, slowDelayMs, maxFastAttempts });
const waits = (limiter: { when(item: string): number }, items: string) =>
  [...items].map((item) => limiter.when(item));

describe('ItemFastSlowRateLimiter', () => {
  test('waits a short time for the first failures of each item, then a long time', () =>
    expect(waits(fastSlow(5, 3_000, 3), 'aaaabaa')).toEqual([5, 5, 5, 3_000, 5, 3_000, 3_000]));

  test('begins anew with an item that was forgotten', () => {
    const limiter = fastSlow(5, 3_000, 1);
    waits(limiter, 'aab');
    limiter.forget('a');
    expect(['a', 'b', 'c'].map((item) => limiter.numRequeues(item))).toEqual([0, 1, 0]);
    expect(waits(limiter, 'ab')).toEqual([5, 3_000]);
  });
});

describe('MaxOfRateLimiter', () => {
  test('waits as long as the strictest, and asks and tells every one', () => {
    const [soon, late] = [fastSlow(5, 100, 2), fastSlow(20, 30, 2)];
    const limiter = new MaxOfRateLimiter<string>(soon, late);
    expect(waits(limiter, 'aaa')).toEqual([20, 20, 100]);
    limiter.forget('a');
    expect([soon, late, limiter].map((one) => one.numRequeues('a'))).toEqual([0, 0, 0]);
  });

  test('waits for nothing without any', () => {
    const limiter = new MaxOfRateLimiter<string>();
    expect([limiter.when('a'), limiter.numRequeues('a')]).toEqual([0, 0]);
  });
});
