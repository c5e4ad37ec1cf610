import { describe, expect, test } from 'vitest';
import { formatSpeed, nextSpeed, speeds } from './speed.ts';

describe('Speeds', () => {
  test('go from a hundredth to a thousand', () => {
    expect([speeds[0], speeds.at(-1)]).toEqual([0.01, 1000]);
  });

  test('have a next and a previous one', () => {
    expect(nextSpeed(1, 1)).toBe(2);
    expect(nextSpeed(1, -1)).toBe(0.5);
    expect(nextSpeed(3, -1)).toBe(2);
  });

  test('end at the fastest and the slowest', () => {
    expect(nextSpeed(1000, 1)).toBe(1000);
    expect(nextSpeed(0.01, -1)).toBe(0.01);
  });

  test('read as factors and fractions', () => {
    expect([0.01, 0.5, 1, 20, 1000].map(formatSpeed)).toEqual(['1/100×', '1/2×', '1×', '20×', '1,000×']);
  });
});
