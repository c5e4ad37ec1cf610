import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atRandom, inOrder, scripted } from './chooser.ts';
import { seededRandom } from './random.ts';

describe('Chooser', () => {
  test('inOrder picks the task that has waited longest', () => {
    expect([1, 2, 9].map(inOrder)).toEqual([0, 0, 0]);
  });

  test('atRandom picks any task', () => {
    const choose = atRandom(seededRandom(1));
    expect(new Set(Array.from({ length: 100 }, () => choose(3)))).toEqual(new Set([0, 1, 2]));
  });

  test('scripted follows its list, then continues in order', () => {
    const choose = scripted([1, 0, 2]);
    expect([2, 2, 3, 3, 3].map((count) => choose(count))).toEqual([1, 0, 2, 0, 0]);
  });

  test('A script always picks an existing task, whatever its choices', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.array(fc.integer({ min: 1, max: 9 })), (choices, counts) => {
        const choose = scripted(choices);
        for (const count of counts) expect(choose(count)).toBeLessThan(count);
      }),
    );
  });
});
