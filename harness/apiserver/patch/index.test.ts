import { describe, expect, test } from 'vitest';
import { applyPatch, patchTypeOf, schemaOf } from './index.ts';

describe('patchTypeOf', () => {
  test('distinguishes the kinds of patch by media type', () => {
    expect(patchTypeOf('application/json-patch+json')).toBe('json');
    expect(patchTypeOf('application/merge-patch+json')).toBe('merge');
    expect(patchTypeOf('application/strategic-merge-patch+json')).toBe('strategic');
  });

  test('ignores the charset', () => {
    expect(patchTypeOf('application/merge-patch+json; charset=utf-8')).toBe('merge');
  });

  test('recognizes no other type', () => {
    expect(patchTypeOf('application/json')).toBeUndefined();
    expect(patchTypeOf('application/apply-patch+yaml')).toBeUndefined();
    expect(patchTypeOf(null)).toBeUndefined();
  });
});

describe('applyPatch', () => {
  const schema = schemaOf({ group: '', version: 'v1', kind: 'Pod' });
  const pod = { spec: { containers: [{ name: 'a' }] } };

  test('applies each kind of patch by its own rules', () => {
    const body = { spec: { containers: [{ name: 'b' }] } };
    expect(applyPatch(pod, { type: 'merge', body }, schema)).toStrictEqual(body);
    expect(applyPatch(pod, { type: 'strategic', body }, schema)).toStrictEqual({
      spec: { containers: [{ name: 'b' }, { name: 'a' }] },
    });
    const operations = [{ op: 'remove', path: '/spec/containers/0' }];
    expect(applyPatch(pod, { type: 'json', body: operations }, schema)).toStrictEqual({
      spec: { containers: [] },
    });
  });

  test('needs a schema for a strategic merge patch only', () => {
    expect(applyPatch(pod, { type: 'merge', body: {} }, undefined)).toBe(pod);
    expect(() => applyPatch(pod, { type: 'strategic', body: {} }, undefined)).toThrow(
      expect.objectContaining({ code: 415 }),
    );
  });
});
