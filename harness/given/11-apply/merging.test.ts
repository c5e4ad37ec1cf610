import { describe, expect, test } from 'vitest';
import { fieldOf, mergesLists, retainsKeys, Unmatched } from './merging.ts';

describe('The merge rules of a field', () => {
  test('are undefined without a schema, and empty without a tag', () => {
    expect(fieldOf(undefined, 'a')).toBeUndefined();
    expect(fieldOf({}, 'a')).toEqual({});
    expect(fieldOf({}, 'constructor')).toEqual({});
    expect(fieldOf({ a: { patchStrategy: 'merge' } }, 'a')).toEqual({ patchStrategy: 'merge' });
  });

  test.each([
    [undefined, false, false],
    ['merge', true, false],
    ['retainKeys', false, true],
    ['merge,retainKeys', true, true],
    ['replace', false, false],
  ] as const)('with the strategy %s', (patchStrategy, merges, retains) => {
    const field = patchStrategy === undefined ? {} : { patchStrategy };
    expect([mergesLists(field), retainsKeys(field)]).toEqual([merges, retains]);
  });
});

describe('Unmatched', () => {
  test('finds partners by the merge key, each once, in their order', () => {
    const items = new Unmatched([{ port: 53, n: 1 }, { port: 80 }, { port: 53, n: 2 }], 'port');
    expect(items.take({ port: 53 })).toEqual({ port: 53, n: 1 });
    expect(items.take({ port: 53 })).toEqual({ port: 53, n: 2 });
    expect(items.take({ port: 53 })).toBeUndefined();
    expect(items.rest).toEqual([{ port: 80 }]);
  });

  test('finds equal scalars without a merge key', () => {
    const items = new Unmatched(['b', 'a', 'b'], undefined);
    expect(items.take('b')).toBe('b');
    expect(items.rest).toEqual(['a', 'b']);
  });

  test('orders the rest by the identity as a text', () => {
    expect(new Unmatched([{ port: 9 }, { port: 80 }, { port: 443 }], 'port').rest).toEqual([
      { port: 443 },
      { port: 80 },
      { port: 9 },
    ]);
  });

  test('rejects items that a list with a merge key cannot have', () => {
    const message = 'map: {"a":1} does not contain declared merge key: name';
    expect(() => new Unmatched([], 'name').take({ a: 1 })).toThrow(message);
    expect(() => new Unmatched([{ name: 'a' }], 'name').take('a')).toThrow('does not contain');
    expect(() => new Unmatched(['a'], undefined).take({})).toThrow('list element types are not identical');
  });
});
