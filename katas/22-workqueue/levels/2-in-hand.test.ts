import { describe, expect, test } from 'vitest';
import { soFar } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';
import { begun, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 2 · In hand', () => {
  test('hands out no item that is in hand', async () => {
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

  test('gives it to a get that waits, as soon as it is done', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const other = begun(queue.get());
    queue.add('a');
    expect(await soFar(other)).toBe('waits');
    queue.done('a');
    expect(await soFar(other)).toBe('a');
  });

  test('holds an item for the get that waited for it like any other', async () => {
    const queue = new Queue<string>();
    const first = begun(queue.get());
    queue.add('a');
    expect(await soFar(first)).toBe('a');
    queue.add('a');
    expect(queue.len()).toBe(0);
    expect(await take(queue)).toBe('waits');
  });

  test('keeps several in hand apart', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    await takeAll(queue, 2);
    for (const item of ['a', 'b']) queue.add(item);
    queue.done('b');
    expect(await takeAll(queue, 2)).toEqual(['b', 'waits']);
  });

  test('remembers of as many as are in hand that they were added again', async () => {
    const queue = new Queue<string>();
    const items = Array.from({ length: 10 }, (_, i) => `item-${i}`);
    for (const item of items) queue.add(item);
    await takeAll(queue, items.length);
    for (const item of items) queue.add(item);
    for (const item of items) queue.done(item);
    expect(await takeAll(queue, items.length)).toEqual(items);
  });

  test('ignores an item that is given back and is not in hand', async () => {
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
