import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('A duration', () => {
  test.each([
    [0, '0s'],
    [1, '1ms'],
    [500, '500ms'],
    [1_000, '1s'],
    [15_012, '15.012s'],
    [80_000, '1m20s'],
    [300_000, '5m0s'],
    [3_600_500, '1h0m0.5s'],
  ])('of %s ms is formatted as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '5', 's', '-1s', '1s2', '1s1h', '0.5', '1.0001s'])('rejects an invalid text: %j', (text) =>
    expect(parseDuration(text)).toBeUndefined(),
  );
});
