import { describe, expect, test } from 'vitest';
import { deepFreeze } from './frozen.fixture.ts';
import { applyJsonPatch } from './json-patch.ts';
import type { Json, JsonObject } from './json-value.ts';
import { PatchError } from './patch-error.ts';

const object = deepFreeze({
  metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'web' } },
  spec: { replicas: 1, args: ['a', 'b', 'c'] },
});

function patched(...operations: Json[]): Json {
  return applyJsonPatch(object, deepFreeze(operations));
}

function refusal(patch: () => unknown): PatchError {
  try {
    patch();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('the patch was accepted');
}

describe('applyJsonPatch', () => {
  test('adds, replaces and removes', () => {
    expect(
      patched(
        { op: 'add', path: '/spec/paused', value: true },
        { op: 'replace', path: '/spec/replicas', value: 2 },
        { op: 'remove', path: '/spec/args/1' },
      ),
    ).toStrictEqual({ metadata: object.metadata, spec: { replicas: 2, args: ['a', 'c'], paused: true } });
  });

  test('moves and copies', () => {
    expect(
      patched(
        { op: 'move', from: '/spec/args', path: '/spec/command' },
        { op: 'copy', from: '/spec/command', path: '/spec/args' },
        { op: 'add', path: '/spec/args/-', value: 'd' },
      ),
    ).toHaveProperty('spec', { replicas: 1, command: ['a', 'b', 'c'], args: ['a', 'b', 'c', 'd'] });
  });

  test('reads ~1 as a slash and ~0 as a tilde', () => {
    expect(
      patched({ op: 'replace', path: '/metadata/labels/app.kubernetes.io~1name', value: 'api' }),
    ).toHaveProperty('metadata.labels', { 'app.kubernetes.io/name': 'api' });
  });

  test('counts negative indices from the end, as an apiserver does', () => {
    expect(patched({ op: 'remove', path: '/spec/args/-1' })).toHaveProperty('spec.args', ['a', 'b']);
    expect(patched({ op: 'add', path: '/spec/args/-1', value: 'd' })).toHaveProperty('spec.args', [
      'a',
      'b',
      'c',
      'd',
    ]);
    expect(refusal(() => patched({ op: 'remove', path: '/spec/args/-4' })).code).toBe(422);
  });

  test('creates a missing key on replace, as an apiserver does', () => {
    expect(patched({ op: 'replace', path: '/spec/paused', value: true })).toHaveProperty('spec.paused', true);
  });

  test('lets a later operation edit a value from an earlier one without changing the patch', () => {
    const operations = deepFreeze([
      { op: 'add', path: '/metadata/annotations', value: {} },
      { op: 'add', path: '/metadata/annotations/a', value: '1' },
    ]);
    expect(applyJsonPatch(object, operations)).toHaveProperty('metadata.annotations', { a: '1' });
  });

  test('returns the original itself if nothing changes', () => {
    expect(patched({ op: 'test', path: '/spec/replicas', value: 1 })).toBe(object);
    expect(patched({ op: 'replace', path: '/spec/replicas', value: 1 })).toBe(object);
  });

  test('shares the unchanged subtrees', () => {
    const result = patched({ op: 'replace', path: '/spec/replicas', value: 2 }) as typeof object;
    expect(result.metadata).toBe(object.metadata);
    expect(result.spec.args).toBe(object.spec.args);
  });

  test('rejects the whole patch with 422 if a test fails, and gives the reason only in the detail', () => {
    const error = refusal(() =>
      patched(
        { op: 'replace', path: '/spec/replicas', value: 2 },
        { op: 'test', path: '/spec/replicas', value: 1 },
      ),
    );
    expect(error.code).toBe(422);
    expect(error.message).toBe('the server rejected our request due to an error in our request');
    expect(error.detail).toContain('test failed');
  });

  test('passes a test for null if the value is missing', () => {
    expect(patched({ op: 'test', path: '/spec/paused', value: null })).toBe(object);
    expect(refusal(() => patched({ op: 'test', path: '/spec/paused', value: false })).code).toBe(422);
  });

  test.each<[string, JsonObject]>([
    ['remove a missing key', { op: 'remove', path: '/spec/paused' }],
    ['remove an inherited key', { op: 'remove', path: '/spec/toString' }],
    ['remove the element after the last', { op: 'remove', path: '/spec/args/-' }],
    ['replace a missing element', { op: 'replace', path: '/spec/args/3', value: 'd' }],
    ['replace the document by a scalar', { op: 'replace', path: '', value: 1 }],
    ['add below a missing parent', { op: 'add', path: '/status/phase', value: 'Running' }],
    ['add below a scalar', { op: 'add', path: '/spec/replicas/x', value: 1 }],
    ['add past the end of a list', { op: 'add', path: '/spec/args/4', value: 'e' }],
    ['add at a name in a list', { op: 'add', path: '/spec/args/x', value: 'e' }],
    ['add at the empty index', { op: 'add', path: '/spec/args/', value: 'e' }],
    ['add at the root', { op: 'add', path: '', value: {} }],
    ['copy the whole', { op: 'copy', from: '', path: '/old' }],
    ['move into its own child', { op: 'move', from: '/spec', path: '/spec/old' }],
    ['copy from below a missing parent', { op: 'copy', from: '/status/phase', path: '/old' }],
    ['copy from past the end of a list', { op: 'copy', from: '/spec/args/3', path: '/old' }],
    ['an unknown operation', { op: 'frobnicate', path: '/spec' }],
    ['an operation without a name', { path: '/spec' }],
    ['add below a prototype', { op: 'add', path: '/__proto__/polluted', value: true }],
    [
      "add below a constructor's prototype",
      { op: 'add', path: '/constructor/prototype/polluted', value: true },
    ],
  ])('rejects with 422: %s', (_what, operation) => {
    expect(refusal(() => patched(operation)).code).toBe(422);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('rejects a null operation with 422, and treats a null patch as empty', () => {
    expect(refusal(() => patched(null)).code).toBe(422);
    expect(applyJsonPatch(object, null)).toBe(object);
  });

  test('writes null when it copies a missing key', () => {
    expect(patched({ op: 'copy', from: '/status', path: '/old' })).toHaveProperty('old', null);
  });

  test('ignores everything before the first slash of a path', () => {
    expect(patched({ op: 'replace', path: 'old/spec/replicas', value: 2 })).toHaveProperty(
      'spec.replicas',
      2,
    );
  });

  test('copies a value, so that a change of one does not affect the other', () => {
    expect(
      patched(
        { op: 'copy', from: '/spec/args', path: '/spec/command' },
        { op: 'add', path: '/spec/args/-', value: 'd' },
        { op: 'remove', path: '/spec/command/0' },
      ),
    ).toHaveProperty('spec', { replicas: 1, args: ['a', 'b', 'c', 'd'], command: ['b', 'c'] });
  });

  test('treats __proto__ in a path as an ordinary key', () => {
    const result = patched(
      { op: 'add', path: '/metadata/labels/__proto__', value: { a: 'b' } },
      { op: 'add', path: '/metadata/labels/__proto__/polluted', value: true },
    ) as typeof object;
    const { labels } = result.metadata;
    expect(Object.getOwnPropertyDescriptor(labels, '__proto__')?.value).toEqual({ a: 'b', polluted: true });
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const without = applyJsonPatch(result, [{ op: 'remove', path: '/metadata/labels/__proto__' }]);
    expect(without).toEqual(object);
  });

  test('copies at most 3 MiB in total', () => {
    const halfMiB = 512 * 1024;
    const text = 'x'.repeat(halfMiB - 2);
    const add = { op: 'add', path: '/a', value: text };
    const copies = Array.from({ length: 6 }, (_, i) => ({ op: 'copy', from: '/a', path: `/b${i}` }));
    expect(patched(add, ...copies)).toHaveProperty('b5', text);
    const error = refusal(() => patched(add, ...copies, { op: 'copy', from: '/none', path: '/c' }));
    expect([error.code, error.detail]).toEqual([422, expect.stringContaining('limit on copies')]);
  });

  test('rejects a result that is nested too deep', () => {
    const nest = (depth: number) => {
      const paths = Array.from({ length: depth }, (_, i) => '/a'.repeat(i + 1));
      return patched(...paths.map((path) => ({ op: 'add', path, value: {} })));
    };
    expect(nest(999)).toHaveProperty('a.a');
    expect(refusal(() => nest(1_000)).detail).toBe('exceeded max depth');
  });

  test('edits one large object ten thousand times without copying it each time', () => {
    const operations = Array.from({ length: 10_000 }, (_, i) => ({ op: 'add', path: `/k${i}`, value: i }));
    expect(Object.keys(patched(...operations) as object)).toHaveLength(10_002);
  });

  test('keeps a value with a key named __proto__ an ordinary value', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}');
    const result = patched({ op: 'add', path: '/spec/odd', value }) as { spec: { odd: object } };
    expect(Object.keys(result.spec.odd)).toStrictEqual(['__proto__']);
    expect(Object.getPrototypeOf(result.spec.odd)).toBe(Object.prototype);
  });

  test.each<[string, Json]>([
    ['an object', { op: 'add', path: '/a', value: 1 }],
    ['a string', 'add'],
    ['a list of strings', ['add']],
    ['a path that is not a string', [{ op: 'add', path: 1, value: 1 }]],
  ])('rejects a body that is %s with 400', (_what, body) => {
    expect(refusal(() => applyJsonPatch(object, body)).code).toBe(400);
  });

  test('accepts 10,000 operations and rejects one more with 413', () => {
    const operations = Array.from({ length: 10_000 }, () => ({
      op: 'test',
      path: '/spec/replicas',
      value: 1,
    }));
    expect(patched(...operations)).toBe(object);
    const error = refusal(() => patched(...operations, ...operations.slice(0, 1)));
    expect(error.code).toBe(413);
    expect(error.message).toBe(
      'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    );
  });
});
