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

  test('hands out an item again after done if it was added while it was in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.done('a');
    expect(await take(queue)).toBe('a');
  });

  test('hands it out again only once, however often it was added', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    for (let i = 0; i < 3; i++) queue.add('a');
    queue.done('a');
    expect(await take(queue)).toBe('a');
    queue.done('a');
    expect(await take(queue)).toBe('waits');
  });

  test('does not hand out an item again that was not added again', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.done('a');
    expect(queue.len()).toBe(0);
    expect(await take(queue)).toBe('waits');
  });

  test('treats a done item like any other when it is added later', async () => {
    const queue = new Queue<string>();
    for (let i = 0; i < 3; i++) {
      queue.add('a');
      expect(await take(queue), `round ${i + 1}`).toBe('a');
      queue.done('a');
    }
  });

  test('puts the item at the end of the line at done, not at the second add', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.add('b');
    queue.done('a');
    expect(await takeAll(queue, 2)).toEqual(['b', 'a']);
  });

  test('does not count an item in hand, even if it was added again', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    expect(queue.len()).toBe(0);
    queue.done('a');
    expect(queue.len()).toBe(1);
  });

  test('gives the item to a waiting get right at done', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const other = begun(queue.get());
    queue.add('a');
    expect(await soFar(other)).toBe('waits');
    queue.done('a');
    expect(await soFar(other)).toBe('a');
  });

  test('treats an item of a get that had waited as in hand', async () => {
    const queue = new Queue<string>();
    const first = begun(queue.get());
    queue.add('a');
    expect(await soFar(first)).toBe('a');
    queue.add('a');
    expect(queue.len()).toBe(0);
    expect(await take(queue)).toBe('waits');
  });

  test('distinguishes several items in hand', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    await takeAll(queue, 2);
    for (const item of ['a', 'b']) queue.add(item);
    queue.done('b');
    expect(await takeAll(queue, 2)).toEqual(['b', 'waits']);
  });

  test('remembers every item in hand that was added again', async () => {
    const queue = new Queue<string>();
    const items = Array.from({ length: 10 }, (_, i) => `item-${i}`);
    for (const item of items) queue.add(item);
    await takeAll(queue, items.length);
    for (const item of items) queue.add(item);
    for (const item of items) queue.done(item);
    expect(await takeAll(queue, items.length)).toEqual(items);
  });

  test('ignores done of an item that is not in hand', async () => {
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
