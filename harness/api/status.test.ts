import { describe, expect, test } from 'vitest';
import { errors, failure, isTooLargeResourceVersion, StatusError } from './status.ts';

const failed = (...status: Parameters<typeof failure>): StatusError => new StatusError(failure(...status));

describe('isTooLargeResourceVersion', () => {
  test('knows it by the type of a cause', () => {
    expect(isTooLargeResourceVersion(errors.tooLargeResourceVersion(5, 3))).toBe(true);
    const cause = { reason: 'ResourceVersionTooLarge', message: '' };
    expect(isTooLargeResourceVersion(failed('InternalError', 'x', { causes: [cause] }))).toBe(true);
  });

  test('knows it by the message of a cause, as a server before 1.18.6 says it', () => {
    const details = { causes: [{ message: 'Too large resource version' }] };
    expect(isTooLargeResourceVersion(failed('Timeout', 'Timeout', details))).toBe(true);
    expect(isTooLargeResourceVersion(failed('InternalError', 'x', details))).toBe(false);
  });

  test('knows it by the message alone, as a server before 1.17 says it', () => {
    const message = 'Timeout: Too large resource version: 5, current: 3';
    expect(isTooLargeResourceVersion(failed('Timeout', message, { retryAfterSeconds: 1 }))).toBe(true);
    expect(isTooLargeResourceVersion(failed('Timeout', message))).toBe(false);
  });

  test('takes no other failure for it', () => {
    expect(isTooLargeResourceVersion(errors.timeout('too slow', 1))).toBe(false);
    expect(isTooLargeResourceVersion(errors.tooOldResourceVersion(3, 5))).toBe(false);
    expect(isTooLargeResourceVersion(new Error('Too large resource version'))).toBe(false);
  });
});
