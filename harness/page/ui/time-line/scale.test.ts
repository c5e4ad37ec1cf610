import { describe, expect, test } from 'vitest';
import { scaleFor, ticksOf, timeAtShare } from './scale.ts';

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

describe('A press on the time line', () => {
  const line = { toMs: 30_000, endMs: 12_000.4, snapMs: 200 };

  test('means the time under the pointer', () => {
    expect(timeAtShare({ ...line, share: 0.25 })).toBe(7500);
    expect(timeAtShare({ ...line, share: -0.1 })).toBe(0);
  });

  test('means the exact end near the end and behind it', () => {
    expect(timeAtShare({ ...line, share: 0.395 })).toBe(12_000.4);
    expect(timeAtShare({ ...line, share: 0.9 })).toBe(12_000.4);
  });
});
