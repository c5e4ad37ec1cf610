import { describe, expect, test } from 'vitest';
import { soFar } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';
import { begun, inSteps, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 3 · Shut down', () => {
  test('adds nothing after a shutdown', async () => {
    const queue = new Queue<string>();
    queue.shutDown();
    queue.add('a');
    expect(queue.len(), 'a was added after the shutdown, so the line must stay empty').toBe(0);
    expect(await take(queue), 'the queue is shut down and empty: get must return undefined').toBeUndefined();
  });

  test('reports whether it is shut down', () => {
    const queue = new Queue<string>();
    expect(queue.shuttingDown(), 'shuttingDown() of a new queue').toBe(false);
    queue.shutDown();
    expect(queue.shuttingDown(), 'shuttingDown() after shutDown()').toBe(true);
  });

  test('still hands out the items in line, and then undefined each time', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    queue.shutDown();
    expect(queue.len(), 'a and b were added before the shutdown').toBe(2);
    expect(await takeAll(queue, 4), 'the results of four gets').toEqual(['a', 'b', undefined, undefined]);
  });

  test('does not change at a second shutdown', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    for (const item of ['a', 'b']) queue.add(item);
    queue.shutDown();
    queue.shutDown();
    expect(queue.len(), 'b is in line; a is in hand').toBe(1);
    queue.done('a');
    expect(
      await takeAll(queue, 3),
      'a was added again before the shutdown, so it must be handed out again after done',
    ).toEqual(['b', 'a', undefined]);
  });

  test('ends every waiting get', async () => {
    const queue = new Queue<string>();
    const gets = Array.from({ length: 10 }, () => begun(queue.get()));
    queue.shutDown();
    expect(
      await Promise.all(gets.map((get) => soFar(get))),
      'shutDown must end all waiting gets with undefined',
    ).toEqual(gets.map(() => undefined));
  });

  test('keeps an item that was added again for a later get, after a get ended at the shutdown', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    const got = begun(queue.get());
    queue.shutDown();
    expect(await soFar(got), 'shutDown must end the waiting get').toBeUndefined();
    queue.done('a');
    expect(
      await takeAll(queue, 2),
      'a was added again before the shutdown, so the next get must return it; shutDown must also remove the ended get from the waiting gets',
    ).toEqual(['a', undefined]);
  });

  test('hands out an item again that was added again before the shutdown', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.shutDown();
    expect(await take(queue), 'the line is empty; a is still in hand').toBeUndefined();
    queue.done('a');
    expect(
      await takeAll(queue, 2),
      'a was added again before the shutdown, so it must be handed out again after done',
    ).toEqual(['a', undefined]);
  });

  test('does not add an item in hand again after the shutdown', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.shutDown();
    queue.add('a');
    queue.done('a');
    expect(await take(queue), 'a was added again only after the shutdown').toBeUndefined();
  });

  test.each(scripts('script-06', 'script-09'))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      expect(await play(input.steps), inSteps(input.steps)).toEqual(expected);
    },
  );
});
