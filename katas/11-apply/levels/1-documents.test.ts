import { describe, expect, test } from 'vitest';
import type { Json } from '#given/11-apply';
import { named, ruleFor, vectors } from '#harness/testing';
import { objectsOf, placeIn } from '#kata/11-apply/apply';
import { configMap } from './objects.fixture.ts';

interface PlaceRow {
  readonly scope: 'Namespaced' | 'Cluster';
  readonly object: string | null;
  readonly context: string;
  readonly flag: string | null;
}

describe('Level 1 · Documents', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => configMap({}, { name }));

  test('a document without items is one object', () => {
    expect(objectsOf(a as Json), 'the objects of a ConfigMap').toEqual([a]);
  });

  test('an empty document has no object', () => {
    expect(objectsOf(null), 'the objects of null').toEqual([]);
  });

  test('the items of a list take its place', () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [a, b] } as Json;
    expect(objectsOf(list), 'the objects of a List of a and b').toEqual([a, b]);
  });

  test('a list needs no kind that ends with List', () => {
    expect(objectsOf({ items: [a] } as Json), 'the objects of { items: [a] }').toEqual([a]);
  });

  test('an empty list has no object', () => {
    expect(objectsOf({ kind: 'List', items: [] }), 'the objects of an empty list').toEqual([]);
  });

  test('an item without kind and apiVersion gets those of its list', () => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'a' } }, b] } as Json;
    expect(objectsOf(list), 'the objects of a ConfigMapList').toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      b,
    ]);
  });

  test('an item with only one of the two keeps it, and gets no other', () => {
    const list = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ kind: 'Pod' }] } as Json;
    expect(objectsOf(list), 'the objects of a list whose item has only a kind').toEqual([{ kind: 'Pod' }]);
  });

  test('the items of a list inside a list come after all other objects', () => {
    const inner = { apiVersion: 'v1', kind: 'List', items: [b] };
    const list = { apiVersion: 'v1', kind: 'List', items: [a, inner, c] } as Json;
    expect(objectsOf(list), 'the objects of [a, a list of b, c]').toEqual([a, c, b]);
  });

  test('an item that is not an object stays, so that it becomes an error later', () => {
    expect(objectsOf({ kind: 'List', items: ['text'] }), 'the objects of a list of a text').toEqual(['text']);
  });

  test.each(
    named(vectors<PlaceRow, { namespace?: string | null; error?: string }>('apply-flow', 'placeIn', 6)),
  )('puts an object into its namespace: %s', (_, { input, expect: wanted }) => {
    const { namespace: __, ...metadata } = configMap({}).metadata;
    const manifest = {
      ...configMap({}),
      metadata: { ...metadata, ...(input.object !== null && { namespace: input.object }) },
    };
    const placed = () =>
      placeIn(
        manifest,
        { namespaced: input.scope === 'Namespaced' },
        { name: input.flag ?? input.context, required: input.flag !== null },
      );
    if (wanted.error !== undefined) expect(placed, ruleFor('the error', input)).toThrow(wanted.error);
    else
      expect(placed().metadata.namespace ?? null, ruleFor('the namespace', input)).toBe(
        wanted.namespace ?? null,
      );
  });

  test('changes nothing but the namespace', () => {
    const manifest = configMap({ a: '1' }, { namespace: '', labels: { x: 'y' } });
    const placed = placeIn(manifest, { namespaced: true }, { name: 'n', required: false });
    expect(placed, 'a ConfigMap with an empty namespace, in the namespace n').toEqual(
      configMap({ a: '1' }, { namespace: 'n', labels: { x: 'y' } }),
    );
  });
});
