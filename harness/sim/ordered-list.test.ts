import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrderedList } from './ordered-list.ts';

describe('An ordered list', () => {
  test('Consistent: after any additions and removals it equals an array', () => {
    const step = fc.oneof(
      fc.record({ push: fc.integer({ min: 1, max: 600 }) }),
      fc.record({ take: fc.nat({ max: 1_000 }), times: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ remove: fc.nat({ max: 1_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const list = new OrderedList<number>();
        const items: number[] = [];
        let next = 0;
        for (const each of steps) {
          if ('push' in each) {
            for (let i = 0; i < each.push; i++) {
              list.push(next);
              items.push(next++);
            }
          } else if ('take' in each) {
            for (let i = 0; i < each.times; i++)
              expect(list.take(each.take)).toBe(items.splice(each.take, 1)[0]);
          } else {
            const at = items.indexOf(each.remove);
            expect(list.remove(each.remove)).toBe(at >= 0);
            if (at >= 0) items.splice(at, 1);
          }
          expect([...list]).toEqual(items);
          expect(list.length).toBe(items.length);
        }
      }),
      { numRuns: 30 },
    );
  });
});
