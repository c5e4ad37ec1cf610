import { describe, expect, test } from 'vitest';
import { agoAt, ZERO_TIME } from './ago.ts';
import { NOW, secondsAgo } from './cells.fixture.ts';

describe('agoAt', () => {
  test('reports how long ago a time was', () => {
    expect(agoAt(NOW)(secondsAgo(190))).toBe('3m10s');
    expect(agoAt(NOW)('2024-04-16T23:59:57.500000Z')).toBe('2s');
  });

  test.each([undefined, null, '', ZERO_TIME])('returns <unknown> for %s', (timestamp) => {
    expect(agoAt(NOW)(timestamp)).toBe('<unknown>');
  });

  test('returns <unknown> without a clock', () => {
    expect(agoAt(undefined)(secondsAgo(190))).toBe('<unknown>');
  });

  test('does not count beyond 292 years', () => {
    expect(agoAt(NOW)('0002-01-01T00:00:00Z')).toBe('292y');
  });
});
