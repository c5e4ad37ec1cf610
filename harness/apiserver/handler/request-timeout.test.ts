import { describe, expect, test } from 'vitest';
import { requestInfo } from './request-info.ts';
import { timeoutOf } from './request-timeout.ts';

const limitOf = (path: string) => {
  const request = new Request(`https://localhost${path}`);
  return timeoutOf(request, requestInfo('GET', new URL(request.url)));
};

describe('The time limit of a request', () => {
  test('is in its query', () => {
    expect(['/api/v1/pods?timeout=5s', '/version?timeout=1m', '/api/v1/pods'].map(limitOf)).toEqual([
      ...[5_000, 60_000, undefined],
    ]);
  });

  test('of zero is none', () => {
    expect(['0s', '0', ''].map((text) => limitOf(`/api/v1/pods?timeout=${text}`))).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  test('is a duration', () => {
    const start = 'invalid timeout specified in the request URL - time:';
    expect(() => limitOf('/api/v1/pods?timeout=soon')).toThrow(`${start} invalid duration "soon"`);
    expect(() => limitOf('/api/v1/pods?timeout=5')).toThrow(`${start} missing unit in duration "5"`);
  });

  test('has no effect on long requests', () => {
    const pod = '/api/v1/namespaces/default/pods/web';
    expect(['/api/v1/pods?watch=1&timeout=soon', `${pod}/log?timeout=soon`].map(limitOf)).toEqual([
      ...[undefined, undefined],
    ]);
  });
});
