import { describe, expect, test } from 'vitest';
import { isConnectionRefused } from '../contracts/connection-error.ts';
import { connectionError } from './connection-error.ts';

const failed = (cause: unknown): Error => new TypeError('fetch failed', { cause });
const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

describe('connectionError', () => {
  test.each([
    [failed(coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:6443')), 'ECONNREFUSED'],
    [failed(new Error('connect ECONNREFUSED 127.0.0.1:6443')), 'ECONNREFUSED'],
    [failed(coded('ETIMEDOUT', '')), 'ETIMEDOUT'],
    [failed(coded('ECONNRESET', 'read ECONNRESET')), 'ECONNRESET'],
    [failed(coded('UND_ERR_SOCKET', 'other side closed')), 'ECONNRESET'],
    [new TypeError('terminated'), 'ECONNRESET'],
    ['a string', 'ECONNRESET'],
  ])('%s is %s', (cause, code) => {
    expect(connectionError('GET', 'http://a', cause)).toMatchObject({ name: 'ConnectionError', code, cause });
  });

  test('names the innermost reason', () => {
    const error = connectionError('GET', 'http://a', failed(coded('ECONNREFUSED', '')));
    expect(error.message).toBe('Failed to GET http://a: ECONNREFUSED. Is the apiserver running?');
    expect(isConnectionRefused(error)).toBe(true);
  });
});
