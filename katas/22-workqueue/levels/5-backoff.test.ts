import { describe, expect, test } from 'vitest';
import { ItemFastSlowRateLimiter, MaxOfRateLimiter, type RateLimiter } from '#harness';
import { Simulation, vectors } from '#harness/testing';
import {
  DelayingQueue,
  ItemExponentialFailureRateLimiter,
  Queue,
  RateLimitingQueue,
} from '#kata/22-workqueue/workqueue';
import { delays, named, take, takeAll, times, waitsOf } from './queue.fixture.ts';

describe('Level 5 · Each failure waits longer', () => {
  test('doubles the wait of an item with each failure, up to a maximum', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    expect(delays(limiter, times(7)), waitsOf(times(7), '5 ms doubling up to 100 ms')).toEqual([
      5, 10, 20, 40, 80, 100, 100,
    ]);
    expect(limiter.numRequeues('a'), 'numRequeues(a) after 7 failures').toBe(7);
  });

  test('never waits longer than the maximum, neither for the first failure nor after two thousand', () => {
    const small = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 50, maxDelayMs: 20 });
    expect(delays(small, times(3)), waitsOf(times(3), '50 ms doubling up to 20 ms')).toEqual([20, 20, 20]);
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    delays(limiter, times(2_000));
    expect(limiter.numRequeues('a'), 'numRequeues(a) after 2000 failures').toBe(2_000);
    expect(delays(limiter, times(1)), 'the wait of failure 2001, with 5 ms doubling up to 100 ms').toEqual([
      100,
    ]);
  });

  test('doubles the wait until the maximum, however high the maximum is', () => {
    const maxDelayMs = 2 ** 45;
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 1, maxDelayMs });
    for (let failures = 1; failures <= 47; failures++) {
      const expectedMs = Math.min(2 ** (failures - 1), maxDelayMs);
      expect(limiter.when('a'), `the wait of failure ${failures}, from 1 ms up to 2 ** 45 ms`).toBe(
        expectedMs,
      );
    }
  });

  test('counts the failures of each item separately', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    const failing = ['a', 'a', 'b', 'a', 'b'];
    expect(delays(limiter, failing), waitsOf(failing, '5 ms doubling up to 100 ms')).toEqual([
      5, 10, 5, 20, 10,
    ]);
    expect(
      ['a', 'b', 'c'].map((item) => limiter.numRequeues(item)),
      'numRequeues of a (3 failures), b (2) and c (none)',
    ).toEqual([3, 2, 0]);
  });

  test('distinguishes items that print alike, and accepts any name', () => {
    const limiter = new ItemExponentialFailureRateLimiter<unknown>({ baseDelayMs: 5, maxDelayMs: 100 });
    const items = [1, '1', 'constructor', '__proto__'];
    const names = "1, '1', 'constructor' and '__proto__'";
    expect(
      items.map((item) => limiter.numRequeues(item)),
      `numRequeues of ${names}, before any failure`,
    ).toEqual([0, 0, 0, 0]);
    expect(
      [...items, ...items].map((item) => limiter.when(item)),
      `the waits in ms of two failures each of ${names}: four different items`,
    ).toEqual([5, 5, 5, 5, 10, 10, 10, 10]);
    for (const item of items) limiter.forget(item);
    expect(
      items.map((item) => limiter.numRequeues(item)),
      `numRequeues of ${names}, after forget`,
    ).toEqual([0, 0, 0, 0]);
  });

  test('starts again at the first wait for a forgotten item, and for no other', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    delays(limiter, ['a', 'a', 'b', 'b']);
    limiter.forget('a');
    limiter.forget('c');
    expect(limiter.numRequeues('a'), 'numRequeues(a) after forget(a)').toBe(0);
    expect(
      delays(limiter, ['a', 'b']),
      'the waits in ms of the next failure of a, which was forgotten, and of b, the third in a row',
    ).toEqual([5, 20]);
  });

  test('adds a failed item after the wait of the rate limiter, and counts the failure', async () => {
    const sim = new Simulation();
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 10, maxDelayMs: 1_000 });
    const queue = new RateLimitingQueue(new DelayingQueue(new Queue<string>(), sim.clock), limiter);
    for (const waitMs of [10, 20, 40]) {
      queue.addRateLimited('a');
      await sim.run({ forMs: waitMs - 1 });
      expect(queue.len(), `before ${waitMs} ms`).toBe(0);
      await sim.run({ forMs: 1 });
      expect(await take(queue), `after ${waitMs} ms`).toBe('a');
      queue.done('a');
    }
    expect(queue.numRequeues('a'), 'numRequeues(a) after three failures').toBe(3);
    expect(queue.numRequeues('b'), 'numRequeues(b), which never failed').toBe(0);
  });

  test.each([10.5, 10.25])(
    'waits at least %s ms when the rate limiter returns them, and calls it once',
    async (waitMs) => {
      const sim = new Simulation();
      let asked = 0;
      const limiter: RateLimiter<string> = {
        when: () => {
          asked++;
          return waitMs;
        },
        forget: () => {},
        numRequeues: () => asked,
      };
      const queue = new RateLimitingQueue(new DelayingQueue(new Queue<string>(), sim.clock), limiter);
      queue.addRateLimited('a');
      expect(asked, 'calls of the rate limiter').toBe(1);
      await sim.run({ forMs: 10 });
      expect(queue.len(), `at 10 ms, before ${waitMs} ms have passed`).toBe(0);
      await sim.run({ forMs: 1 });
      expect(queue.len(), `at 11 ms, after ${waitMs} ms`).toBe(1);
    },
  );

  test('forget neither returns the item nor cancels its wait', async () => {
    const sim = new Simulation();
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 10, maxDelayMs: 1_000 });
    const queue = new RateLimitingQueue(new DelayingQueue(new Queue<string>(), sim.clock), limiter);
    queue.add('a');
    await take(queue);
    queue.addRateLimited('a');
    queue.addRateLimited('b');
    for (const item of ['a', 'b']) queue.forget(item);
    expect([queue.numRequeues('a'), queue.numRequeues('b')], 'numRequeues of a and b, after forget').toEqual([
      0, 0,
    ]);
    await sim.run({ forMs: 100 });
    expect(queue.len(), 'b is in line after its wait; a is still in hand, because forget is no done').toBe(1);
    queue.done('a');
    expect(await takeAll(queue, 2), 'the waits of both have ended, and a is done').toEqual(['b', 'a']);
  });

  type LimiterInput = {
    readonly kind: 'exponential' | 'fastSlow' | 'maxOf';
    readonly of?: readonly LimiterInput[];
    readonly baseMs: number;
    readonly maxMs: number;
    readonly fastMs: number;
    readonly slowMs: number;
    readonly fastAttempts: number;
    readonly steps?: readonly Partial<Record<'when' | 'requeues' | 'forget', string>>[];
    readonly previousFailures?: number;
    readonly failures?: number;
  };
  const limiterOf = (input: LimiterInput): RateLimiter<string> => {
    if (input.kind === 'maxOf') return new MaxOfRateLimiter<string>(...(input.of ?? []).map(limiterOf));
    if (input.kind === 'exponential') {
      return new ItemExponentialFailureRateLimiter({ baseDelayMs: input.baseMs, maxDelayMs: input.maxMs });
    }
    return new ItemFastSlowRateLimiter({
      fastDelayMs: input.fastMs,
      slowDelayMs: input.slowMs,
      maxFastAttempts: input.fastAttempts,
    });
  };
  type LimiterExpect = { readonly results?: readonly unknown[]; readonly delayMs?: number };
  test.each(named(vectors<LimiterInput, LimiterExpect>('workqueue', 'rateLimiter', 5)))(
    'agrees with client-go: %s',
    (_, { input, expect: expected }) => {
      const limiter = limiterOf(input);
      const { steps = [], previousFailures = 0, failures = 0 } = input;
      delays(limiter, times(previousFailures));
      if (expected.delayMs !== undefined)
        expect(
          delays(limiter, times(1)),
          `the wait in ms after ${previousFailures} failures, with ${JSON.stringify(input)}`,
        ).toEqual([expected.delayMs]);
      const results = steps.map(({ when, requeues, forget }) => {
        if (when !== undefined) return limiter.when(when);
        if (requeues !== undefined) return limiter.numRequeues(requeues);
        limiter.forget(forget ?? '');
        return null;
      });
      if (expected.results)
        expect(
          [...results, ...delays(limiter, times(failures))],
          `the results of the steps and failures of ${JSON.stringify(input)}`,
        ).toEqual(expected.results);
    },
  );
});
