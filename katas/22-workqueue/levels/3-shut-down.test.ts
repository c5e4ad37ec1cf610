import { describe, expect, test } from 'vitest';
import { soFar } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';
import { begun, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 3 · Shut down', () => {
  test('adds nothing after it was shut down, and says that it was', async () => {
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
    expect(queue.len()).toBe(2);
    expect(await takeAll(queue, 4)).toEqual(['a', 'b', undefined, undefined]);
  });

  test('changes nothing when it is shut down twice', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    for (const item of ['a', 'b']) queue.add(item);
    queue.shutDown();
    queue.shutDown();
    expect(queue.len(), 'b stands in line; a is in hand').toBe(1);
    queue.done('a');
    expect(
      await takeAll(queue, 3),
      'a was added again before the shutdown, so it must be handed out again after done',
    ).toEqual(['b', 'a', undefined]);
  });

  test('ends every get that waits', async () => {
    const queue = new Queue<string>();
    const gets = Array.from({ length: 10 }, () => begun(queue.get()));
    queue.shutDown();
    expect(
      await Promise.all(gets.map((get) => soFar(get))),
      'shutDown must end all gets that wait, with undefined',
    ).toEqual(gets.map(() => undefined));
  });

  test('keeps for a later get what was added again, when a get has ended at the shut down', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    const got = begun(queue.get());
    queue.shutDown();
    expect(await soFar(got), 'shutDown ends the get that waits').toBeUndefined();
    queue.done('a');
    expect(
      await takeAll(queue, 2),
      'a was added again before the shutdown, so the next get must return it; shutDown must also remove the ended get from the waiting gets',
    ).toEqual(['a', undefined]);
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

  test.each(scripts('script-06', 'script-09'))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      expect(await play(input.steps)).toEqual(expected);
    },
  );
});
