import { describe, expect, test } from 'vitest';
import { broken, crew, failures, unhandledDuring } from './crew.fixture.ts';

describe('Level 7 · One worker', () => {
  test('processes one item, and calls done', async () => {
    const { queue, diary, next } = crew();
    queue.add('a');
    expect(await next()).toBe(true);
    expect(diary).toEqual(['0 a']);
    queue.add('a');
    expect(queue.len()).toBe(1);
  });

  test('waits for an item, and for sync', async () => {
    const { sim, queue, diary, next } = crew({ sync: () => sim.clock.sleep(50) });
    expect(await next()).toBe('waits');
    queue.add('a');
    await sim.run({ forMs: 49 });
    queue.add('a');
    expect(queue.len()).toBe(0);
    await sim.run({ forMs: 1 });
    expect(queue.len()).toBe(1);
    expect(diary).toEqual(['0 a']);
  });

  test('returns false when the queue is shut down and empty', async () => {
    const { queue, diary, next } = crew();
    queue.add('a');
    queue.shutDown();
    expect([await next(), await next()]).toEqual([true, false]);
    expect(diary).toEqual(['0 a']);
  });

  test.each(failures)('retries a failed item, later each time: sync %s', async (_, fail) => {
    const { sim, queue, diary, next } = crew({ sync: fail });
    queue.add('a');
    for (const waitMs of [10, 20, 40]) {
      expect(await next()).toBe(true);
      expect(queue.len()).toBe(0);
      await sim.run({ forMs: waitMs });
    }
    expect(diary).toEqual(['0 a', '10 a', '30 a']);
    expect(queue.numRequeues('a')).toBe(3);
    expect(queue.len()).toBe(1);
  });

  test('forgets the failures of an item that succeeds', async () => {
    let attempts = 0;
    const { sim, queue, next } = crew({
      sync: async () => {
        if (++attempts < 3) throw broken;
      },
    });
    queue.add('a');
    for (let i = 0; i < 3; i++) {
      await next();
      await sim.run({ forMs: 1_000 });
    }
    expect(queue.numRequeues('a')).toBe(0);
    expect(queue.len()).toBe(0);
  });

  test('forgets a single failure, too', async () => {
    let attempts = 0;
    const { sim, queue, next } = crew({
      sync: async () => {
        if (++attempts === 1) throw broken;
      },
    });
    queue.add('a');
    await next();
    expect(queue.numRequeues('a')).toBe(1);
    await sim.run({ forMs: 1_000 });
    await next();
    expect(queue.numRequeues('a')).toBe(0);
  });

  test('reports every failure once, with the error and the item', async () => {
    const told: unknown[] = [];
    const { sim, queue, next } = crew({
      sync: (item) => Promise.reject(item === 'a' ? broken : undefined),
      onError: (...what) => told.push(what),
    });
    for (const item of ['a', 'b']) queue.add(item);
    for (let i = 0; i < 3; i++) {
      await next();
      await sim.run({ forMs: 5 });
    }
    expect(told).toEqual([
      [broken, 'a'],
      [undefined, 'b'],
      [broken, 'a'],
    ]);
  });

  test.each(['a string', '', 0, null, false])('reports a failure even if sync threw %j', async (thrown) => {
    const told: unknown[] = [];
    const { queue, next } = crew({
      sync: () => Promise.reject(thrown),
      onError: (...what) => told.push(what),
    });
    queue.add('a');
    await next();
    expect([told, queue.numRequeues('a')]).toEqual([[[thrown, 'a']], 1]);
  });

  test('retries a failed item and calls done, even if onError throws', async () => {
    const { sim, queue, diary, next } = crew({
      sync: () => Promise.reject(broken),
      onError: () => {
        throw new Error('broken, too');
      },
    });
    queue.add('a');
    for (let i = 0; i < 2; i++) {
      expect(await next()).toBe(true);
      await sim.run({ forMs: 10 });
    }
    expect(diary).toEqual(['0 a', '10 a']);
  });

  test('does not wait for the promise that onError returns', async () => {
    const { sim, queue, diary, next } = crew({
      sync: () => Promise.reject(broken),
      onError: () => new Promise<void>(() => {}),
    });
    queue.add('a');
    for (let i = 0; i < 2; i++) {
      expect(await next()).toBe(true);
      await sim.run({ forMs: 10 });
    }
    expect(diary).toEqual(['0 a', '10 a']);
  });

  test('ignores a rejection of the promise that onError returns', async () => {
    const { sim, queue, diary, next } = crew({
      sync: () => Promise.reject(broken),
      onError: async () => {
        throw new Error('broken, too');
      },
    });
    const left = await unhandledDuring(async () => {
      queue.add('a');
      for (let i = 0; i < 2; i++) {
        expect(await next()).toBe(true);
        await sim.run({ forMs: 10 });
      }
    });
    expect(diary).toEqual(['0 a', '10 a']);
    expect(left, 'rejections of onError that were not caught, which would end the process').toEqual([]);
  });

  test('never gives up without maxRetries', async () => {
    const { sim, queue, next } = crew({ sync: () => Promise.reject(broken) });
    queue.add('a');
    for (let tries = 1; tries <= 20; tries++) {
      await next();
      await sim.run({ forMs: 1_000 });
      expect(queue.len(), `after try ${tries}`).toBe(1);
    }
  });

  test('gives up a failing item after maxRetries retries, and forgets it', async () => {
    for (const maxRetries of [0, 1, 3]) {
      const told: unknown[] = [];
      const { sim, queue, next } = crew({
        maxRetries,
        sync: () => Promise.reject(broken),
        onError: (error) => told.push(error),
      });
      queue.add('a');
      for (let tries = 1; tries <= 1 + maxRetries; tries++) {
        expect(await next(), `try ${tries} with ${maxRetries} retries`).toBe(true);
        await sim.run({ forMs: 1_000 });
      }
      const after = { line: queue.len(), failures: queue.numRequeues('a'), told: told.length };
      expect(after, `after ${maxRetries} retries`).toEqual({ line: 0, failures: 0, told: 1 + maxRetries });
    }
  });

  test('counts the failures of the queue, not only its own tries', async () => {
    const { sim, queue, next } = crew({ maxRetries: 1, sync: () => Promise.reject(broken) });
    queue.addRateLimited('a');
    queue.addRateLimited('a');
    await sim.run({ forMs: 1_000 });
    await next();
    await sim.run({ forMs: 1_000 });
    const after = { line: queue.len(), failures: queue.numRequeues('a') };
    expect(after, 'two failures counted, and one retry was allowed').toEqual({ line: 0, failures: 0 });
  });

  test('retries an abandoned item as often again when it is added again', async () => {
    const { sim, queue, diary, next } = crew({ maxRetries: 1, sync: () => Promise.reject(broken) });
    for (let round = 1; round <= 2; round++) {
      queue.add('a');
      for (let tries = 1; tries <= 2; tries++) {
        await next();
        await sim.run({ forMs: 100 });
      }
      expect(queue.len(), `after round ${round}`).toBe(0);
    }
    expect(diary).toEqual(['0 a', '100 a', '200 a', '300 a']);
  });

  test('calls done but not sync for an item that it took after the abort', async () => {
    const { sim, queue, diary, next, abort } = crew();
    expect(await next()).toBe('waits');
    abort();
    queue.add('a');
    await sim.run({ forMs: 1 });
    queue.add('a');
    expect([diary, queue.len()]).toEqual([[], 1]);
    expect(await next(), 'there was an item').toBe(true);
    expect(diary).toEqual([]);
  });
});
