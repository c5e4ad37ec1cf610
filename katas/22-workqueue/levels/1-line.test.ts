import { describe, expect, test } from 'vitest';
import { soFar } from '#harness/testing';
import { Queue } from '#kata/22-workqueue/workqueue';
import { begun, inSteps, play, scripts, take, takeAll } from './queue.fixture.ts';

describe('Level 1 · The line', () => {
  test('hands out an added item', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    expect(await take(queue), 'a was added, so get must return it').toBe('a');
  });

  test('hands items out in the order of their adds', async () => {
    const queue = new Queue<string>();
    for (const item of ['b', 'c', 'a']) queue.add(item);
    expect(await takeAll(queue, 3), 'the results of three gets').toEqual(['b', 'c', 'a']);
  });

  test('holds an item that is added twice once, in its first place', async () => {
    const queue = new Queue<string>();
    for (const item of ['a', 'b', 'a']) queue.add(item);
    expect(queue.len(), 'the length after adding a, b and a again').toBe(2);
    expect(await takeAll(queue, 3), 'the results of three gets; the third must wait').toEqual([
      'a',
      'b',
      'waits',
    ]);
  });

  test('counts the items in line', async () => {
    const queue = new Queue<string>();
    expect(queue.len(), 'the length of a new queue').toBe(0);
    queue.add('a');
    queue.add('b');
    expect(queue.len(), 'the length after two adds').toBe(2);
    await take(queue);
    expect(queue.len(), 'the length after one get').toBe(1);
  });

  test('lets a get wait until an item is added', async () => {
    const queue = new Queue<string>();
    const got = begun(queue.get());
    expect(await soFar(got), 'a get on an empty line must wait').toBe('waits');
    queue.add('a');
    expect(await soFar(got), 'the add must wake the waiting get').toBe('a');
    expect(queue.len(), 'the waiting get took the item, so the line is empty').toBe(0);
  });

  test('gives each of several waiting gets a different item', async () => {
    const queue = new Queue<string>();
    const gets = [1, 2, 3].map(() => begun(queue.get()));
    queue.add('a');
    queue.add('b');
    const got = await Promise.all(gets.map((get) => soFar(get)));
    expect(got.toSorted(), 'three gets wait, and two items were added').toEqual(['a', 'b', 'waits']);
    queue.add('c');
    expect(
      (await Promise.all(gets.map((get) => soFar(get)))).toSorted(),
      'the third add must wake the last waiting get',
    ).toEqual(['a', 'b', 'c']);
  });

  test('lets no get end without an item when an item is added and another get begins in the same turn', async () => {
    const queue = new Queue<string>();
    const gets = [begun(queue.get())];
    queue.add('a');
    gets.push(begun(queue.get()));
    const got = (): Promise<unknown[]> => Promise.all(gets.map((get) => soFar(get)));
    expect((await got()).toSorted(), 'one gets it, the other waits').toEqual(['a', 'waits']);
    queue.add('b');
    expect((await got()).toSorted(), 'the second add must wake the other get').toEqual(['a', 'b']);
  });

  test('gives a waiting get the next added item, not an item that another get took', async () => {
    const queue = new Queue<string>();
    queue.add('a');
    expect(await take(queue), 'a was added, so get must return it').toBe('a');
    const got = begun(queue.get());
    queue.add('b');
    expect(await soFar(got), 'the first get took a, so the waiting get must return b').toBe('b');
  });

  test('accepts every key of a Map as an item', async () => {
    const queue = new Queue<unknown>();
    const object = {};
    for (const item of [0, '', false, null, 1, '1', Number.NaN, Number.NaN, object, object]) queue.add(item);
    const expected = [0, '', false, null, 1, '1', Number.NaN, object, 'waits'];
    expect(
      await takeAll(queue, expected.length),
      `the results of ${expected.length} gets: each key of a Map is one item, also a falsy one`,
    ).toEqual(expected);
  });

  test.each(scripts('script-01'))('agrees with client-go: %s', async (_, { input, expect: expected }) => {
    expect(await play(input.steps), inSteps(input.steps)).toEqual(expected);
  });
});
