import { describe, expect, test } from 'vitest';
import { MaxOfRateLimiter } from '#harness';
import { Simulation } from '#harness/testing';
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  newWorkQueue,
} from '#kata/22-workqueue/workqueue';
import { delays, take, times } from './queue.fixture.ts';

describe('Level 6 · All together', () => {
  test('lets a full bucket of failures go at once, then one at a time', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 3 });
    expect(delays(limiter, ['a', 'b', 'c', 'd', 'a', 'e'])).toEqual([0, 0, 0, 100, 200, 300]);
  });

  test('fills the bucket as time passes, also by fractions', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 10, burst: 3 });
    delays(limiter, times(5));
    await sim.run({ forMs: 150 });
    expect(delays(limiter, times(1))).toEqual([150]);
    await sim.run({ forMs: 250 });
    expect(delays(limiter, times(2))).toEqual([0, 100]);
  });

  test('lets a failure wait for the tokens that earlier failures have taken', async () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 3 });
    expect(delays(limiter, times(503)).at(-1)).toEqual(50_000);
  });

  test('never fills the bucket beyond burst', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 10, burst: 3 });
    delays(limiter, times(1));
    await sim.run({ forMs: 60_000 });
    expect(delays(limiter, times(5))).toEqual([0, 0, 0, 100, 200]);
  });

  test('supports less than one token a second', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 0.5, burst: 1 });
    expect(delays(limiter, times(3))).toEqual([0, 2_000, 4_000]);
    await sim.run({ forMs: 5_000 });
    expect(delays(limiter, times(1))).toEqual([1_000]);
  });

  test('returns no token for a forgotten item, and counts no failures', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 1 });
    delays(limiter, times(2));
    expect(limiter.numRequeues('a')).toBe(0);
    limiter.forget('a');
    expect(delays(limiter, times(1))).toEqual([200]);
  });

  test('never waits less than the time until the token is there, fractions included', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 3, burst: 1 });
    limiter.when('a');
    for (let tokens = 1; tokens <= 7; tokens++) {
      // 333.33, 666.67, 1000 ms …, each as it is or rounded up by itself: errors do not add up.
      const exactMs = (tokens * 1_000) / 3;
      const waitMs = limiter.when('b');
      expect(
        waitMs,
        `token ${tokens} comes after ${exactMs.toFixed(2)} ms, so the wait must be at least that long: round up`,
      ).toBeGreaterThanOrEqual(exactMs - 1e-6);
      expect(
        waitMs,
        `token ${tokens} comes after ${exactMs.toFixed(2)} ms: round the sum up once, not each token`,
      ).toBeLessThanOrEqual(Math.ceil(exactMs - 1e-6) + 1e-6);
    }
  });

  test('loses no token when the clock is set back', async () => {
    const sim = new Simulation();
    const clock = sim.clockFor('node');
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 3 });
    delays(limiter, times(1));
    clock.skewMs = -3_600_000;
    expect(delays(limiter, times(3))).toEqual([0, 0, 100]);
    await sim.run({ forMs: 200 });
    expect(delays(limiter, times(1))).toEqual([0]);
  });

  test('waits as long as the strictest of several rate limiters, and asks all of them', () => {
    const { clock } = new Simulation();
    const exponential = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 40, maxDelayMs: 1_000 });
    const bucket = new BucketRateLimiter<string>({ clock, qps: 10, burst: 1 });
    const limiter = new MaxOfRateLimiter<string>(exponential, bucket);
    expect(delays(limiter, ['a', 'a', 'a', 'b'])).toEqual([40, 100, 200, 300]);
    expect(limiter.numRequeues('a')).toBe(3);
    limiter.forget('a');
    expect([limiter.numRequeues('a'), exponential.numRequeues('a')]).toEqual([0, 0]);
    expect(delays(limiter, ['a'])).toEqual([400]);
  });

  test('lets an item wait 5 ms at first by default, doubling up to 1000 s', () => {
    const limiter = defaultControllerRateLimiter<string>(new Simulation().clock);
    const [first = 0, second = 0, ...rest] = delays(limiter, times(20));
    expect([first, second]).toEqual([5, 10]);
    expect(rest.slice(-3)).toEqual([655_360, 1_000_000, 1_000_000]);
    limiter.forget('a');
    expect(delays(limiter, times(2))).toEqual([5, 10]);
  });

  test('lets a hundred failures go at once by default, and then ten a second', async () => {
    const sim = new Simulation();
    const limiter = defaultControllerRateLimiter<string>(sim.clock);
    const items = Array.from({ length: 103 }, (_, i) => `item-${i}`);
    const first = delays(limiter, items);
    expect(new Set(first.slice(0, 100))).toEqual(new Set([5]));
    expect(first.slice(100)).toEqual([100, 200, 300]);
    await sim.run({ forMs: 2_300 });
    expect(
      delays(
        limiter,
        Array.from({ length: 21 }, (_, i) => `later-${i}`),
      ).slice(-2),
    ).toEqual([5, 100]);
  });

  test('creates a queue with the default rate limits of controllers', async () => {
    const sim = new Simulation();
    const queue = newWorkQueue<string>({ clock: sim.clock });
    queue.add('now');
    expect(await take(queue)).toBe('now');
    queue.addAfter('later', 50);
    for (let i = 0; i < 101; i++) queue.addRateLimited(`item-${i}`);
    expect(queue.numRequeues('item-0')).toBe(1);
    const waited: number[] = [];
    for (let ms = 0; ms <= 100; ms++) {
      waited.push(queue.len());
      await sim.run({ forMs: 1 });
    }
    expect([waited[4], waited[5], waited[49], waited[50], waited[99], waited[100]]).toEqual([
      0, 100, 100, 101, 101, 102,
    ]);
  });
});
