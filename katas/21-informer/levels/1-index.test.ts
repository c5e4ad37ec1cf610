import { describe, expect, test } from 'vitest';
import { heldBytes, named, vectors } from '#harness/testing';
import { Index } from '#kata/21-informer/informer';

describe('Level 1 · An index', () => {
  /** An object: just its indexed values. */
  type Values = readonly string[];

  /** Returns an index, with the objects that it has: each update passes the previous object. */
  function indexed() {
    const index = new Index<Values>((values) => values);
    const objects = new Map<string, Values>();
    return {
      index,
      put: (key: string, ...values: string[]): void => {
        const previous = objects.get(key);
        const current = Object.freeze(values);
        objects.set(key, current);
        index.update(key, previous, current);
      },
      remove: (key: string): void => {
        const previous = objects.get(key);
        objects.delete(key);
        index.update(key, previous, undefined);
      },
      keys: (value: string): string[] => [...index.keys(value)].sort(),
    };
  }

  test('finds an object under the value that it has', () => {
    const { put, keys } = indexed();
    put('web-1', 'app=web');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1']);
  });

  test('finds nothing under a value that no object has', () => {
    const { put, keys } = indexed();
    expect(keys('app=web'), 'the keys under app=web').toEqual([]);
    put('web-1', 'app=web');
    expect(keys('app=shop'), 'the keys under app=shop').toEqual([]);
  });

  test('finds all objects that have the value', () => {
    const { put, keys } = indexed();
    put('web-1', 'app=web');
    put('shop-1', 'app=shop');
    put('web-2', 'app=web');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1', 'web-2']);
  });

  test('finds an object under each of its values', () => {
    const { put, keys } = indexed();
    put('web-1', 'app=web', 'tier=front', 'zone=a');
    expect(
      ['app=web', 'tier=front', 'zone=a'].map(keys),
      'the keys under each of the three values of web-1',
    ).toEqual([['web-1'], ['web-1'], ['web-1']]);
  });

  test('finds an object without values nowhere', () => {
    const { put, keys, remove } = indexed();
    put('web-1');
    put('web-1', 'app=web');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1']);
    put('web-1');
    expect(keys('app=web'), 'the keys under app=web').toEqual([]);
    remove('web-1');
    expect(keys('app=web'), 'the keys under app=web').toEqual([]);
  });

  test('finds a changed object under its new value, and no longer under the old one', () => {
    const { put, keys } = indexed();
    put('web-1', 'app=web');
    put('web-1', 'app=shop');
    expect(keys('app=shop'), 'the keys under app=shop').toEqual(['web-1']);
    expect(keys('app=web'), 'the keys under app=web').toEqual([]);
  });

  const changes: readonly (readonly [before: Values, after: Values])[] = [
    [[], ['a']],
    [['a'], []],
    [['a'], ['a']],
    [['a'], ['a', 'b']],
    [['a'], ['b', 'a']],
    [['a', 'b'], ['a']],
    [['a', 'b'], ['b']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
    [
      ['a', 'b'],
      ['c', 'b'],
    ],
    [['a', 'b', 'c'], ['d']],
    [['a'], ['a', 'a']],
    [['a', 'a'], ['a']],
    [
      ['a', 'a'],
      ['b', 'b'],
    ],
    [
      ['a', 'a', 'b'],
      ['b', 'b', 'c'],
    ],
  ];
  test.each(changes)(
    'follows an object whose values were %j and are %j, and no other object',
    (before, after) => {
      const { put, keys, remove } = indexed();
      const all = ['a', 'b', 'c', 'd'];
      put('other', ...all);
      const found = (): string[] => all.filter((value) => keys(value).includes('changes'));
      const others = (): string[] => all.filter((value) => keys(value).includes('other'));
      const distinct = (values: Values): string[] => [...new Set(values)].sort();

      put('changes', ...before);
      expect(found(), 'before the change').toEqual(distinct(before));
      put('changes', ...after);
      expect(found(), 'after the change').toEqual(distinct(after));
      remove('changes');
      expect(found(), 'after the deletion').toEqual([]);
      expect(others(), 'the other object').toEqual(all);
    },
  );

  test('no longer finds a deleted object', () => {
    const { put, remove, keys } = indexed();
    put('web-1', 'app=web', 'zone=a');
    put('web-2', 'app=web');
    remove('web-1');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-2']);
    expect(keys('zone=a'), 'the keys under zone=a').toEqual([]);
  });

  test('finds an object that was deleted and created again', () => {
    const { put, remove, keys } = indexed();
    put('web-1', 'app=web');
    remove('web-1');
    put('web-1', 'app=web');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1']);
  });

  test('does not change when the object neither existed nor exists', () => {
    const { index, put, keys } = indexed();
    put('web-1', 'app=web');
    index.update('web-2', undefined, undefined);
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1']);
  });

  test('returns a key once, even if the object has the value twice', () => {
    const { put, keys } = indexed();
    put('web-1', 'app=web', 'app=web');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1']);
    put('web-1', 'app=web', 'zone=a', 'app=web');
    expect(keys('app=web'), 'the keys under app=web').toEqual(['web-1']);
  });

  test('accepts any text as a value and as a key', () => {
    const { put, keys } = indexed();
    const texts = ['', '0', '00', 'a,b', 'a', 'constructor', '__proto__', 'default/web', 'null', 'undefined'];
    expect(texts.map(keys), 'before').toEqual(texts.map(() => []));
    for (const text of texts) put(text, text);
    expect(texts.map(keys), 'after').toEqual(texts.map((text) => [text]));
  });

  test('returns the keys in an array that the caller may change', () => {
    const { index, put, keys } = indexed();
    put('web-1', 'app=web');
    const before = index.keys('app=web');
    put('web-2', 'app=web');
    expect(before, 'when the index changes').toEqual(['web-1']);
    const own = index.keys('app=web') as string[];
    if (!Object.isFrozen(own)) own.length = 0;
    expect(keys('app=web'), 'when the caller changes it').toEqual(['web-1', 'web-2']);
  });

  test.each(['change', 'are deleted'])('frees the memory for old values of objects that %s', (what) => {
    const { index, put, remove } = indexed();
    const values = 20_000;
    const before = heldBytes();
    for (let i = 0; i < values; i++) {
      put('web-1', `uid-${i}`.padStart(200, '-'));
      if (what === 'are deleted') remove('web-1');
    }
    const bytes = heldBytes() - before;
    // A value takes more than 200 bytes.
    expect(bytes, `bytes still held after ${values} values that no object has any more`).toBeLessThan(
      values * 100,
    );
    expect(index.keys('uid-0'), 'the keys under uid-0, a value that no object has').toEqual([]);
  });

  interface Input {
    readonly steps: readonly { readonly key: string; readonly values?: Values }[];
  }
  type Expected = readonly { readonly after: number; readonly keys: Readonly<Record<string, Values>> }[];
  test.each(named(vectors<Input, Expected>('informer', 'index', 6)))(
    'agrees with client-go: %s',
    (_, { input, expect: expected }) => {
      const { put, remove, keys } = indexed();
      for (const [step, { key, values }] of input.steps.entries()) {
        if (values) put(key, ...values);
        else remove(key);
        for (const { after, keys: found } of expected) {
          if (after !== step + 1) continue;
          const actual = Object.fromEntries(Object.keys(found).map((value) => [value, keys(value)]));
          expect(actual, `after step ${after}: ${key} has ${values ?? 'no values'}`).toEqual(found);
        }
      }
    },
  );
});
