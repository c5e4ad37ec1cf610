import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isZero, validateNotMoreThan100Percent, validatePositiveIntOrPercent } from './int-or-percent.ts';

describe('A number or a percentage', () => {
  test.each([0, 7, '0%', '7%', '700%'])('%s is valid', (value) => {
    expect(validatePositiveIntOrPercent(value, 'spec')).toEqual([]);
  });

  test.each([-1, '7', '-7%', '+7%', '7.5%', '%', '', ' 7%', '7%\n'])('%j is invalid', (value) => {
    expect(validatePositiveIntOrPercent(value, 'spec')).toHaveLength(1);
  });

  test('has an upper bound only as a percentage', () => {
    expect(validateNotMoreThan100Percent('100%', 'spec')).toEqual([]);
    expect(validateNotMoreThan100Percent('101%', 'spec')).toHaveLength(1);
    expect(validateNotMoreThan100Percent(101, 'spec')).toEqual([]);
  });

  test('counts as zero if it is 0, 0%, or neither a number nor a percentage', () => {
    expect([0, '0%', '00%', 'none', ''].map(isZero)).toEqual([true, true, true, true, true]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (n) => {
        expect([isZero(n), isZero(`${n}%`)]).toEqual([false, false]);
      }),
    );
  });
});
