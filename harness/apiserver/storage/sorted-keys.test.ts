import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SortedKeys } from './sorted-keys.ts';

describe('SortedKeys', () => {
  test('orders keys by code units, as etcd orders bytes', () => {
    const keys = new SortedKeys();
    for (const key of ['default/b', 'default-2/a', 'Default/a', 'default/a-b', 'default/a']) keys.add(key);
    expect(keys.all()).toEqual(['Default/a', 'default-2/a', 'default/a', 'default/a-b', 'default/b']);
  });

  test('Consistent: after any additions and deletions it equals a sorted set', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd/e', 'd-e', 'f'), read: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const keys = new SortedKeys();
        const model = new Set<string>();
        for (const { key, read } of steps) {
          if (model.delete(key)) keys.delete(key);
          else {
            model.add(key);
            keys.add(key);
          }
          if (read) expect(keys.all()).toEqual([...model].sort());
        }
        expect(keys.all()).toEqual([...model].sort());
      }),
    );
  });
});
