import { describe, expect, test } from 'vitest';
import type { FuzzRequest } from './request.ts';
import { replay } from './run.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const json = { 'Content-Type': 'application/json' };

/** Requests that once broke a law. */
const found: readonly (readonly [what: string, requests: readonly FuzzRequest[]])[] = [
  [
    'a value of binaryData that is null',
    [
      {
        method: 'POST',
        path: configMaps,
        headers: json,
        body: '{"metadata":{"name":"a"},"binaryData":{"c":null}}',
      },
    ],
  ],
  [
    'a version that is no number, of what is replaced',
    [
      { method: 'POST', path: configMaps, headers: json, body: '{"metadata":{"name":"a"}}' },
      {
        method: 'PUT',
        path: `${configMaps}/a`,
        headers: json,
        body: '{"metadata":{"name":"a","resourceVersion":"x"}}',
      },
    ],
  ],
  [
    'a binding that is only tried',
    [
      {
        method: 'POST',
        path: pods,
        headers: json,
        body: '{"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}}',
      },
      {
        method: 'POST',
        path: `${pods}/a/binding?dryRun=All`,
        headers: json,
        body: '{"metadata":{"name":"a"},"target":{"name":"n"}}',
      },
    ],
  ],
];

describe('what the fuzz has found', () => {
  test.each(found)('breaks no law any more: %s', async (_, requests) => {
    expect(await replay(requests)).toBeUndefined();
  });
});
