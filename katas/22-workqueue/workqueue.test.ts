import { describe, expect, test } from 'vitest';
import type { RateLimiter, WorkersOptions, WorkQueue } from '#harness';
import { Simulation, soFar, type VectorCase, vectors } from '#harness/testing';
import {
  BucketRateLimiter,
  DelayingQueue,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  newWorkQueue,
  processNextWorkItem,
  Queue,
  RateLimitingQueue,
  runWorkers,
} from '#kata/22-workqueue/workqueue';

/** So that each row of a table is a test with the row's name. */
const named = <I, E>(rows: readonly VectorCase<I, E>[]) => rows.map((row) => [row.name, row] as const);

/** Takes an item; `'waits'` when there is none to be had just now. */
const take = <T>(queue: WorkQueue<T>) => soFar(queue.get());

/** Takes so many. */
async function takeAll<T>(queue: WorkQueue<T>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  for (let i = 0; i < count; i++) taken.push(await take(queue));
  return taken;
}

/** Begins something that is awaited later, or never: if it fails meanwhile, nobody is to complain. */
function begun<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What is rejected meanwhile and caught by nobody. Time of a simulation must pass: Node tells of it only then. */
async function unhandledDuring(work: () => Promise<void>): Promise<unknown[]> {
  const left: unknown[] = [];
  const usual = process.listeners('unhandledRejection');
  const note = (error: unknown): void => {
    left.push(error);
  };
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  try {
    await work();
  } finally {
    process.off('unhandledRejection', note);
    for (const listener of usual) process.on('unhandledRejection', listener);
  }
  return left;
}

type ScriptStep = Partial<{
  readonly add: string;
  readonly len: 1;
  readonly get: 1;
  readonly done: string;
  readonly shutDown: 1;
  readonly shutDownWithDrain: 1;
}>;
interface ScriptExpect {
  readonly results: readonly unknown[];
  readonly finishes?: { readonly step: number; readonly after: number };
}

/**
 * What each step of a script comes to. A get that is blocked goes on waiting: it is the next get of the script, and
 * what it was given by then still counts as standing in line.
 */
async function play(steps: readonly ScriptStep[]): Promise<ScriptExpect> {
  const queue = new Queue<string>();
  const results: unknown[] = [];
  let blocked: Promise<string | undefined> | undefined;
  let drain: Promise<'returned'> | undefined;
  let finishes: ScriptExpect['finishes'];
  const drainStep = steps.findIndex((step) => step.shutDownWithDrain);
  for (const [after, step] of steps.entries()) {
    let result: unknown = null;
    if (step.add !== undefined) queue.add(step.add);
    if (step.done !== undefined) queue.done(step.done);
    if (step.len) {
      const given = blocked && (await soFar(blocked)) !== 'waits' ? 1 : 0;
      result = queue.len() + given;
    }
    if (step.get) {
      const promise = blocked ?? begun(queue.get());
      const item = await soFar(promise);
      blocked = item === 'waits' ? promise : undefined;
      result = item === 'waits' ? { blocked: true } : item === undefined ? { shutdown: true } : { item };
    }
    if (step.shutDown) {
      queue.shutDown();
      result = 'returned';
    }
    if (step.shutDownWithDrain) {
      drain = begun(queue.shutDownWithDrain().then(() => 'returned' as const));
      result = (await soFar(drain)) === 'waits' ? 'waiting' : 'returned';
    }
    results.push(result);
    if (drain && !finishes && (await soFar(drain)) === 'returned') finishes = { step: drainStep, after };
  }
  return { results, ...(finishes && { finishes }) };
}

const scripts = (...ids: readonly string[]) =>
  named(
    vectors<{ readonly steps: readonly ScriptStep[] }, ScriptExpect>(
      'workqueue',
      'script',
      ids.length,
      (row) => ids.includes(row.id),
    ),
  );

describe('Level 1 · The line', () => {
  test('hands out what was added', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    expect(await take(queue)).toBe('a');
  });

  test('hands items out in the order in which they were added', async () => {
    const queue = new Queue<string>();
    for (const item of ['b', 'c', 'a']) queue.add(item);
    expect(await takeAll(queue, 3)).toEqual(['b', 'c', 'a']);
  });

  test('holds an item that is added twice once, in its first place', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b', 'a']) queue.add(item);
    expect(queue.len()).toBe(2);
    expect(await takeAll(queue, 3)).toEqual(['a', 'b', 'waits']);
  });

  test('counts what stands in line', async () => {
    const queue = new Queue<string>();
    expect(queue.len()).toBe(0);
    queue.add('a');
    queue.add('b');
    expect(queue.len()).toBe(2);
    await take(queue);
    expect(queue.len()).toBe(1);
  });

  test('lets a get wait until something is added', async () => {
    const queue = new Queue<string>();
    const got = begun(queue.get());
    expect(await soFar(got)).toBe('waits');
    queue.add('a');
    expect(await soFar(got)).toBe('a');
    expect(queue.len()).toBe(0);
  });

  test('gives each of those who wait an item of their own', async () => {
    const queue = new Queue<string>();
    const gets = [1, 2, 3].map(() => begun(queue.get()));
    queue.add('a');
    queue.add('b');
    const got = await Promise.all(gets.map((get) => soFar(get)));
    expect(got.toSorted()).toEqual(['a', 'b', 'waits']);
    queue.add('c');
    expect((await Promise.all(gets.map((get) => soFar(get)))).toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('gives to one who waits what comes later, not what somebody took before', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    expect(await take(queue)).toBe('a');
    const got = begun(queue.get());
    queue.add('b');
    expect(await soFar(got)).toBe('b');
  });

  test('takes anything for an item that can be a key of a Map', async () => {
    const queue = new Queue<unknown>();
    const object = {};
    for (const item of [0, '', false, null, object, object]) queue.add(item);
    expect(await takeAll(queue, 6)).toEqual([0, '', false, null, object, 'waits']);
  });

  test.each(scripts('script-01'))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    expect(await play(input.steps)).toEqual(expected);
  });
});

describe('Level 2 · In hand', () => {
  test('gives nobody what is in hand already', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    expect(await take(queue)).toBe('waits');
  });

  test('hands out again, once it is done, what was added while it was in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.done('a');
    expect(await take(queue)).toBe('a');
  });

  test('hands it out once more only, however often it was added', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    for (let i = 0; i < 3; i++) queue.add('a');
    queue.done('a');
    expect(await take(queue)).toBe('a');
    queue.done('a');
    expect(await take(queue)).toBe('waits');
  });

  test('does not hand out again what was not added again', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.done('a');
    expect(queue.len()).toBe(0);
    expect(await take(queue)).toBe('waits');
  });

  test('takes a done item like any other when it is added later', async () => {
    const queue = new Queue<string>();
    for (let i = 0; i < 3; i++) {
      queue.add('a');
      expect(await take(queue), `round ${i + 1}`).toBe('a');
      queue.done('a');
    }
  });

  test('puts it at the end of the line when it is done, not when it is added', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.add('b');
    queue.done('a');
    expect(await takeAll(queue, 2)).toEqual(['b', 'a']);
  });

  test('does not count what is in hand, even if it was added again', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    expect(queue.len()).toBe(0);
    queue.done('a');
    expect(queue.len()).toBe(1);
  });

  test('gives it to one who waits, as soon as it is done', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const other = begun(queue.get());
    queue.add('a');
    expect(await soFar(other)).toBe('waits');
    queue.done('a');
    expect(await soFar(other)).toBe('a');
  });

  test('keeps several in hand apart', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    await takeAll(queue, 2);
    for (const item of ['a', 'b']) queue.add(item);
    queue.done('b');
    expect(await takeAll(queue, 2)).toEqual(['b', 'waits']);
  });

  test('does not mind when something is given back that is not in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    queue.done('a');
    queue.done('b');
    expect(queue.len()).toBe(1);
    expect(await takeAll(queue, 2)).toEqual(['a', 'waits']);
  });

  test.each(scripts('script-02', 'script-03'))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      expect(await play(input.steps)).toEqual(expected);
    },
  );
});

describe('Level 3 · Shut down and drain', () => {
  test('adds nothing any more after it was shut down, and says that it was', async () => {
    const queue = new Queue<string>();
    expect(queue.shuttingDown()).toBe(false);
    queue.shutDown();
    expect(queue.shuttingDown()).toBe(true);
    queue.add('a');
    expect(queue.len()).toBe(0);
    expect(await take(queue)).toBeUndefined();
  });

  test('still hands out what stands in line, and then nothing, every time', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    queue.shutDown();
    expect(await takeAll(queue, 4)).toEqual(['a', 'b', undefined, undefined]);
  });

  test('lets everybody go who waits', async () => {
    const queue = new Queue<string>();
    const gets = [1, 2, 3].map(() => begun(queue.get()));
    queue.shutDown();
    expect(await Promise.all(gets.map((get) => soFar(get)))).toEqual([undefined, undefined, undefined]);
  });

  test('hands out once more what was added again before the shut down', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.shutDown();
    expect(await take(queue)).toBeUndefined();
    queue.done('a');
    expect(await takeAll(queue, 2)).toEqual(['a', undefined]);
  });

  test('does not add what is in hand again after the shut down', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.shutDown();
    queue.add('a');
    queue.done('a');
    expect(await take(queue)).toBeUndefined();
  });

  test('drains at once when nothing is in hand', async () => {
    const queue = new Queue<string>();
    expect(await soFar(queue.shutDownWithDrain())).toBeUndefined();
    expect(queue.shuttingDown()).toBe(true);
    expect(await take(queue)).toBeUndefined();
  });

  test('waits, to drain, until everything in hand is done', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    await takeAll(queue, 2);
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained)).toBe('waits');
    queue.done('a');
    expect(await soFar(drained)).toBe('waits');
    queue.done('b');
    expect(await soFar(drained)).toBeUndefined();
  });

  test('hands out while it drains what was added again before, and has drained when that is done', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained)).toBe('waits');
    queue.done('a');
    expect(await take(queue)).toBe('a');
    queue.done('a');
    expect(await soFar(drained)).toBeUndefined();
  });

  test('adds nothing while it drains, not even what is in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drained = begun(queue.shutDownWithDrain());
    for (const item of ['a', 'b']) queue.add(item);
    queue.done('a');
    expect(await soFar(drained)).toBeUndefined();
    expect(await take(queue)).toBeUndefined();
  });

  test('lets two drain at once', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drains = [1, 2].map(() => begun(queue.shutDownWithDrain()));
    queue.done('a');
    expect(await Promise.all(drains.map((drain) => soFar(drain)))).toEqual([undefined, undefined]);
  });

  test('drains after a shut down, too', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.shutDown();
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained)).toBe('waits');
    queue.done('a');
    expect(await soFar(drained)).toBeUndefined();
  });

  test('stops waiting for what is in hand when it is shut down after all', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drained = begun(queue.shutDownWithDrain());
    queue.shutDown();
    expect(await soFar(drained)).toBeUndefined();
  });

  test.each(scripts('script-05', 'script-06', 'script-09'))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      expect(await play(input.steps)).toEqual(expected);
    },
  );
});

describe('Level 4 · Later', () => {
  const delaying = (): { sim: Simulation; queue: DelayingQueue<string> } => {
    const sim = new Simulation();
    return { sim, queue: new DelayingQueue(new Queue<string>(), sim.clock) };
  };

  test('adds an item when its time has come, not a millisecond before', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    expect(queue.len()).toBe(0);
    await sim.run({ forMs: 49 });
    expect(queue.len()).toBe(0);
    await sim.run({ forMs: 1 });
    expect(queue.len()).toBe(1);
    expect(await take(queue)).toBe('a');
  });

  test('is never early by a fraction of a millisecond', async () => {
    for (const [delayMs, notBeforeMs] of [
      [0.5, 1],
      [10.5, 11],
    ] as const) {
      const { sim, queue } = delaying();
      queue.addAfter('a', delayMs);
      await sim.run({ forMs: notBeforeMs - 1 });
      expect(queue.len(), `${delayMs} ms, before they have passed`).toBe(0);
      await sim.run({ forMs: 1 });
      expect(queue.len(), `${delayMs} ms, when they have passed`).toBe(1);
    }
  });

  test('gives it to one who waits', async () => {
    const { sim, queue } = delaying();
    const got = begun(queue.get());
    queue.addAfter('a', 50);
    await sim.run({ forMs: 49 });
    expect(await soFar(got)).toBe('waits');
    await sim.run({ forMs: 1 });
    expect(await soFar(got)).toBe('a');
  });

  test('adds at once, and once, when there is nothing to wait for', async () => {
    for (const delayMs of [0, -1, Number.NEGATIVE_INFINITY]) {
      const { sim, queue } = delaying();
      queue.addAfter('a', delayMs);
      expect(queue.len(), `after ${delayMs} ms`).toBe(1);
      await sim.run({ forMs: 1_000 });
      expect(queue.len()).toBe(1);
    }
  });

  test('refuses a delay that is not a number, or never over, before and after a shut down', async () => {
    const { sim, queue } = delaying();
    for (const when of ['before', 'after']) {
      if (when === 'after') queue.shutDown();
      for (const delayMs of [Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => queue.addAfter('a', delayMs), `${delayMs} ms, ${when} the shut down`).toThrow(
          RangeError,
        );
      }
    }
    await sim.run({ forMs: 20_000 });
    expect([queue.len(), sim.pending]).toEqual([0, 0]);
  });

  test('hands out what is ready first first', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('slow', 1_000);
    queue.addAfter('quick', 250);
    queue.addAfter('middling', 500);
    await sim.run({ forMs: 2_000 });
    expect(await takeAll(queue, 3)).toEqual(['quick', 'middling', 'slow']);
  });

  test.each([
    [50, 30],
    [30, 50],
  ])('of %d and %d ms for one item, keeps the earlier time only', async (first, second) => {
    const { sim, queue } = delaying();
    queue.addAfter('a', first);
    queue.addAfter('a', second);
    await sim.run({ forMs: 29 });
    expect(queue.len()).toBe(0);
    await sim.run({ forMs: 1 });
    expect(await take(queue)).toBe('a');
    queue.done('a');
    await sim.run({ forMs: 1_000 });
    expect(queue.len()).toBe(0);
  });

  test('compares points in time, not delays', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    await sim.run({ forMs: 40 });
    queue.addAfter('a', 30);
    await sim.run({ forMs: 10 });
    expect(await take(queue)).toBe('a');
    queue.done('a');
    await sim.run({ forMs: 1_000 });
    expect(queue.len()).toBe(0);
  });

  test('waits anew for an item whose time has come once', async () => {
    const { sim, queue } = delaying();
    for (const delayMs of [50, 500]) {
      queue.addAfter('a', delayMs);
      await sim.run({ forMs: delayMs - 1 });
      expect(queue.len()).toBe(0);
      await sim.run({ forMs: 1 });
      expect(await take(queue)).toBe('a');
      queue.done('a');
    }
  });

  test('adds when it is time, even if the item was added and done meanwhile', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    queue.add('a');
    expect(await take(queue)).toBe('a');
    queue.done('a');
    await sim.run({ forMs: 49 });
    expect(queue.len()).toBe(0);
    await sim.run({ forMs: 1 });
    expect(await take(queue)).toBe('a');
  });

  test.each([0, -5])(
    'takes a delay of %d ms for an add: the time that it waits for stays',
    async (delayMs) => {
      const { sim, queue } = delaying();
      queue.addAfter('a', 50);
      queue.addAfter('a', delayMs);
      expect(await take(queue)).toBe('a');
      queue.done('a');
      await sim.run({ forMs: 49 });
      expect(queue.len()).toBe(0);
      await sim.run({ forMs: 1 });
      expect(await take(queue), 'who is taken at 50 ms').toBe('a');
    },
  );

  test('adds no second one to the line', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    queue.add('a');
    await sim.run({ forMs: 50 });
    expect(queue.len()).toBe(1);
    expect(await takeAll(queue, 2)).toEqual(['a', 'waits']);
  });

  test('does not hand out what is in hand when its time comes, but when it is done', async () => {
    const { sim, queue } = delaying();
    queue.add('a');
    await take(queue);
    queue.addAfter('a', 50);
    await sim.run({ forMs: 100 });
    expect(queue.len()).toBe(0);
    queue.done('a');
    expect(await take(queue)).toBe('a');
  });

  test('adds nothing later when it is shut down', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    queue.shutDown();
    queue.addAfter('b', 50);
    queue.addAfter('c', 0);
    await sim.run({ forMs: 1_000 });
    expect(queue.len()).toBe(0);
    expect(queue.shuttingDown()).toBe(true);
    expect(await take(queue)).toBeUndefined();
  });

  test('leaves nothing ticking when it is shut down, in either way', async () => {
    for (const end of ['shutDown', 'shutDownWithDrain'] as const) {
      const { sim, queue } = delaying();
      queue.addAfter('a', 1_000_000);
      queue.addAfter('b', 1_000_000);
      begun(Promise.resolve(queue[end]()));
      queue.addAfter('c', 1_000_000);
      await sim.run({ forMs: 20_000 });
      expect(sim.pending, `timers left after ${end}`).toBe(0);
    }
  });

  test('drains as the queue below does', async () => {
    const { queue } = delaying();
    queue.add('a');
    await take(queue);
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained)).toBe('waits');
    queue.done('a');
    expect(await soFar(drained)).toBeUndefined();
  });

  type DelayingStep = Partial<{
    readonly after: string;
    readonly ms: number;
    readonly len: 1;
    readonly advance: number;
    readonly get: 1;
    readonly done: string;
  }>;
  test.each(named(vectors<{ steps: DelayingStep[] }, { results: unknown[] }>('workqueue', 'delaying', 3)))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      const { sim, queue } = delaying();
      const results: unknown[] = [];
      for (const step of input.steps) {
        let result: unknown = null;
        if (step.after !== undefined) queue.addAfter(step.after, step.ms ?? 0);
        if (step.advance !== undefined) await sim.run({ forMs: step.advance });
        if (step.len) result = queue.len();
        if (step.get) result = await take(queue);
        if (step.done !== undefined) queue.done(step.done);
        results.push(result);
      }
      expect(results).toEqual(expected.results);
    },
  );
});

describe('Level 5 · How long to wait', () => {
  /** What the rate limiter says to each of these failures; a thousandth of a ms is nobody's business. */
  const delays = (limiter: RateLimiter<string>, items: readonly string[]): number[] =>
    items.map((item) => Math.round(limiter.when(item) * 1_000) / 1_000);
  const times = (count: number, item = 'a'): string[] => Array.from({ length: count }, () => item);

  test('doubles the wait of an item with each failure, up to a maximum', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    expect(delays(limiter, times(7))).toEqual([5, 10, 20, 40, 80, 100, 100]);
    expect(limiter.numRequeues('a')).toBe(7);
  });

  test('waits no longer than the maximum, not for the first failure and not after two thousand', () => {
    const small = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 50, maxDelayMs: 20 });
    expect(delays(small, times(3))).toEqual([20, 20, 20]);
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    delays(limiter, times(2_000));
    expect(delays(limiter, times(1))).toEqual([100]);
  });

  test('refuses waits that cannot be doubled', () => {
    for (const ms of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      for (const [baseDelayMs, maxDelayMs] of [
        [ms, 100],
        [5, ms],
      ] as const) {
        const make = () => new ItemExponentialFailureRateLimiter<string>({ baseDelayMs, maxDelayMs });
        expect(make, `${baseDelayMs} ms, up to ${maxDelayMs} ms`).toThrow(RangeError);
      }
    }
  });

  test('counts the failures of each item apart', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    expect(delays(limiter, ['a', 'a', 'b', 'a', 'b'])).toEqual([5, 10, 5, 20, 10]);
    expect([limiter.numRequeues('a'), limiter.numRequeues('b'), limiter.numRequeues('c')]).toEqual([3, 2, 0]);
  });

  test('begins anew with an item that was forgotten, and with no other', () => {
    const limiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 5, maxDelayMs: 100 });
    delays(limiter, ['a', 'a', 'b', 'b']);
    limiter.forget('a');
    limiter.forget('c');
    expect(limiter.numRequeues('a')).toBe(0);
    expect(delays(limiter, ['a', 'b'])).toEqual([5, 20]);
  });

  test('tries soon for so many times, then slowly', () => {
    const limiter = new ItemFastSlowRateLimiter<string>({
      fastDelayMs: 5,
      slowDelayMs: 3_000,
      maxFastAttempts: 3,
    });
    expect(delays(limiter, times(5))).toEqual([5, 5, 5, 3_000, 3_000]);
    expect(delays(limiter, ['b'])).toEqual([5]);
    expect(limiter.numRequeues('a')).toBe(5);
    limiter.forget('a');
    expect(limiter.numRequeues('a')).toBe(0);
    expect(delays(limiter, times(4))).toEqual([5, 5, 5, 3_000]);
  });

  test('lets as many go at once as the bucket holds, then one at a time', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 3 });
    expect(delays(limiter, ['a', 'b', 'c', 'd', 'a', 'e'])).toEqual([0, 0, 0, 100, 200, 300]);
  });

  test('fills the bucket as time passes, by fractions, too', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 10, burst: 3 });
    delays(limiter, times(5));
    await sim.run({ forMs: 150 });
    expect(delays(limiter, times(1))).toEqual([150]);
    await sim.run({ forMs: 250 });
    expect(delays(limiter, times(2))).toEqual([0, 100]);
  });

  test('never fills the bucket beyond what it holds', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 10, burst: 3 });
    delays(limiter, times(1));
    await sim.run({ forMs: 60_000 });
    expect(delays(limiter, times(5))).toEqual([0, 0, 0, 100, 200]);
  });

  test('drops less than one token a second where it is told to', async () => {
    const sim = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock: sim.clock, qps: 0.5, burst: 1 });
    expect(delays(limiter, times(3))).toEqual([0, 2_000, 4_000]);
    await sim.run({ forMs: 5_000 });
    expect(delays(limiter, times(1))).toEqual([1_000]);
  });

  test('gives no token back to what is forgotten, and counts for nobody', () => {
    const { clock } = new Simulation();
    const limiter = new BucketRateLimiter<string>({ clock, qps: 10, burst: 1 });
    delays(limiter, times(2));
    expect(limiter.numRequeues('a')).toBe(0);
    limiter.forget('a');
    expect(delays(limiter, times(1))).toEqual([200]);
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

  test('waits as long as the strictest of several says, and asks all of them', () => {
    const { clock } = new Simulation();
    const exponential = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 40, maxDelayMs: 1_000 });
    const bucket = new BucketRateLimiter<string>({ clock, qps: 10, burst: 1 });
    const limiter = new MaxOfRateLimiter<string>(exponential, bucket);
    expect(delays(limiter, ['a', 'a', 'a', 'b'])).toEqual([40, 100, 200, 300]);
    expect(limiter.numRequeues('a')).toBe(3);
    limiter.forget('a');
    expect([limiter.numRequeues('a'), exponential.numRequeues('a')]).toEqual([0, 0]);
    expect(delays(limiter, ['a'])).toEqual([400]);
    expect(new MaxOfRateLimiter<string>().when('a')).toBe(0);
    expect(new MaxOfRateLimiter<string>().numRequeues('a')).toBe(0);
  });

  test('by default lets an item wait 5 ms at first, doubling up to 1000 s', () => {
    const limiter = defaultControllerRateLimiter<string>(new Simulation().clock);
    const [first = 0, second = 0, ...rest] = delays(limiter, times(20));
    expect([first, second]).toEqual([5, 10]);
    expect(rest.slice(-3)).toEqual([655_360, 1_000_000, 1_000_000]);
    limiter.forget('a');
    expect(delays(limiter, times(2))).toEqual([5, 10]);
  });

  test('by default lets a hundred failures go at once, and then ten a second', async () => {
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

  test('adds what failed when the rate limiter says so, and counts', async () => {
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

  test('forgets failures, and neither gives the item back by that nor calls it off', async () => {
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

  test('makes a queue of all this, with the rate limits that controllers use', async () => {
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

describe('Level 6 · The workers', () => {
  /** A queue that lets a failing item wait 10 ms at first, and workers for it, with a diary of what they do. */
  function crew(options: Partial<WorkersOptions<string>> = {}) {
    const sim = new Simulation();
    const controller = new AbortController();
    const rateLimiter = new ItemExponentialFailureRateLimiter<string>({ baseDelayMs: 10, maxDelayMs: 1_000 });
    const queue = newWorkQueue<string>({ clock: sim.clock, rateLimiter });
    const diary: string[] = [];
    const { sync = async () => {}, ...rest } = options;
    const all: WorkersOptions<string> = {
      queue,
      workers: 1,
      signal: controller.signal,
      ...rest,
      sync: (item) => {
        diary.push(`${sim.elapsedMs} ${item}`);
        return sync(item);
      },
    };
    return {
      sim,
      queue,
      diary,
      abort: () => controller.abort(),
      next: () => soFar(begun(processNextWorkItem(all)), sim),
      start: () => begun(runWorkers(all)),
    };
  }

  const broken = new Error('broken');
  /** What a failing sync can do: the first is what an async function does that throws. */
  const failures: readonly (readonly [string, () => Promise<void>])[] = [
    ['rejects', () => Promise.reject(broken)],
    [
      'throws before it has a promise to give',
      () => {
        throw broken;
      },
    ],
    ['rejects with nothing', () => Promise.reject()],
  ];

  test('sees to one item, and gives it back', async () => {
    const { queue, diary, next } = crew();
    queue.add('a');
    expect(await next()).toBe(true);
    expect(diary).toEqual(['0 a']);
    queue.add('a');
    expect(queue.len()).toBe(1);
  });

  test('waits for an item, and for sync', async () => {
    const { sim, queue, diary, next } = crew({ sync: () => sim.clock.sleep(50) });
    const worked = begun(next());
    expect(await worked).toBe('waits');
    queue.add('a');
    await sim.run({ forMs: 49 });
    queue.add('a');
    expect(queue.len()).toBe(0);
    await sim.run({ forMs: 1 });
    expect(queue.len()).toBe(1);
    expect(diary).toEqual(['0 a']);
  });

  test('says when there is nothing to see to any more', async () => {
    const { queue, diary, next } = crew();
    queue.add('a');
    queue.shutDown();
    expect([await next(), await next()]).toEqual([true, false]);
    expect(diary).toEqual(['0 a']);
  });

  test.each(failures)('tries again, later each time, what fails: sync %s', async (_, fail) => {
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

  test('forgets the failures of what succeeds', async () => {
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

  test('tells of every failure once, with what was thrown and the item', async () => {
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

  test('tries again and gives back what failed, even if the one who is told of it throws', async () => {
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

  test('does not wait for what the one who is told of it returns', async () => {
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

  test('drops it when the one who is told of it fails later', async () => {
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
    expect(left, 'rejections of onError that nobody caught, which would end the process').toEqual([]);
  });

  test('never gives up where it is not told when', async () => {
    const { sim, queue, diary, start } = crew({ sync: () => Promise.reject(broken) });
    start();
    queue.add('a');
    // Doubling from 5 ms, that is time for eighteen tries.
    await sim.run({ forMs: 1_000_000 });
    expect(diary.length).toBeGreaterThan(16);
  });

  test('gives up what fails after so many retries, and forgets it', async () => {
    for (const maxRetries of [0, 1, 3]) {
      const told: unknown[] = [];
      const { sim, queue, diary, start } = crew({
        maxRetries,
        sync: () => Promise.reject(broken),
        onError: (error) => told.push(error),
      });
      start();
      queue.add('a');
      await sim.run({ forMs: 10_000 });
      expect(diary, `attempts with ${maxRetries} retries`).toHaveLength(1 + maxRetries);
      expect(told).toHaveLength(1 + maxRetries);
      expect(queue.numRequeues('a')).toBe(0);
    }
  });

  test('tries what was given up as often again when it is added anew', async () => {
    const { sim, queue, diary, start } = crew({ maxRetries: 1, sync: () => Promise.reject(broken) });
    start();
    queue.add('a');
    await sim.run({ forMs: 1_000 });
    queue.add('a');
    await sim.run({ forMs: 1_000 });
    expect(diary).toEqual(['0 a', '10 a', '1000 a', '1010 a']);
  });

  test('has so many items in hand at once, and no more', async () => {
    const { sim, queue, diary, start } = crew({ workers: 2, sync: () => sim.clock.sleep(50) });
    start();
    for (const item of ['a', 'b', 'c', 'd', 'e']) queue.add(item);
    await sim.run({ forMs: 1_000 });
    expect(diary.toSorted()).toEqual(['0 a', '0 b', '100 e', '50 c', '50 d']);
  });

  test('sees to the others while one fails again and again', async () => {
    const { sim, queue, diary, start } = crew({
      sync: (item) => (item === 'bad' ? Promise.reject(broken) : sim.clock.sleep(5)),
    });
    start();
    for (const item of ['bad', 'b', 'c', 'd']) queue.add(item);
    await sim.run({ forMs: 20 });
    expect(diary).toEqual(['0 bad', '0 b', '5 c', '10 d', '15 bad']);
  });

  test('keeps every worker, whatever sync does', async () => {
    for (const [how, fail] of failures) {
      let failing = true;
      const { sim, queue, diary, start } = crew({
        workers: 2,
        sync: () => (failing ? fail() : sim.clock.sleep(50)),
      });
      start();
      for (const item of ['a', 'b', 'c']) queue.add(item);
      await sim.run({ forMs: 5 });
      failing = false;
      diary.length = 0;
      await sim.run({ forMs: 10 });
      expect(diary, `who works after sync ${how}`).toHaveLength(2);
    }
  });

  test('takes no item for the end, be it 0, empty or null', async () => {
    const sim = new Simulation();
    const queue = newWorkQueue<number | string | null>({ clock: sim.clock });
    const seen: unknown[] = [];
    const { signal } = new AbortController();
    begun(
      runWorkers({
        queue,
        workers: 1,
        signal,
        sync: async (item) => {
          seen.push(item);
        },
      }),
    );
    for (const item of [0, '', null, 'a']) queue.add(item);
    await sim.run({ forMs: 0 });
    expect(seen).toEqual([0, '', null, 'a']);
  });

  test('begins nothing after the abort, and returns when what was under way has settled', async () => {
    const { sim, queue, diary, start, abort } = crew({ workers: 2, sync: () => sim.clock.sleep(50) });
    const ended = start();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    await sim.run({ forMs: 20 });
    abort();
    expect(queue.shuttingDown()).toBe(true);
    await sim.run({ forMs: 29 });
    expect(await soFar(ended, sim)).toBe('waits');
    await sim.run({ forMs: 1 });
    expect(await soFar(ended, sim)).toBeUndefined();
    expect(diary.toSorted()).toEqual(['0 a', '0 b']);
  });

  test('begins nothing that was handed out in the instant of the abort', async () => {
    const { sim, queue, diary, start, abort } = crew();
    const ended = start();
    await sim.run({ forMs: 1 });
    queue.add('a');
    abort();
    expect(await soFar(ended, sim)).toBeUndefined();
    expect(diary).toEqual([]);
  });

  test('returns even when what was under way fails after the abort', async () => {
    const { sim, queue, start, abort } = crew({
      sync: async () => {
        await sim.clock.sleep(50);
        throw broken;
      },
    });
    const ended = start();
    queue.add('a');
    await sim.run({ forMs: 20 });
    abort();
    await sim.run({ forMs: 30 });
    expect(await soFar(ended, sim)).toBeUndefined();
  });

  test('forgets the failures of what succeeds after the abort, and not of what fails then', async () => {
    for (const lastly of ['succeeds', 'fails'] as const) {
      let attempts = 0;
      const { sim, queue, start, abort } = crew({
        sync: async () => {
          if (++attempts <= 2) throw broken;
          await sim.clock.sleep(50);
          if (lastly === 'fails') throw broken;
        },
      });
      const ended = start();
      queue.add('a');
      // It fails at 0 and at 10 ms, and the third time it is under way from 30 to 80 ms.
      await sim.run({ forMs: 40 });
      expect([attempts, queue.numRequeues('a')]).toEqual([3, 2]);
      abort();
      await sim.run({ forMs: 40 });
      expect(await soFar(ended, sim)).toBeUndefined();
      // A queue that is shut down need not count the third failure.
      const counts = queue.numRequeues('a');
      if (lastly === 'succeeds') expect(counts, 'failures of what succeeds in the end').toBe(0);
      else expect([2, 3], 'failures of what fails in the end').toContain(counts);
    }
  });

  test('returns at once when it was aborted before it began', async () => {
    const { sim, queue, diary, start, abort } = crew();
    queue.add('a');
    abort();
    expect(await soFar(start(), sim)).toBeUndefined();
    expect(queue.shuttingDown()).toBe(true);
    expect(diary).toEqual([]);
  });

  test('works off what stands in line, and returns, when somebody else shuts the queue down', async () => {
    const { sim, queue, diary, start } = crew();
    const ended = start();
    for (const item of ['a', 'b']) queue.add(item);
    queue.shutDown();
    expect(await soFar(ended, sim)).toBeUndefined();
    expect(diary).toEqual(['0 a', '0 b']);
  });

  test('refuses a number of workers that is none', async () => {
    for (const workers of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(crew({ workers }).start(), `${workers} workers`).rejects.toThrow(RangeError);
    }
  });
});
