import { describe, expect, test } from 'vitest';
import { deepFreeze } from './frozen.fixture.ts';
import type { Json, JsonObject } from './json-value.ts';
import { applyMergePatch } from './merge-patch.ts';

/** The rows of RFC 7386, appendix A, whose patch is an object. */
const rfcTable: readonly (readonly [original: Json, patch: Json, result: Json])[] = deepFreeze([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]);

describe('applyMergePatch', () => {
  test.each(rfcTable)('turns %j by %j into %j', (original, patch, result) => {
    expect(applyMergePatch(original, patch)).toStrictEqual(result);
  });

  test('returns the original itself if nothing changes', () => {
    const original = deepFreeze({ spec: { args: ['a', { b: 1 }], replicas: 1 } });
    expect(applyMergePatch(original, { spec: { args: ['a', { b: 1 }], paused: null } })).toBe(original);
  });

  test('shares the unchanged subtrees, also inside a replaced list', () => {
    const original = deepFreeze({ metadata: { name: 'web' }, spec: { rules: [{ a: 1 }, { b: 2 }] } });
    const result = applyMergePatch(original, { spec: { rules: [{ a: 1 }, { b: 3 }] } }) as typeof original;
    expect(result.metadata).toBe(original.metadata);
    expect(result.spec.rules[0]).toBe(original.spec.rules[0]);
    expect(result.spec.rules[1]).toStrictEqual({ b: 3 });
  });

  test('drops null keys in the objects of a replaced list, but keeps null elements', () => {
    const patch = { rules: [{ verbs: null, groups: { a: null } }, null] };
    expect(applyMergePatch({ rules: [1] }, patch)).toStrictEqual({ rules: [{ groups: {} }, null] });
  });

  test('treats __proto__ and constructor as ordinary keys', () => {
    const patch = JSON.parse('{"labels":{"__proto__":{"polluted":true},"constructor":"x"}}');
    const result = applyMergePatch({ labels: {} }, deepFreeze(patch)) as { labels: JsonObject };
    expect(Object.keys(result.labels)).toStrictEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(
      applyMergePatch(result, JSON.parse('{"labels":{"__proto__":null,"constructor":null}}')),
    ).toStrictEqual({
      labels: {},
    });
  });

  test.each([[null], ['text'], [1], [[{ a: 1 }]]])('rejects %j with 400', (patch) => {
    expect(() => applyMergePatch({}, patch)).toThrow(
      expect.objectContaining({ name: 'PatchError', code: 400 }),
    );
  });
});
