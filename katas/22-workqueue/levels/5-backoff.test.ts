import { describe, expect, test } from 'vitest';
import { ItemFastSlowRateLimiter, MaxOfRateLimiter, type RateLimiter } from '#harness';
import { Simulation, vectors } from '#harness/testing';
import {
  DelayingQueue,
  ItemExponentialFailureRateLimiter,
  Queue,
  RateLimitingQueue,
} from '#kata/22-workqueue/workqueue';
import { delays, named, take, takeAll, times } from './queue.fixture.ts';

describe('Level 5 · Each failure waits longer', () => {
  test('doubles the wait of an item with each failure, up to a maximum', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    expect(delays(limiter, times(7))).toEqual([5, 10, 20, 40, 80, 100, 100]);
    expect(limiter.numRequeues('a')).toBe(7);
  });

  test('never waits longer than the maximum, neither for the first failure nor after two thousand', () => {
    const small = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 50, maxDelayMs: 20 });
    expect(delays(small, times(3))).toEqual([20, 20, 20]);
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    delays(limiter, times(2_000));
    expect(limiter.numRequeues('a')).toBe(2_000);
    expect(delays(limiter, times(1))).toEqual([100]);
  });

  test('counts the failures of each item separately', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    expect(delays(limiter, ['a', 'a', 'b', 'a', 'b'])).toEqual([5, 10, 5, 20, 10]);
    expect([limiter.numRequeues('a'), limiter.numRequeues('b'), limiter.numRequeues('c')]).toEqual([3, 2, 0]);
  });

  test('distinguishes items that print alike, and accepts any name', () => {
    const limiter = new ItemExponentialFailureRateLimiter<unknown>({ baseDelayMs: 5, maxDelayMs: 100 });
    const items = [1, '1', 'constructor', '__proto__'];
    expect(items.map((item) => limiter.numRequeues(item))).toEqual([0, 0, 0, 0]);
    expect([...items, ...items].map((item) => limiter.when(item))).toEqual([5, 5, 5, 5, 10, 10, 10, 10]);
    for (const item of items) limiter.forget(item);
    expect(items.map((item) => limiter.numRequeues(item))).toEqual([0, 0, 0, 0]);
  });

  test('starts again at the first wait for a forgotten item, and for no other', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    delays(limiter, ['a', 'a', 'b', 'b']);
    limiter.forget('a');
    limiter.forget('c');
    expect(limiter.numRequeues('a')).toBe(0);
    expect(delays(limiter, ['a', 'b'])).toEqual([5, 20]);
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
    expect(queue.numRequeues('a')).toBe(3);
    expect(queue.numRequeues('b')).toBe(0);
  });

  test('rounds up a fractional wait of the rate limiter, and asks it once', async () => {
    const sim = new Simulation();
    let asked = 0;
    const limiter: RateLimiter<string> = {
      when: () => {
        asked++;
        return 10.5;
      },
      forget: () => {},
      numRequeues: () => asked,
    };
    const queue = new RateLimitingQueue(new DelayingQueue(new Queue<string>(), sim.clock), limiter);
    queue.addRateLimited('a');
    expect(asked, 'how often the rate limiter was asked').toBe(1);
    await sim.run({ forMs: 10 });
    expect(queue.len(), 'at 10 ms').toBe(0);
    await sim.run({ forMs: 1 });
    expect(queue.len(), 'at 11 ms').toBe(1);
  });

  test('forget neither returns the item nor cancels its wait', async () => {
    const sim = new Simulation();
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 10, maxDelayMs: 1_000 });
    const queue = new RateLimitingQueue(new DelayingQueue(new Queue<string>(), sim.clock), limiter);
    queue.add('a');
    await take(queue);
    queue.addRateLimited('a');
    queue.addRateLimited('b');
    for (const item of ['a', 'b']) queue.forget(item);
    expect([queue.numRequeues('a'), queue.numRequeues('b')]).toEqual([0, 0]);
    await sim.run({ forMs: 100 });
    expect(queue.len()).toBe(1);
    queue.done('a');
    expect(await takeAll(queue, 2)).toEqual(['b', 'a']);
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
      if (expected.delayMs !== undefined) expect(delays(limiter, times(1))).toEqual([expected.delayMs]);
      const results = steps.map(({ when, requeues, forget }) => {
        if (when !== undefined) return limiter.when(when);
        if (requeues !== undefined) return limiter.numRequeues(requeues);
        limiter.forget(forget ?? '');
        return null;
      });
      if (expected.results)
        expect([...results, ...delays(limiter, times(failures))]).toEqual(expected.results);
    },
  );
});
