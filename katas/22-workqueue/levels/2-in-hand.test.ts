import { describe, expect, test } from 'vitest';
import { soFar } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';
import { begun, inSteps, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 2 · In hand', () => {
  test('hands out no item that is in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    expect(await take(queue), 'a is in hand, so a second get must wait').toBe('waits');
  });

  test('hands out an item again after done if it was added while it was in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    queue.done('a');
    expect(await take(queue), 'a was added while it was in hand, so get must return it after done').toBe('a');
  });

  test('hands it out again only once, however often it was added', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    for (let i = 0; i < 3; i++) queue.add('a');
    queue.done('a');
    expect(await take(queue), 'the first get after done').toBe('a');
    queue.done('a');
    expect(await take(queue), 'a was handed out again once, and was not added since').toBe('waits');
  });

  test('does not hand out an item again that was not added again', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.done('a');
    expect(queue.len(), 'done must not add an item').toBe(0);
    expect(await take(queue), 'a was not added again, so get must wait').toBe('waits');
  });

  test('treats a done item like any other when it is added later', async () => {
    const queue = new Queue<string>();
    for (let i = 0; i < 3; i++) {
      queue.add('a');
      expect(await take(queue), `a is added for the ${i + 1}. time, after its done: get must return it`).toBe(
        'a',
      );
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
    expect(await takeAll(queue, 2), 'b was added before done of a, so b is first').toEqual(['b', 'a']);
  });

  test('does not count an item in hand, even if it was added again', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    queue.add('a');
    expect(queue.len(), 'a is in hand: len must not count it').toBe(0);
    queue.done('a');
    expect(queue.len(), 'after done, a is in line').toBe(1);
  });

  test('gives the item to a waiting get right at done', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    await take(queue);
    const other = begun(queue.get());
    queue.add('a');
    expect(await soFar(other), 'a is in hand, so the other get must wait').toBe('waits');
    queue.done('a');
    expect(await soFar(other), 'a was added again, so done must wake the waiting get').toBe('a');
  });

  test('treats an item of a get that had waited as in hand', async () => {
    const queue = new Queue<string>();
    const first = begun(queue.get());
    queue.add('a');
    expect(await soFar(first), 'the add must wake the waiting get').toBe('a');
    queue.add('a');
    expect(queue.len(), 'a is in hand: len must not count it').toBe(0);
    expect(await take(queue), 'a is in hand, so a second get must wait').toBe('waits');
  });

  test('distinguishes several items in hand', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b']) queue.add(item);
    await takeAll(queue, 2);
    for (const item of ['a', 'b']) queue.add(item);
    queue.done('b');
    expect(await takeAll(queue, 2), 'b is done and was added again; a is still in hand').toEqual([
      'b',
      'waits',
    ]);
  });

  test('remembers every item in hand that was added again', async () => {
    const queue = new Queue<string>();
    const items = Array.from({ length: 10 }, (_, i) => `item-${i}`);
    for (const item of items) queue.add(item);
    await takeAll(queue, items.length);
    for (const item of items) queue.add(item);
    for (const item of items) queue.done(item);
    expect(
      await takeAll(queue, items.length),
      'all items were added again, so all must be handed out again',
    ).toEqual(items);
  });

  test('ignores done of an item that is not in hand', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    queue.done('a');
    queue.done('b');
    expect(queue.len(), 'neither a nor b was in hand, so done must have no effect').toBe(1);
    expect(await takeAll(queue, 2), 'a is in line once: the second get must wait').toEqual(['a', 'waits']);
  });

  test.each(scripts('script-02', 'script-03'))(
    'agrees with client-go: %s',
    async (_, { input, expect: expected }) => {
      expect(await play(input.steps), inSteps(input.steps)).toEqual(expected);
    },
  );
});
