import { describe, expect, test } from 'vitest';
import { errors, failure, isTooLargeResourceVersion, StatusError } from './status.ts';

const failed = (...status: Parameters<typeof failure>): StatusError => new StatusError(failure(...status));

describe('isTooLargeResourceVersion', () => {
  test('recognizes the reason of a cause', () => {
    expect(isTooLargeResourceVersion(errors.tooLargeResourceVersion(5, 3))).toBe(true);
    const cause = { reason: 'ResourceVersionTooLarge', message: '' };
    expect(isTooLargeResourceVersion(failed('InternalError', 'x', { causes: [cause] }))).toBe(true);
  });

  test('recognizes the message of a cause, from a server before 1.18.6', () => {
    const details = { causes: [{ message: 'Too large resource version' }] };
    expect(isTooLargeResourceVersion(failed('Timeout', 'Timeout', details))).toBe(true);
    expect(isTooLargeResourceVersion(failed('InternalError', 'x', details))).toBe(false);
  });

  test('recognizes the message alone, from a server before 1.17', () => {
    const message = 'Timeout: Too large resource version: 5, current: 3';
    expect(isTooLargeResourceVersion(failed('Timeout', message, { retryAfterSeconds: 1 }))).toBe(true);
    expect(isTooLargeResourceVersion(failed('Timeout', message))).toBe(false);
  });

  test('rejects every other failure', () => {
    expect(isTooLargeResourceVersion(errors.timeout('too slow', 1))).toBe(false);
    expect(isTooLargeResourceVersion(errors.tooOldResourceVersion(3, 5))).toBe(false);
    expect(isTooLargeResourceVersion(new Error('Too large resource version'))).toBe(false);
  });
});
