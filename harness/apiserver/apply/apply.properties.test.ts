import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isList, isObject, type Json } from '../patch/json-value.ts';
import { compare } from './compare.ts';
import { difference, type FieldSet, intersection, noFields, sameFields, union } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';
import { withoutFields } from './remove.ts';
import { readSchema } from './schema.fixture.ts';
import { fieldsOf } from './to-field-set.ts';
import { type Applied, applyConfig, Conflicts, type Managers, managersAfterUpdate } from './updater.ts';

const string = { scalar: 'string' } as const;
const labels = { map: { elementType: string } };

/** A schema with every form of value. */
const schema = readSchema({
  root: 'object',
  types: [
    {
      name: 'object',
      map: {
        fields: [
          { name: 'text', type: string },
          { name: 'count', type: { scalar: 'numeric' } },
          { name: 'labels', type: labels },
          { name: 'selector', type: { map: { elementType: string, elementRelationship: 'atomic' } } },
          { name: 'set', type: { list: { elementType: string, elementRelationship: 'associative' } } },
          { name: 'args', type: { list: { elementType: string, elementRelationship: 'atomic' } } },
          {
            name: 'items',
            type: {
              list: {
                elementType: { namedType: 'item' },
                elementRelationship: 'associative',
                keys: ['name'],
              },
            },
          },
        ],
      },
    },
    {
      name: 'item',
      map: {
        fields: [
          { name: 'name', type: string },
          { name: 'value', type: string },
          { name: 'labels', type: labels },
        ],
      },
    },
  ],
});

const word = fc.constantFrom('a', 'b', 'c');
// Empty values are not printed, so the printed object does not show whether they exist.
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
const map = fc.dictionary(word, word, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const record = (shape: Record<string, fc.Arbitrary<Json>>, requiredKeys: string[] = []) =>
  fc.record(shape, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Json>;
const item = record({ name: word, value: word, labels: map }, ['name']);
const objects = record({
  text: word,
  count: fc.integer({ min: 0, max: 2 }),
  labels: map,
  selector: map,
  set: words,
  args: fc.array(word, { minLength: 1, maxLength: 2 }),
  items: fc.uniqueArray(item, {
    minLength: 1,
    maxLength: 3,
    selector: (each) => (each as { name: string }).name,
  }),
});

interface State {
  readonly object: Json;
  readonly managers: Managers;
}

const start: State = { object: {}, managers: new Map() };

const filter = (set: FieldSet): FieldSet => set;
const writingOf = (manager: string) => ({ schema, apiVersion: 'v1', manager, filter });

function applied({ object, managers }: State, manager: string, config: Json, force: boolean): Applied {
  return applyConfig(object, config, managers, { ...writingOf(manager), force });
}

function after(state: State, { object, managers }: Applied): State {
  return { object: object === undefined ? state.object : (printed(object) ?? {}), managers };
}

/** Returns the object as the server stores it: without nulls, and without maps that contain nothing else. */
function printed(value: Json): Json | undefined {
  if (value === null) return undefined;
  if (isList(value)) return value.map((item) => printed(item) ?? {});
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, printed(part)] as const);
  const kept = entries.filter(([, part]) => part !== undefined);
  return kept.length > 0 ? (Object.fromEntries(kept) as Json) : undefined;
}

const managers = fc.constantFrom('one', 'two', 'three');

/** States that several managers produce with forced writes. */
const states: fc.Arbitrary<State> = fc
  .array(fc.record({ manager: managers, object: objects, isApplied: fc.boolean() }), { maxLength: 6 })
  .map((writes) =>
    writes.reduce<State>((state, { manager, object, isApplied }) => {
      if (isApplied) return after(state, applied(state, manager, object, true));
      const next = managersAfterUpdate(state.object, object, state.managers, writingOf(`${manager} updates`));
      return { object, managers: next };
    }, start),
  );

test('Idempotent: applying the same configuration twice changes nothing', () => {
  fc.assert(
    fc.property(states, managers, objects, (state, manager, config) => {
      const once = after(state, applied(state, manager, config, true));
      const twice = after(once, applied(once, manager, config, false));
      expect(twice.object).toEqual(once.object);
      expect([...twice.managers.keys()].sort()).toEqual([...once.managers.keys()].sort());
      for (const [name, { set }] of twice.managers) {
        expect(sameFields(set, once.managers.get(name)?.set ?? noFields)).toBe(true);
      }
    }),
  );
});

test('Takes effect: an applied field has the applied value and belongs to its manager', () => {
  fc.assert(
    fc.property(states, managers, objects, (state, manager, config) => {
      const { object, managers: owners } = after(state, applied(state, manager, config, true));
      const { modified, removed } = compare(schema, config, object);
      expect([modified.size, removed.size]).toEqual([0, 0]);
      expect(sameFields(owners.get(manager)?.set ?? noFields, fieldsOf(schema, config))).toBe(true);
    }),
  );
});

test('No false conflicts: managers without a common field never conflict', () => {
  fc.assert(
    fc.property(objects, objects, (one, other) => {
      const two = printed(withoutFields(schema, other, fieldsOf(schema, one))) ?? {};
      const state = after(start, applied(start, 'one', one, false));
      const { object, managers: owners } = after(state, applied(state, 'two', two, false));
      for (const [manager, config] of [
        ['one', one],
        ['two', two],
      ] as const) {
        const { modified, removed } = compare(schema, config, object);
        expect([modified.size, removed.size]).toEqual([0, 0]);
        expect(sameFields(owners.get(manager)?.set ?? noFields, fieldsOf(schema, config))).toBe(true);
      }
    }),
  );
});

test('No silent loss: without force, an apply takes no field from another manager', () => {
  fc.assert(
    fc.property(states, managers, objects, (state, manager, config) => {
      let result: Applied;
      try {
        result = applied(state, manager, config, false);
      } catch (error) {
        expect(error).toBeInstanceOf(Conflicts);
        return;
      }
      for (const [name, { set }] of state.managers) {
        if (name === manager) continue;
        expect(sameFields(result.managers.get(name)?.set ?? noFields, set)).toBe(true);
      }
    }),
  );
});

test('No dead fields: a missing field has no owner', () => {
  fc.assert(
    fc.property(states, ({ object, managers: owners }) => {
      const owned = [...owners.values()].reduce((all, { set }) => union(all, set), noFields);
      const present = union(compare(schema, {}, object).added, fieldsOf(schema, object));
      expect(encodeFields(difference(owned, present))).toEqual({});
    }),
  );
});

test('Readable: decoding returns the encoded set of fields', () => {
  fc.assert(
    fc.property(objects, objects, (one, two) => {
      const set = union(fieldsOf(schema, one), compare(schema, one, two).added);
      const written = JSON.parse(JSON.stringify(encodeFields(set))) as object;
      expect(sameFields(decodeFields(written), set)).toBe(true);
      expect(encodeFields(decodeFields(written))).toEqual(written);
    }),
  );
});

test('Set algebra: union, intersection and difference contain the right fields', () => {
  fc.assert(
    fc.property(objects, objects, (one, two) => {
      const [left, right] = [fieldsOf(schema, one), fieldsOf(schema, two)];
      const both = intersection(left, right);
      expect(sameFields(union(difference(left, right), both), left)).toBe(true);
      expect(sameFields(difference(union(left, right), right), difference(left, right))).toBe(true);
      expect(sameFields(intersection(right, left), both)).toBe(true);
    }),
  );
});
