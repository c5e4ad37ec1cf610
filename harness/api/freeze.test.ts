import { describe, expect, test } from 'vitest';
import { deepEqual } from './freeze.ts';

/** Parses the text, so that `__proto__` is an own property. */
const parsed = (text: string): unknown => JSON.parse(text);

describe('deepEqual', () => {
  test.each([
    ['an undefined field and an absent one', { a: 1, b: undefined }, { a: 1 }],
    ['two orders of fields', { a: 1, b: [2] }, { b: [2], a: 1 }],
    ['two fields called __proto__', parsed('{"__proto__": {"a": 1}}'), parsed('{"__proto__": {"a": 1}}')],
  ])('treats %s as equal', (_, a, b) => {
    expect([deepEqual(a, b), deepEqual(b, a)]).toEqual([true, true]);
  });

  // Every object inherits these properties, so an index expression finds them also where they are absent.
  test.each(['toString', 'constructor', 'valueOf', 'hasOwnProperty', '__proto__'])(
    'treats an absent field and one called %s as different',
    (name) => {
      const [a, b] = [parsed(`{"a": 1, "${name}": "x"}`), { a: 1 }];
      expect([deepEqual(a, b), deepEqual(b, a)]).toEqual([false, false]);
    },
  );

  test('treats a list and an object as different', () => {
    expect(deepEqual(['x'], { 0: 'x' })).toBe(false);
  });
});
