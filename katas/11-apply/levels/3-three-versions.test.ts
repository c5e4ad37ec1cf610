import { describe, expect, test } from 'vitest';
import type { JsonObject, MergeSchema } from '#given/11-apply';
import { named, ruleFor, vectors } from '#harness/testing';
import { patchObject } from '#kata/11-apply/apply';

interface ThreeWayRow {
  readonly last?: JsonObject;
  readonly desired?: JsonObject;
  readonly live?: JsonObject;
}

/** The patch of a custom resource. */
const patched = (original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject =>
  patchObject({ original, modified, current }, undefined);

describe('Level 3 · Three versions', () => {
  test('sets a field that the server lacks', () => {
    expect(patched({}, { a: 1 }, {}), 'original {}, modified {a: 1}, current {}').toEqual({ a: 1 });
  });

  test('sends nothing if the server has the value', () => {
    expect(patched({}, { a: 1 }, { a: 1 }), 'original {}, modified {a: 1}, current {a: 1}').toEqual({});
  });

  test('sets a field back that another client has changed', () => {
    expect(
      patched({ a: 1 }, { a: 1 }, { a: 2 }),
      'original {a: 1}, modified {a: 1}, current {a: 2}: the manifest did not change, but the object did',
    ).toEqual({ a: 1 });
  });

  test('deletes a field that the manifest had, and has no more', () => {
    expect(patched({ a: 1 }, {}, { a: 1 }), 'original {a: 1}, modified {}, current {a: 1}').toEqual({
      a: null,
    });
  });

  test('leaves a field alone that no manifest had', () => {
    expect(patched({}, {}, { a: 1 }), 'original {}, modified {}, current {a: 1}').toEqual({});
  });

  test('also deletes a field that another client has changed, or deleted', () => {
    expect(patched({ a: 1 }, {}, { a: 2 }), 'original {a: 1}, modified {}, current {a: 2}').toEqual({
      a: null,
    });
    expect(patched({ a: 1 }, {}, {}), 'original {a: 1}, modified {}, current {}').toEqual({ a: null });
  });

  test('looks into objects', () => {
    expect(
      patched({ a: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: { b: 1, c: 1, d: 1 } }),
      'original {a: {b, c}}, modified {a: {b: 2}}, current {a: {b, c, d}}',
    ).toEqual({ a: { b: 2, c: null } });
  });

  test('replaces lists as a whole, without a schema', () => {
    expect(
      patched({ a: [1] }, { a: [1, 2] }, { a: [1, 3] }),
      'original {a: [1]}, modified {a: [1, 2]}, current {a: [1, 3]}',
    ).toEqual({ a: [1, 2] });
    expect(patched({}, { a: [{ b: 1 }] }, { a: [{ b: 1 }] }), 'equal lists of equal objects').toEqual({});
  });

  test('replaces a value of another type', () => {
    expect(patched({ a: 1 }, { a: { b: 1 } }, { a: 1 }), 'a number becomes an object').toEqual({
      a: { b: 1 },
    });
    expect(patched({ a: { b: 1 } }, { a: 1 }, { a: { b: 1 } }), 'an object becomes a number').toEqual({
      a: 1,
    });
  });

  test('sets an empty object that the server lacks', () => {
    expect(patched({}, { a: {} }, {}), 'modified {a: {}}, current {}').toEqual({ a: {} });
    expect(patched({}, { a: {} }, { a: { b: 1 } }), 'modified {a: {}}, current {a: {b: 1}}').toEqual({});
  });

  test('sends an object with the strategy replace as a whole, each time', () => {
    const schema: MergeSchema = { selector: { patchStrategy: 'replace' } };
    const selector = { matchLabels: { a: 'b' } };
    const versions = { original: { selector: { old: 1 } }, modified: { selector }, current: { selector } };
    expect(
      patchObject(versions, schema),
      'the selector of a PodDisruptionBudget, which the server has',
    ).toEqual({
      selector,
    });
  });

  test('treats missing versions like empty ones', () => {
    expect(patchObject({ modified: { a: { b: 1 } } }, undefined), 'only modified').toEqual({ a: { b: 1 } });
  });

  test('looks only at fields of the object itself', () => {
    expect(
      patched({}, { constructor: 'a', toString: 'b' }, {}),
      'fields with names that JavaScript knows',
    ).toEqual({
      constructor: 'a',
      toString: 'b',
    });
  });

  test('takes a field named __proto__ for a field like others', () => {
    const of = (json: string): JsonObject => JSON.parse(json);
    const patch = patched(of('{"__proto__":"1"}'), of('{"__proto__":"2"}'), of('{"__proto__":"1"}'));
    expect(JSON.stringify(patch), 'its value has changed from 1 to 2').toBe('{"__proto__":"2"}');
    expect(JSON.stringify(patched(of('{"__proto__":"1"}'), {}, {})), 'the manifest has lost it').toBe(
      '{"__proto__":null}',
    );
    expect(JSON.stringify(patched({}, of('{"__proto__":{}}'), {})), 'an empty object is new').toBe(
      '{"__proto__":{}}',
    );
  });

  test('takes resourceVersion, uid and status for fields like others', () => {
    const manifest = { metadata: { resourceVersion: '1', uid: 'a' }, status: { phase: 'Ready' } };
    const live = { metadata: { resourceVersion: '2', uid: 'b' }, status: { phase: 'Busy' } };
    expect(
      patched(manifest, manifest, live),
      'the server refuses a patch with an old resourceVersion or another uid: the manifest guards its object',
    ).toEqual(manifest);
  });

  test('sends a null of the manifest', () => {
    const schema: MergeSchema = { part: { schema: {} } };
    const versions = { original: { a: null }, modified: { a: null }, current: { a: 1 } };
    expect(patchObject(versions, schema), 'with a schema: always').toEqual({ a: null });
    expect(patchObject(versions, undefined), 'in a custom resource: not if it was applied before').toEqual(
      {},
    );
    expect(patched({}, { a: null }, { a: 1 }), 'in a custom resource: if it is new').toEqual({ a: null });
  });

  test.each(
    named(
      vectors<{ patch: JsonObject }, { nullsOnly: JsonObject; withoutNulls: JsonObject }>(
        'json-merge-three-way',
        'filterNulls',
        15,
      ),
    ),
  )(
    'separates changes from deletions, in a custom resource: %s',
    (_, { input: { patch }, expect: wanted }) => {
      expect(
        patched(patch, patch, {}),
        ruleFor('its changes: original = modified = the row, current {}', patch),
      ).toEqual(wanted.withoutNulls);
      expect(
        patched({}, patch, wanted.withoutNulls),
        ruleFor('its deletions: modified = the row, which current has already', patch),
      ).toEqual(wanted.nullsOnly);
    },
  );

  test.each(named(vectors<ThreeWayRow, { patch: JsonObject }>('json-merge-three-way', 'threeWay', 23)))(
    'agrees with upstream about a custom resource: %s',
    (_, { input, expect: wanted }) => {
      const { last = {}, desired = {}, live = {} } = input;
      expect(
        patched(last, desired, live),
        ruleFor('the patch from last (original), desired (modified) and live (current)', input),
      ).toEqual(wanted.patch);
    },
  );
});
