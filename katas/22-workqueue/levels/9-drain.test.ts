import { describe, expect, test } from 'vitest';
import { Simulation, soFar } from '#harness/testing';
import { DelayingQueue, Queue } from '#kata/22-workqueue/workqueue';
import { crew } from './crew.fixture.ts';
import { begun, inSteps, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 9 ★ · Drain', () => {
  test('drains at once when no item is in hand', async () => {
    const queue = new Queue<string>();
    expect(
      await soFar(queue.shutDownWithDrain()),
      'no item is in hand, so the drain must resolve',
    ).toBeUndefined();
    expect(queue.shuttingDown(), 'shuttingDown() after a drain').toBe(true);
    expect(await take(queue), 'the queue is shut down and empty').toBeUndefined();
  });

  test('waits for done of every item in hand', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    await takeAll(queue, 2);
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained), 'a and b are in hand').toBe('waits');
    queue.done('a');
    expect(await soFar(drained), 'b is still in hand').toBe('waits');
    queue.done('b');
    expect(await soFar(drained), 'no item is in hand, so the drain must resolve').toBeUndefined();
  });

  test('hands out items that were added again before the drain, and waits for their done', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained), 'a is in hand').toBe('waits');
    queue.done('a');
    expect(await take(queue), 'a was added again before the drain').toBe('a');
    queue.done('a');
    expect(await soFar(drained), 'a is done and was not added since').toBeUndefined();
  });

  test('adds no item during a drain, not even one in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drained = begun(queue.shutDownWithDrain());
    for (const item of ['a', 'b']) queue.add(item);
    queue.done('a');
    expect(await soFar(drained), 'a is done, and must not be added again during the drain').toBeUndefined();
    expect(await take(queue), 'the line must be empty').toBeUndefined();
  });

  test('ends every waiting get, and keeps the items in line', async () => {
    const idle = new Queue<string>();
    const gets = [1, 2, 3].map(() => begun(idle.get()));
    begun(idle.shutDownWithDrain());
    expect(
      await Promise.all(gets.map((get) => soFar(get))),
      'three gets wait on an empty line: the drain must end them',
    ).toEqual([undefined, undefined, undefined]);
    const busy = new Queue<string>();
    for (const item of ['a', 'b', 'c']) busy.add(item);
    await take(busy);
    begun(busy.shutDownWithDrain());
    expect(busy.len(), 'b and c are in line at the drain, a is in hand').toBe(2);
    expect(await takeAll(busy, 3), 'three gets during the drain').toEqual(['b', 'c', undefined]);
  });

  test('lets several drains wait together, and ends all of them at a shutdown', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drains = [1, 2, 3].map(() => begun(queue.shutDownWithDrain()));
    const so = (): Promise<unknown[]> => Promise.all(drains.map((drain) => soFar(drain)));
    expect(await so(), 'a is in hand: no drain may resolve').toEqual(['waits', 'waits', 'waits']);
    queue.shutDown();
    expect(await so(), 'shutDown must end every drain').toEqual([undefined, undefined, undefined]);
  });

  test('ignores done of an item that is not in hand during a drain', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drained = begun(queue.shutDownWithDrain());
    queue.done('b');
    queue.done('b');
    expect(await soFar(drained), 'b was never in hand; a still is').toBe('waits');
    queue.done('a');
    expect(await soFar(drained), 'a is done').toBeUndefined();
  });

  test('supports two drains at once', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drains = [1, 2].map(() => begun(queue.shutDownWithDrain()));
    queue.done('a');
    expect(
      await Promise.all(drains.map((drain) => soFar(drain))),
      'a is done, so both drains must resolve',
    ).toEqual([undefined, undefined]);
  });

  test('drains after a shutdown, too', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.shutDown();
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained), 'a is in hand').toBe('waits');
    queue.done('a');
    expect(await soFar(drained), 'a is done').toBeUndefined();
  });

  test('stops waiting at a shutdown after the drain', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const drained = begun(queue.shutDownWithDrain());
    queue.shutDown();
    expect(await soFar(drained), 'shutDown must end the drain, although a is in hand').toBeUndefined();
  });

  test('drains a delaying queue like the queue below it, and leaves no timer on the clock', async () => {
    const sim = new Simulation();
    const queue = new DelayingQueue(new Queue<string>(), sim.clock);
    queue.add('a');
    await take(queue);
    queue.addAfter('b', 1_000_000);
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained), 'a is in hand').toBe('waits');
    await sim.run({ forMs: 20_000 });
    const left = { line: queue.len(), timers: sim.pending };
    expect(
      left,
      'while the drain waits for a: b, which addAfter delayed for 1000 s before the drain, is dropped, and its timer is cancelled',
    ).toEqual({ line: 0, timers: 0 });
    expect(await soFar(drained), 'a is still in hand').toBe('waits');
    queue.done('a');
    expect(await soFar(drained), 'a is done').toBeUndefined();
  });

  test('drains a delaying queue after a shutdown', async () => {
    const queue = new DelayingQueue(new Queue<string>(), new Simulation().clock);
    queue.add('a');
    await take(queue);
    queue.shutDown();
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained), 'a is in hand').toBe('waits');
    queue.done('a');
    expect(await soFar(drained), 'a is done').toBeUndefined();
  });

  test('stops waiting at an abort of runWorkers', async () => {
    const { sim, queue, start, abort } = crew({ sync: () => sim.clock.sleep(50) });
    start();
    queue.add('a');
    await sim.run({ forMs: 10 });
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained, sim), 'sync(a) is running').toBe('waits');
    abort();
    expect(
      await soFar(drained, sim),
      'the abort must call shutDown, which ends the drain, although sync(a) is running',
    ).toBeUndefined();
  });

  test.each(scripts('script-05'))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    expect(await play(input.steps), inSteps(input.steps)).toEqual(expected);
  });
});
