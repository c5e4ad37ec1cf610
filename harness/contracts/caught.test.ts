import { describe, expect, test } from 'vitest';
import { pods } from '../api/resource.ts';
import { errors } from '../api/status.ts';
import { Caught } from './caught.ts';
import { ConnectionError } from './connection-error.ts';
import { ConsistencyError } from './replicaset/consistency-store.ts';

describe('Caught', () => {
  const listed = (...noted: readonly unknown[]) => {
    const caught = new Caught();
    for (const error of noted) caught.note(error);
    return caught.list().map(({ name, message, times }) => [`${name}: ${message}`, times]);
  };

  test('counts different errors with the same message, and each error once', () => {
    const retold = new Error('broken');
    expect(listed(retold, new Error('broken'), retold)).toEqual([['Error: broken', 2]]);
  });

  test('lists errors of the language first', () => {
    expect(listed(new Error('broken'), new TypeError('b is undefined'), new RangeError('too far'))).toEqual([
      ['TypeError: b is undefined', 1],
      ['RangeError: too far', 1],
      ['Error: broken', 1],
    ]);
  });

  test('ignores expected errors, and values that are not errors', () => {
    const refused = errors.conflict(pods, 'web-1', 'it has changed');
    const unreached = new ConnectionError('ECONNRESET', 'reset');
    const aborted = new DOMException('This operation was aborted', 'AbortError');
    const behind = new ConsistencyError('read version: 1 is not as new as written version: 2');
    expect(listed(refused, unreached, aborted, behind, 'broken', undefined)).toEqual([]);
  });

  test('notes refusals of requests that are wrong in themselves, before other errors', () => {
    const refused = errors.badRequest('the apiVersion is undefined');
    expect(listed(new Error('broken'), refused, errors.notFound(pods, 'web-1'))).toEqual([
      ['StatusError: the apiVersion is undefined', 1],
      ['Error: broken', 1],
    ]);
  });

  test('always has room for a programming error', () => {
    const many = Array.from({ length: 100 }, (_, index) => new Error(`pod-${index} is broken`));
    const told = listed(...many, new TypeError('b is undefined'));
    expect(told[0]).toEqual(['TypeError: b is undefined', 1]);
    expect(told.length).toBeLessThan(20);
  });
});
