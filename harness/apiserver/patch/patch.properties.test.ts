import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MergeField, MergeSchema } from '../../contracts/apply/index.ts';
import { deepFreeze } from './frozen.fixture.ts';
import { applyJsonPatch } from './json-patch.ts';
import { equalJson, isList, isObject, type Json, type JsonObject } from './json-value.ts';
import { applyMergePatch } from './merge-patch.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

/** All strategies at every depth: the items of a document's lists have the same fields as the document. */
const fields: Record<string, MergeField> = {};
const schema: MergeSchema = Object.assign(fields, {
  items: { patchStrategy: 'merge', patchMergeKey: 'name', schema: fields },
  unions: { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name', schema: fields },
  scalars: { patchStrategy: 'merge' },
  union: { patchStrategy: 'retainKeys', schema: fields },
  whole: { patchStrategy: 'replace', schema: fields },
  part: { schema: fields },
} satisfies MergeSchema);

const scalar = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('', 'a', 'b'), fc.boolean());
const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor');
const scalarList = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), { maxLength: 4 });

interface Shape {
  readonly depth: number;
  /** Whether fields can be null, as in a patch. */
  readonly nulls?: boolean;
  /** Whether fields with the strategy `replace` can occur. */
  readonly whole?: boolean;
}

/** Generates documents of the schema, or patches without directives. */
function documents({ depth, nulls = false, whole = true }: Shape): fc.Arbitrary<JsonObject> {
  const orNull = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
    nulls ? fc.oneof({ arbitrary: value, weight: 4 }, fc.constant(null)) : value;
  const shape: Record<string, fc.Arbitrary<Json>> = {
    plain: orNull(scalar),
    labels: orNull(fc.dictionary(name, orNull(scalar), { maxKeys: 3, noNullPrototype: true })),
    scalars: orNull(scalarList),
  };
  if (depth > 0) {
    const inner = documents({ depth: depth - 1, nulls, whole });
    const item = fc.tuple(name, inner).map(([key, rest]): JsonObject => ({ name: key, ...rest }));
    const list = fc.uniqueArray(item, { maxLength: 3, selector: (element) => element.name });
    shape.free = orNull(fc.oneof(scalar, scalarList, inner));
    shape.atomic = orNull(fc.array(fc.oneof(inner, scalar), { maxLength: 2 }));
    shape.items = orNull(list);
    shape.unions = orNull(list);
    for (const field of ['union', 'part', ...(whole ? ['whole'] : [])]) shape[field] = orNull(inner);
  }
  return fc
    .record(shape, { requiredKeys: [], noNullPrototype: true })
    .map((document) => deepFreeze(document as JsonObject));
}

/** Generates a patch with directives at the top level, where they find objects to change. */
const directed: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      '$deleteFromPrimitiveList/scalars': scalarList,
      items: fc
        .tuple(
          fc.uniqueArray(
            fc
              .tuple(name, documents({ depth: 1, nulls: true }), fc.boolean())
              .map(
                ([key, rest, gone]): JsonObject => ({ ...(gone ? { $patch: 'delete' } : rest), name: key }),
              ),
            { maxLength: 3, selector: (item) => item.name },
          ),
          fc.constantFrom([], [{ $patch: 'replace' }]),
        )
        .map((parts): Json => parts.flat()),
      part: fc
        .tuple(documents({ depth: 1, nulls: true }), fc.constantFrom('replace', 'delete'))
        .map(([rest, $patch]): Json => ({ ...rest, $patch })),
      union: documents({ depth: 1, nulls: true }).map(
        (rest): Json => ({ ...rest, $retainKeys: Object.keys(rest) }),
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .chain((directives) =>
    documents({ depth: 2, nulls: true }).map((rest) => deepFreeze({ ...rest, ...directives } as JsonObject)),
  );

const object = documents({ depth: 2 });
const patch = documents({ depth: 2, nulls: true });
const strategicPatch = fc.oneof(patch, directed);

function apply(original: JsonObject, change: JsonObject): JsonObject {
  return deepFreeze(applyStrategicMergePatch(original, change, schema));
}

/** Lists below these fields are replaced as a whole, so an element corresponds to the one at its index. */
const untagged = ['free', 'atomic', 'whole'];

/** Returns the paths of subtrees of `after` that equal their counterpart in `before` but are not identical to it. */
function unshared(before: Json | undefined, after: Json | undefined, path: readonly string[] = []): string[] {
  if (typeof after !== 'object' || after === null || before === after) return [];
  if (equalJson(before, after)) return [path.join('/')];
  if (isObject(before) && isObject(after)) {
    return Object.keys(after).flatMap((key) =>
      Object.hasOwn(before, key) ? unshared(before[key], after[key], [...path, key]) : [],
    );
  }
  if (isList(before) && isList(after)) {
    const merges = !untagged.some((field) => path.includes(field));
    return after.flatMap((item, index) => {
      const partner =
        merges && isObject(item)
          ? before.find((other) => isObject(other) && other.name === item.name)
          : before[index];
      return unshared(partner, item, [...path, String(index)]);
    });
  }
  return [];
}

describe('strategic merge patch', () => {
  test('Idempotent: a second application of a patch without order directives changes nothing', () => {
    fc.assert(
      fc.property(object, strategicPatch, (original, change) => {
        const once = apply(original, change);
        expect(apply(once, change)).toBe(once);
      }),
    );
  });

  test('Sharing: every unchanged subtree stays the same object', () => {
    fc.assert(
      fc.property(object, patch, (original, change) => {
        expect(unshared(original, apply(original, change))).toStrictEqual([]);
      }),
    );
  });

  test('Quiet: whatever the directives, an equal field stays identical, and so does the document', () => {
    fc.assert(
      fc.property(object, strategicPatch, (original, change) => {
        const result = apply(original, change);
        const touched = Object.keys(result).filter((key) => result[key] !== original[key]);
        expect(touched.filter((key) => equalJson(result[key], original[key]))).toStrictEqual([]);
        expect(result === original).toBe(equalJson(result, original));
      }),
    );
  });
});

describe('merge patch', () => {
  test('Idempotent: a second application of a patch changes nothing', () => {
    fc.assert(
      fc.property(object, patch, (original, change) => {
        const once = deepFreeze(applyMergePatch(original, change));
        expect(applyMergePatch(once, change)).toBe(once);
      }),
    );
  });
});

describe('JSON patch', () => {
  test('Undo: adding and removing a value yields the original object itself', () => {
    fc.assert(
      fc.property(
        object,
        fc.constantFrom('new', 'toString', 'a~1b', 'a~0b'),
        object,
        (original, key, value) => {
          const path = `/${key}`;
          const operations = deepFreeze([
            { op: 'add', path, value },
            { op: 'test', path, value },
            { op: 'remove', path },
          ]);
          expect(applyJsonPatch(original, operations)).toBe(original);
        },
      ),
    );
  });
});
