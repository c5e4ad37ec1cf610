import { describe, expect, test } from 'vitest';
import { formatShort, formatTime } from './format-time.ts';

describe('A time of a run', () => {
  test('below a minute has milliseconds', () => {
    expect(formatTime(0)).toBe('+0.000 s');
    expect(formatTime(12_340)).toBe('+12.340 s');
    expect(formatTime(59_999)).toBe('+59.999 s');
  });

  test('above a minute has minutes and whole seconds', () => {
    expect(formatTime(60_000)).toBe('+1 min 00 s');
    expect(formatTime(185_900)).toBe('+3 min 05 s');
  });

  test('above a minute has milliseconds on request', () => {
    expect(formatTime(185_034, true)).toBe('+3 min 05.034 s');
  });

  test('above an hour has hours, above a day has days', () => {
    expect(formatTime(7_509_000)).toBe('+2 h 05 min 09 s');
    expect(formatTime(266_700_000)).toBe('+3 d 02 h 05 min');
  });

  test('is never negative, and has whole milliseconds', () => {
    expect(formatTime(-5)).toBe('+0.000 s');
    expect(formatTime(59_999.7)).toBe('+1 min 00 s');
  });
});

test('A short duration has at most two units', () => {
  expect([0, 40, 1500, 70_000, 5_400_000, 7_200_000, 90_000_000].map(formatShort)).toEqual([
    '0 s',
    '40 ms',
    '1.5 s',
    '1 min 10 s',
    '1 h 30 min',
    '2 h',
    '1 d 1 h',
  ]);
});
