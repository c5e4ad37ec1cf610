import { describe, expect, test } from 'vitest';
import { Simulation, soFar } from '#harness/testing';
import { DelayingQueue, Queue } from '#kata/22-workqueue/workqueue';
import { begun, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 9 ★ · Drain', () => {
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

  test('drains a delaying queue as the queue below, and leaves no timer on the clock', async () => {
    const sim = new Simulation();
    const queue = new DelayingQueue(new Queue<string>(), sim.clock);
    queue.add('a');
    await take(queue);
    queue.addAfter('b', 1_000_000);
    const drained = begun(queue.shutDownWithDrain());
    expect(await soFar(drained)).toBe('waits');
    queue.done('a');
    expect(await soFar(drained)).toBeUndefined();
    await sim.run({ forMs: 20_000 });
    expect([queue.len(), sim.pending]).toEqual([0, 0]);
  });

  test.each(scripts('script-05'))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    expect(await play(input.steps)).toEqual(expected);
  });
});
