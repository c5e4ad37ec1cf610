import { describe, expect, test } from 'vitest';
import { scaleFor, ticksOf } from './scale.ts';

describe('The scale of the time line', () => {
  test('has round steps and no more labels than fit', () => {
    for (const endMs of [0, 100, 45_000, 59_000, 61_000, 3_000_000, 90_000_000, 1e10]) {
      const scale = scaleFor(endMs, 8);
      expect(scale.toMs).toBeGreaterThan(endMs);
      expect(ticksOf(scale).length).toBeLessThanOrEqual(8);
      expect(scale.toMs % scale.stepMs).toBe(0);
    }
  });

  test('shows at least half a minute', () => {
    expect(scaleFor(0, 6)).toEqual({ toMs: 30_000, stepMs: 5000 });
  });

  test('stays the same while a run moves on a little', () => {
    expect(scaleFor(61_000, 8)).toEqual(scaleFor(66_000, 8));
  });
});
