import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SortedMap } from './sorted-map.ts';

const key = fc.constantFrom('a', 'a-b', 'a/b', 'ab', 'b', 'c');

test('A sorted map is a map whose keys are ordered', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.constantFrom('set', 'delete', 'read'))), (steps) => {
      const sorted = new SortedMap<string>();
      const plain = new Map<string, string>();
      for (const [i, [each, step]] of steps.entries()) {
        if (step === 'set') {
          sorted.set(each, `${each}${i}`);
          plain.set(each, `${each}${i}`);
        } else if (step === 'delete') {
          sorted.delete(each);
          plain.delete(each);
        }
        const all = [...plain].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted.get(each)).toBe(plain.get(each));
        if (step !== 'read') continue;
        expect(sorted.all()).toEqual(all.map(([, value]) => value));
        const within = all.flatMap(([name, value]) => (name >= 'a-' && name < each ? [value] : []));
        expect(sorted.within({ key: 'a-', end: each })).toEqual(within);
      }
    }),
  );
});
