import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isZero, validateNotMoreThan100Percent, validatePositiveIntOrPercent } from './int-or-percent.ts';

describe('A number or a percentage', () => {
  test.each([0, 7, '0%', '7%', '700%'])('%s is one', (value) => {
    expect(validatePositiveIntOrPercent(value, 'spec')).toEqual([]);
  });

  test.each([-1, '7', '-7%', '+7%', '7.5%', '%', '', ' 7%', '7%\n'])('%j is none', (value) => {
    expect(validatePositiveIntOrPercent(value, 'spec')).toHaveLength(1);
  });

  test('is bounded as a percentage only', () => {
    expect(validateNotMoreThan100Percent('100%', 'spec')).toEqual([]);
    expect(validateNotMoreThan100Percent('101%', 'spec')).toHaveLength(1);
    expect(validateNotMoreThan100Percent(101, 'spec')).toEqual([]);
  });

  test('is zero as 0, as 0%, and when it is neither', () => {
    expect([0, '0%', '00%', 'none', ''].map(isZero)).toEqual([true, true, true, true, true]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (n) => {
        expect([isZero(n), isZero(`${n}%`)]).toEqual([false, false]);
      }),
    );
  });
});
