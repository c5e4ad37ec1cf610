import { describe, expect, test } from 'vitest';
import { MaxOfRateLimiter } from '#harness';
import { Simulation } from '#harness/testing';
import {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  newWorkQueue,
} from '#kata/22-workqueue/workqueue';
import { delays, take, times, waitsOf } from './queue.fixture.ts';

const TEN_OF_THREE = '10 tokens a second and a bucket of 3';

describe('Level 6 · All together', () => {
  test('lets a full bucket of failures go at once, then one at a time', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 3 });
    const failing = ['a', 'b', 'c', 'd', 'a', 'e'];
    expect(delays(limiter, failing), waitsOf(failing, TEN_OF_THREE)).toEqual([0, 0, 0, 100, 200, 300]);
  });

  test('fills the bucket as time passes, also by fractions', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 10, burst: 3 });
    delays(limiter, times(5));
    await sim.run({ forMs: 150 });
    expect(
      delays(limiter, times(1)),
      `150 ms after five failures at once, the next token comes at 300 ms (${TEN_OF_THREE})`,
    ).toEqual([150]);
    await sim.run({ forMs: 250 });
    expect(
      delays(limiter, times(2)),
      `400 ms after five failures at once, and one failure since, one token is there (${TEN_OF_THREE})`,
    ).toEqual([0, 100]);
  });

  test('lets a failure wait for the tokens that earlier failures have taken', async () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 3 });
    expect(
      delays(limiter, times(503)).at(-1),
      `the wait of the last of 503 failures at once: 3 tokens are there, 500 must come (${TEN_OF_THREE})`,
    ).toEqual(50_000);
  });

  test('never fills the bucket beyond burst', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 10, burst: 3 });
    delays(limiter, times(1));
    await sim.run({ forMs: 60_000 });
    expect(
      delays(limiter, times(5)),
      `five failures after a quiet minute: a full bucket holds 3 tokens (${TEN_OF_THREE})`,
    ).toEqual([0, 0, 0, 100, 200]);
  });

  test('supports less than one token a second', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 0.5, burst: 1 });
    const half = '0.5 tokens a second and a bucket of 1';
    expect(delays(limiter, times(3)), waitsOf(times(3), half)).toEqual([0, 2_000, 4_000]);
    await sim.run({ forMs: 5_000 });
    expect(
      delays(limiter, times(1)),
      `the next failure, 5 s later: its token comes after 6 s (${half})`,
    ).toEqual([1_000]);
  });

  test('returns no token for a forgotten item, and counts no failures', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 1 });
    delays(limiter, times(2));
    expect(limiter.numRequeues('a'), 'a bucket counts no failures').toBe(0);
    limiter.forget('a');
    expect(
      delays(limiter, times(1)),
      'the third failure at once, with 10 tokens a second and a bucket of 1: forget returns no token',
    ).toEqual([200]);
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
    expect(
      delays(limiter, times(3)),
      `three failures after one failure, with the clock set back by an hour meanwhile: 2 tokens are left (${TEN_OF_THREE})`,
    ).toEqual([0, 0, 100]);
    await sim.run({ forMs: 200 });
    expect(
      delays(limiter, times(1)),
      `200 ms later, on the clock that was set back: two more tokens have come, one was taken before (${TEN_OF_THREE})`,
    ).toEqual([0]);
  });

  test('waits as long as the strictest of several rate limiters, and asks all of them', () => {
    const { clock } = new Simulation();
    const exponential = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 40, maxDelayMs: 1_000 });
    const bucket = new BucketRateLimiter<string>({ clock, qps: 10, burst: 1 });
    const limiter = new MaxOfRateLimiter<string>(exponential, bucket);
    const failing = ['a', 'a', 'a', 'b'];
    const both = 'the longer wait of 40 ms doubling, and of 10 tokens a second and a bucket of 1';
    expect(delays(limiter, failing), waitsOf(failing, both)).toEqual([40, 100, 200, 300]);
    expect(limiter.numRequeues('a'), 'numRequeues(a) after three failures').toBe(3);
    limiter.forget('a');
    expect(
      [limiter.numRequeues('a'), exponential.numRequeues('a')],
      'numRequeues(a) of both after forget(a)',
    ).toEqual([0, 0]);
    expect(delays(limiter, ['a']), 'the fifth failure waits for its token, 400 ms').toEqual([400]);
  });

  test('lets an item wait 5 ms at first by default, doubling up to 1000 s', () => {
    const limiter = defaultControllerRateLimiter<string>(new Simulation().clock);
    const [first = 0, second = 0, ...rest] = delays(limiter, times(20));
    expect([first, second], 'the waits in ms of failures 1 and 2').toEqual([5, 10]);
    expect(rest.slice(-3), 'the waits in ms of failures 18, 19 and 20').toEqual([
      655_360, 1_000_000, 1_000_000,
    ]);
    limiter.forget('a');
    expect(delays(limiter, times(2)), 'the waits in ms of two failures after forget').toEqual([5, 10]);
  });

  test('lets a hundred failures go at once by default, and then ten a second', async () => {
    const sim = new Simulation();
    const limiter = defaultControllerRateLimiter<string>(sim.clock);
    const items = Array.from({ length: 103 }, (_, i) => `item-${i}`);
    const first = delays(limiter, items);
    expect(
      [...new Set(first.slice(0, 100))],
      'the different waits in ms of a hundred items that fail at once: each waits 5 ms',
    ).toEqual([5]);
    expect(first.slice(100), 'the waits in ms of failures 101, 102 and 103').toEqual([100, 200, 300]);
    await sim.run({ forMs: 2_300 });
    expect(
      delays(
        limiter,
        Array.from({ length: 21 }, (_, i) => `later-${i}`),
      ).slice(-2),
      '2300 ms after 103 failures, 20 tokens are there: the waits in ms of failures 20 and 21',
    ).toEqual([5, 100]);
  });

  test('creates a queue with the default rate limits of controllers', async () => {
    const sim = new Simulation();
    const queue = newWorkQueue<string>({ clock: sim.clock });
    queue.add('now');
    expect(await take(queue), 'the item of add').toBe('now');
    queue.addAfter('later', 50);
    for (let i = 0; i < 101; i++) queue.addRateLimited(`item-${i}`);
    expect(queue.numRequeues('item-0'), 'numRequeues(item-0) after one failure').toBe(1);
    const waited: number[] = [];
    for (let ms = 0; ms <= 100; ms++) {
      waited.push(queue.len());
      await sim.run({ forMs: 1 });
    }
    expect(
      [4, 5, 49, 50, 99, 100].map((ms) => waited[ms]),
      'the items in line after 4, 5, 49, 50, 99 and 100 ms: 100 failures wait 5 ms, one addAfter 50 ms, failure 101 100 ms',
    ).toEqual([0, 100, 100, 101, 101, 102]);
  });
});
