import { describe, expect, test } from 'vitest';
import { Simulation, soFar, vectors } from '#harness/testing';
import { DelayingQueue, Queue } from '#kata/22-workqueue/workqueue';
import { begun, inSteps, named, take, takeAll } from './queue.fixture.ts';

describe('Level 4 · Later', () => {
  const delaying = (): { sim: Simulation; queue: DelayingQueue<string> } => {
    const sim = new Simulation();
    return { sim, queue: new DelayingQueue(new Queue<string>(), sim.clock) };
  };

  test('adds an item when its delay has passed, not a millisecond before', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    expect(queue.len(), 'right after addAfter').toBe(0);
    await sim.run({ forMs: 49 });
    expect(queue.len(), 'after 49 of 50 ms').toBe(0);
    await sim.run({ forMs: 1 });
    expect(queue.len(), 'after 50 ms').toBe(1);
    expect(await take(queue), 'the item in line after 50 ms').toBe('a');
  });

  test('is not early by a fraction of a millisecond', async () => {
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

  test('gives the item to a waiting get', async () => {
    const { sim, queue } = delaying();
    const got = begun(queue.get());
    queue.addAfter('a', 50);
    await sim.run({ forMs: 49 });
    expect(await soFar(got), 'after 49 of 50 ms').toBe('waits');
    await sim.run({ forMs: 1 });
    expect(await soFar(got), 'the waiting get after 50 ms').toBe('a');
  });

  test('adds an item at once, and once, when the delay is 0 or less', async () => {
    for (const delayMs of [0, -1]) {
      const { sim, queue } = delaying();
      queue.addAfter('a', delayMs);
      expect(queue.len(), `after ${delayMs} ms`).toBe(1);
      await sim.run({ forMs: 1_000 });
      expect(queue.len(), '1 s later: no second add').toBe(1);
    }
  });

  test('hands items out in the order of the ends of their delays', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('slow', 1_000);
    queue.addAfter('quick', 250);
    queue.addAfter('middling', 500);
    await sim.run({ forMs: 2_000 });
    expect(
      await takeAll(queue, 3),
      'the delays are 1000 ms (slow), 250 ms (quick) and 500 ms (middling)',
    ).toEqual(['quick', 'middling', 'slow']);
  });

  test.each([
    [50, 30],
    [30, 50],
  ])('keeps only the earlier time for delays of %d and %d ms of one item', async (first, second) => {
    const { sim, queue } = delaying();
    queue.addAfter('a', first);
    queue.addAfter('a', second);
    await sim.run({ forMs: 29 });
    expect(queue.len(), 'after 29 ms').toBe(0);
    await sim.run({ forMs: 1 });
    expect(await take(queue), 'after 30 ms, the shorter delay').toBe('a');
    queue.done('a');
    await sim.run({ forMs: 1_000 });
    expect(queue.len(), 'the longer delay must be dropped').toBe(0);
  });

  test('compares delays that end within one millisecond by their fractions', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 10.9);
    queue.addAfter('a', 10);
    await sim.run({ forMs: 9 });
    expect(queue.len(), 'after 9 ms').toBe(0);
    await sim.run({ forMs: 1 });
    expect(await take(queue), 'after 10 ms: of 10.9 ms and 10 ms, 10 ms is the earlier time').toBe('a');
  });

  test('compares points in time, not delays', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    await sim.run({ forMs: 40 });
    queue.addAfter('a', 30);
    await sim.run({ forMs: 10 });
    expect(await take(queue), 'at 50 ms: the second addAfter, at 40 ms, would end at 70 ms').toBe('a');
    queue.done('a');
    await sim.run({ forMs: 1_000 });
    expect(queue.len(), 'a must not be added again at 70 ms').toBe(0);
  });

  test('lets an item wait again after its first delay has passed', async () => {
    const { sim, queue } = delaying();
    for (const delayMs of [50, 500]) {
      queue.addAfter('a', delayMs);
      await sim.run({ forMs: delayMs - 1 });
      expect(queue.len(), '1 ms before the end of the delay').toBe(0);
      await sim.run({ forMs: 1 });
      expect(await take(queue), 'at the end of the delay').toBe('a');
      queue.done('a');
    }
  });

  test('adds the item at its time, even if it was added and done meanwhile', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    queue.add('a');
    expect(await take(queue), 'the item of add').toBe('a');
    queue.done('a');
    await sim.run({ forMs: 49 });
    expect(queue.len(), 'after 49 of 50 ms').toBe(0);
    await sim.run({ forMs: 1 });
    expect(await take(queue), 'add and done must not cancel the delay of 50 ms').toBe('a');
  });

  test.each([0, -5])(
    'treats a delay of %d ms as an add, and keeps the time that the item waits for',
    async (delayMs) => {
      const { sim, queue } = delaying();
      queue.addAfter('a', 50);
      queue.addAfter('a', delayMs);
      expect(await take(queue), 'a delay of 0 or less is an add').toBe('a');
      queue.done('a');
      await sim.run({ forMs: 49 });
      expect(queue.len(), 'after 49 of 50 ms').toBe(0);
      await sim.run({ forMs: 1 });
      expect(await take(queue), 'the item at 50 ms').toBe('a');
    },
  );

  test('distinguishes waiting items that print alike', async () => {
    const sim = new Simulation();
    const queue = new DelayingQueue(new Queue<unknown>(), sim.clock);
    queue.addAfter(1, 50);
    queue.addAfter('1', 30);
    await sim.run({ forMs: 50 });
    expect(await takeAll(queue, 3), "1 and '1' are two items").toEqual(['1', 1, 'waits']);
  });

  test('does not add an item twice that waits in line when its delay ends', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    queue.add('a');
    await sim.run({ forMs: 50 });
    expect(queue.len(), 'a is already in line when its delay ends').toBe(1);
    expect(await takeAll(queue, 2), 'a is in line once: the second get must wait').toEqual(['a', 'waits']);
  });

  test('hands out an item in hand only after done if its delay ends meanwhile', async () => {
    const { sim, queue } = delaying();
    queue.add('a');
    await take(queue);
    queue.addAfter('a', 50);
    await sim.run({ forMs: 100 });
    expect(queue.len(), 'the delay of a has ended, but a is in hand').toBe(0);
    queue.done('a');
    expect(await take(queue), 'after done, a is in line').toBe('a');
  });

  test('adds no delayed item after a shutdown', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 50);
    queue.shutDown();
    queue.addAfter('b', 50);
    queue.addAfter('c', 0);
    await sim.run({ forMs: 1_000 });
    expect(queue.len(), 'the line long after the shutdown: no delayed item may be added').toBe(0);
    expect(queue.shuttingDown(), 'shuttingDown() after shutDown()').toBe(true);
    expect(await take(queue), 'the queue is shut down and empty').toBeUndefined();
  });

  test('leaves no timer on the clock after a shutdown', async () => {
    const { sim, queue } = delaying();
    queue.addAfter('a', 1_000_000);
    queue.addAfter('b', 1_000_000);
    queue.shutDown();
    queue.addAfter('c', 1_000_000);
    await sim.run({ forMs: 20_000 });
    expect(sim.pending, 'timers left').toBe(0);
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
      expect(results, inSteps(input.steps)).toEqual(expected.results);
    },
  );
});
