import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AllocationMap } from './allocation-map.ts';

/** Allocates the next number `count` times. */
function takeNext(map: AllocationMap, count: number): (number | undefined)[] {
  return Array.from({ length: count }, () => {
    const next = map.next();
    if (next !== undefined) map.take(next);
    return next;
  });
}

describe('AllocationMap', () => {
  test('counts upwards from the end of the reserved numbers', () => {
    expect(takeNext(new AllocationMap(10, 4), 3)).toEqual([4, 5, 6]);
  });

  test('allocates nothing when `next` is called', () => {
    const map = new AllocationMap(10, 0);
    expect([map.next(), map.next()]).toEqual([0, 0]);
  });

  test('skips numbers that are allocated or excluded', () => {
    const map = new AllocationMap(10, 0);
    map.take(1);
    expect(map.next(new Set([0, 2]))).toBe(3);
  });

  test('does not move the cursor to a number that was requested', () => {
    const map = new AllocationMap(10, 0);
    map.take(7);
    expect(map.next()).toBe(0);
  });

  test('reuses a released number only after all others', () => {
    const map = new AllocationMap(4, 0);
    takeNext(map, 2);
    map.release(0);
    expect(takeNext(map, 3)).toEqual([2, 3, 0]);
  });

  test('allocates the reserved numbers last', () => {
    expect(takeNext(new AllocationMap(4, 2), 5)).toEqual([2, 3, 0, 1, undefined]);
  });

  test('has room again once a number is released', () => {
    const map = new AllocationMap(2, 0);
    takeNext(map, 2);
    map.release(1);
    expect([map.next(), map.has(0), map.has(1)]).toEqual([1, true, false]);
  });

  test('allocates every number, and none twice', () => {
    const step = fc.record({ op: fc.constantFrom('next', 'take', 'release'), offset: fc.nat(15) });
    fc.assert(
      fc.property(fc.nat(16), fc.array(step, { maxLength: 60 }), (reserved, steps) => {
        const map = new AllocationMap(16, reserved);
        const taken = new Set<number>();
        for (const { op, offset } of steps) {
          const next = map.next();
          expect(next === undefined).toBe(taken.size === 16);
          expect(next !== undefined && taken.has(next)).toBe(false);
          const chosen = op === 'next' ? next : offset;
          if (chosen === undefined) continue;
          if (op === 'release') {
            map.release(chosen);
            taken.delete(chosen);
          } else {
            map.take(chosen);
            taken.add(chosen);
          }
        }
        expect([...taken].every((offset) => map.has(offset))).toBe(true);
      }),
    );
  });
});
