import { describe, expect, test } from 'vitest';
import { broken, crew, failures, unhandledDuring } from './crew.fixture.ts';

describe('Level 7 · One worker', () => {
  test('processes one item, and calls done', async () => {
    const { queue, diary, next } = crew();
    queue.add('a');
    expect(await next(), 'it took an item, so it must return true').toBe(true);
    expect(diary, 'the calls of sync, with their times').toEqual(['0 a']);
    queue.add('a');
    expect(queue.len(), 'a was added after it was processed: without done, a stays in hand').toBe(1);
  });

  test('waits for an item, and for sync', async () => {
    const { sim, queue, diary, next } = crew({ sync: () => sim.clock.sleep(50) });
    expect(await next(), 'the queue is empty').toBe('waits');
    queue.add('a');
    await sim.run({ forMs: 49 });
    queue.add('a');
    expect(queue.len(), 'a was added while its sync is running: done must wait for sync').toBe(0);
    await sim.run({ forMs: 1 });
    expect(queue.len(), 'sync has ended after 50 ms, so done must add a again').toBe(1);
    expect(diary, 'the calls of sync, with their times').toEqual(['0 a']);
  });

  test('returns false when the queue is shut down and empty', async () => {
    const { queue, diary, next } = crew();
    queue.add('a');
    queue.shutDown();
    expect(
      [await next(), await next()],
      'two calls: the first takes a, the second finds the queue shut down and empty',
    ).toEqual([true, false]);
    expect(diary, 'the calls of sync: a was in line at the shutdown').toEqual(['0 a']);
  });

  test.each(failures)('retries a failed item, later each time: sync %s', async (_, fail) => {
    const { sim, queue, diary, next } = crew({ sync: fail });
    queue.add('a');
    for (const waitMs of [10, 20, 40]) {
      expect(await next(), 'it took an item, so it must return true, although sync failed').toBe(true);
      expect(queue.len(), `right after the failure: a must wait ${waitMs} ms first`).toBe(0);
      await sim.run({ forMs: waitMs });
    }
    expect(diary, 'the calls of sync, with their times: the waits are 10, 20 and 40 ms').toEqual([
      '0 a',
      '10 a',
      '30 a',
    ]);
    expect(queue.numRequeues('a'), 'numRequeues(a) after three failures').toBe(3);
    expect(queue.len(), 'a is in line after its third wait').toBe(1);
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
    expect(queue.numRequeues('a'), 'numRequeues(a) after two failures and a success').toBe(0);
    expect(queue.len(), 'sync(a) succeeded, so a must not be added again').toBe(0);
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
    expect(queue.numRequeues('a'), 'numRequeues(a) after a failure').toBe(1);
    await sim.run({ forMs: 1_000 });
    await next();
    expect(queue.numRequeues('a'), 'numRequeues(a) after a failure and a success').toBe(0);
  });

  test('reports every failure once, with the error and the item', async () => {
    const reported: unknown[] = [];
    const { sim, queue, next } = crew({
      sync: (item) => Promise.reject(item === 'a' ? broken : undefined),
      onError: (...what) => reported.push(what),
    });
    for (const item of ['a', 'b']) queue.add(item);
    for (let i = 0; i < 3; i++) {
      await next();
      await sim.run({ forMs: 5 });
    }
    expect(reported, 'the calls of onError: a fails, b fails with undefined, a fails again').toEqual([
      [broken, 'a'],
      [undefined, 'b'],
      [broken, 'a'],
    ]);
  });

  test.each(['a string', '', 0, null, false])('reports a failure even if sync threw %j', async (thrown) => {
    const reported: unknown[] = [];
    const { queue, next } = crew({
      sync: () => Promise.reject(thrown),
      onError: (...what) => reported.push(what),
    });
    queue.add('a');
    await next();
    expect(
      { reported, failures: queue.numRequeues('a') },
      `the calls of onError and numRequeues(a), after sync(a) threw ${JSON.stringify(thrown)}`,
    ).toEqual({ reported: [[thrown, 'a']], failures: 1 });
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
      expect(await next(), 'onError threw, but processNextWorkItem must return true').toBe(true);
      await sim.run({ forMs: 10 });
    }
    expect(diary, 'the calls of sync: onError throws, but a is retried after 10 ms').toEqual(['0 a', '10 a']);
  });

  test('does not wait for the promise that onError returns', async () => {
    const { sim, queue, diary, next } = crew({
      sync: () => Promise.reject(broken),
      onError: () => new Promise<void>(() => {}),
    });
    queue.add('a');
    for (let i = 0; i < 2; i++) {
      expect(await next(), 'the promise of onError never settles: do not await it').toBe(true);
      await sim.run({ forMs: 10 });
    }
    expect(diary, 'the calls of sync: a is retried after 10 ms').toEqual(['0 a', '10 a']);
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
        expect(await next(), 'onError rejected, but processNextWorkItem must return true').toBe(true);
        await sim.run({ forMs: 10 });
      }
    });
    expect(diary, 'the calls of sync: a is retried after 10 ms').toEqual(['0 a', '10 a']);
    expect(left, 'rejections of onError that were not caught, which would end the process').toEqual([]);
  });

  test('never gives up without maxRetries', async () => {
    const { sim, queue, next } = crew({ sync: () => Promise.reject(broken) });
    queue.add('a');
    for (let tries = 1; tries <= 20; tries++) {
      await next();
      await sim.run({ forMs: 1_000 });
      expect(queue.len(), `a is in line again 1 s after failure ${tries}: no maxRetries is set`).toBe(1);
    }
  });

  test('gives up a failing item after maxRetries retries, and forgets it', async () => {
    for (const maxRetries of [0, 1, 3]) {
      const reported: unknown[] = [];
      const { sim, queue, next } = crew({
        maxRetries,
        sync: () => Promise.reject(broken),
        onError: (error) => reported.push(error),
      });
      queue.add('a');
      for (let tries = 1; tries <= 1 + maxRetries; tries++) {
        expect(
          await next(),
          `try ${tries} of ${1 + maxRetries}, with maxRetries ${maxRetries}: a must be in line`,
        ).toBe(true);
        await sim.run({ forMs: 1_000 });
      }
      const after = { line: queue.len(), failures: queue.numRequeues('a'), reports: reported.length };
      expect(
        after,
        `after ${1 + maxRetries} failures, with maxRetries ${maxRetries}: the item is given up`,
      ).toEqual({ line: 0, failures: 0, reports: 1 + maxRetries });
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
      expect(queue.len(), `round ${round}: a failed twice with maxRetries 1, so it is given up`).toBe(0);
    }
    expect(diary, 'the calls of sync: a is added at 0 and 200 ms, and has one retry each time').toEqual([
      '0 a',
      '100 a',
      '200 a',
      '300 a',
    ]);
  });

  test('calls done but not sync for an item that it took after the abort', async () => {
    const { sim, queue, diary, next, abort } = crew();
    expect(await next(), 'the queue is empty').toBe('waits');
    abort();
    queue.add('a');
    await sim.run({ forMs: 1 });
    queue.add('a');
    expect(diary, 'the calls of sync: the waiting get returned a only after the abort').toEqual([]);
    expect(queue.len(), 'a was taken after the abort and added again: without done, it stays in hand').toBe(
      1,
    );
    expect(await next(), 'it took an item, so it must return true').toBe(true);
    expect(diary, 'the calls of sync after the abort').toEqual([]);
  });
});
