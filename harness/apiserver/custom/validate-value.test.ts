import { describe, expect, test } from 'vitest';
import type { Json } from '../patch/json-value.ts';
import { find } from './json-path.ts';
import { validateListTypes } from './list-types.ts';
import { prune, type StructuralSchema, withDefaults, withoutNulls } from './structural-schema.ts';
import { validateValue } from './validate-value.ts';

/** Returns the violations in a value at `spec`, with their paths. */
const told = (schema: StructuralSchema, value: Json, old?: Json) =>
  validateValue(schema, value, 'spec', old).map(({ field, message }) => `${field}: ${message}`);

describe("A value is validated against its schema with upstream's messages", () => {
  test.each<[StructuralSchema, Json, readonly string[]]>([
    [{ type: 'string' }, 'a', []],
    [{ type: 'string' }, 5, ['spec: Invalid value: "integer":  in body must be of type string: "integer"']],
    [{ type: 'string' }, null, ['spec: Invalid value: "null":  in body must be of type string: "null"']],
    [{ type: 'string', nullable: true }, null, []],
    [
      { type: 'integer' },
      1.5,
      [
        'spec: Invalid value: "number":  in body must be of type integer: "number"',
        'spec: Invalid value: "": Checked value must be of type integer (default format) in ',
      ],
    ],
    [{ type: 'number' }, 5, []],
    [{ 'x-kubernetes-int-or-string': true }, 'a', []],
    [
      { 'x-kubernetes-int-or-string': true },
      true,
      ['spec: Invalid value: "boolean":  in body must be of type integer,string: "boolean"'],
    ],
    [
      { type: 'integer', format: 'int32' },
      2 ** 31,
      ['spec: Invalid value: "": Checked value must be of type integer with format int32 in '],
    ],
    [{ type: 'string', maxLength: 2 }, 'abc', ['spec: Too long: may not be more than 2 bytes']],
    [
      { type: 'string', minLength: 2 },
      'a',
      ['spec: Invalid value: "a":  in body should be at least 2 chars long'],
    ],
    [
      { type: 'string', format: 'date' },
      '2023-02-30',
      ['spec: Invalid value: "2023-02-30":  in body must be of type date: "2023-02-30"'],
    ],
    [{ type: 'string', enum: ['a', 'b'] }, 'c', ['spec: Unsupported value: "c": supported values: "a", "b"']],
    [
      { type: 'string', nullable: true, enum: ['a', null] },
      null,
      ['spec: Unsupported value: null: supported values: "a", "null"'],
    ],
    [{ type: 'array', maxItems: 1 }, [1, 2], ['spec: Too many: 2: must have at most 1 item']],
    [{ type: 'array', minItems: 1 }, [], ['spec: Invalid value: 0:  in body should have at least 1 items']],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, ['spec: Too many: 2: must have at most 1 item']],
    [
      { type: 'object', additionalProperties: false },
      { a: 1 },
      ['spec: Invalid value: "a": .a in body is a forbidden property'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { a: 1 },
      ['spec.a: Invalid value: "integer": .a in body must be of type string: "integer"'],
    ],
    [
      { type: 'object', properties: { a: { type: 'object', required: ['b'] } } },
      { a: {} },
      ['spec.a.b: Required value'],
    ],
    [
      { type: 'integer', maximum: 3, exclusiveMaximum: true },
      3,
      ['spec: Invalid value: 3:  in body should be less than 3'],
    ],
    [
      { type: 'number', maximum: 1000000 },
      1000000.5,
      ['spec: Invalid value: 1.0000005e+06:  in body should be less than or equal to 1e+06'],
    ],
  ])('%j, given %j', (schema, value, expected) => {
    expect(told(schema, value)).toEqual(expected);
  });

  test('the closest of several alternatives reports its violations', () => {
    const schema: StructuralSchema = {
      type: 'object',
      oneOf: [{ required: ['a'] }, { required: ['b'], properties: { kind: { enum: ['x'] } } }],
      properties: { kind: { type: 'string' }, a: { type: 'string' }, b: { type: 'string' } },
    };
    expect(told(schema, { kind: 'x' })).toEqual([
      'spec: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid',
      'spec.b: Required value',
    ]);
    expect(told(schema, { kind: 'x', a: '', b: '' })).toEqual([
      'spec: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
    expect(told({ not: { required: ['a'] } }, { a: 1 })).toEqual([
      'spec: Invalid value: "": "" must not validate the schema (not)',
    ]);
    expect(told({ allOf: [{ minimum: 2 }, { maximum: 5 }] }, 1)).toEqual([
      'spec: Invalid value: 1:  in body should be greater than or equal to 2',
      'spec: Invalid value: "": "" must validate all the schemas (allOf)',
    ]);
  });

  test('prints <nil> for a missing path, as in Go', () => {
    const [cause] = validateValue({ type: 'object', anyOf: [{ required: ['a'] }] }, {});
    expect(cause).toMatchObject({
      field: '<nil>',
      message: 'Invalid value: "": "" must validate at least one schema (anyOf)',
    });
  });

  test.each([
    [0.1, 0.3, true],
    [0.1, 0.35, false],
    [5, 15, true],
    [5, 16, false],
  ])('for multiples of %d, %d is valid: %s', (multipleOf, value, holds) => {
    expect(told({ type: 'number', multipleOf }, value).length === 0).toBe(holds);
  });

  test('a whole number is compared with truncated limits, as upstream does', () => {
    expect(told({ type: 'number', multipleOf: 0.1 }, 1)).toEqual([
      'spec: Invalid value: 1: factor MultipleOf declared for  must be positive: 0',
    ]);
  });

  test('inherited JavaScript properties do not count as fields', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(told({ type: 'object', required: [name] }, {}), name).toEqual([`spec.${name}: Required value`]);
      expect(find(`.${name}`, {}), name).toEqual([]);
      expect(told({ type: 'string', format: name }, 'a'), name).toEqual([]);
    }
    const schema = { type: 'object', properties: { constructor: { type: 'string', default: 'a' } } } as never;
    expect(withDefaults(schema, {})).toEqual({ constructor: 'a' });
    const odd = JSON.parse('{"__proto__": 1}');
    const { value } = prune({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, odd, false);
    expect(JSON.stringify(value)).toBe('{"__proto__":1}');
    const named = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","default":"a"}}}');
    expect(JSON.stringify(withDefaults(named, {}))).toBe('{"__proto__":"a"}');
  });

  test('many violations take linear time', () => {
    const list = Array.from({ length: 50_000 }, (_, i) => i);
    expect(told({ type: 'array', items: { type: 'string' } }, list)).toHaveLength(50_000);
  });
});

describe('Unchanged violations are tolerated', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 1 },
      b: { type: 'string' },
      list: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, size: { type: 'integer', maximum: 1 } },
        },
      },
      plain: { type: 'array', items: { type: 'integer', maximum: 1 } },
    },
  };

  test('in each field', () => {
    expect(told(schema, { a: 'long', b: 'x' }, { a: 'long', b: 'y' })).toEqual([]);
    expect(told(schema, { a: 'longer' }, { a: 'long' })).toHaveLength(1);
    expect(told(schema, { a: 'long' }, {})).toHaveLength(1);
  });

  test('in each item that has keys', () => {
    const before = { list: [{ name: 'x', size: 9 }] };
    expect(
      told(
        schema,
        {
          list: [
            { name: 'y', size: 1 },
            { name: 'x', size: 9 },
          ],
        },
        before,
      ),
    ).toEqual([]);
    expect(told(schema, { list: [{ name: 'x', size: 8 }] }, before)).toHaveLength(1);
  });

  test('in the whole list if items have no keys', () => {
    expect(told(schema, { b: 'x', plain: [9] }, { b: 'y', plain: [9] })).toEqual([]);
    expect(told(schema, { plain: [9, 1] }, { plain: [9] })).toHaveLength(1);
  });
});

describe('Unknown fields', () => {
  const keeping: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };

  test('are removed and reported in the order of their paths', () => {
    const schema: StructuralSchema = { type: 'object', properties: { b: { type: 'object' } } };
    expect(prune(schema, { z: 1, b: { y: 1 }, a: 1 }, false)).toEqual({
      value: { b: {} },
      unknownFields: ['a', 'b.y', 'z'],
    });
  });

  test('stay where they are preserved, also in list items', () => {
    const schema: StructuralSchema = {
      ...keeping,
      type: 'array',
      items: { type: 'object', properties: { a: { type: 'object' } } },
    };
    expect(prune(schema, [{ a: { gone: 1 }, stays: { b: 1 } }], false).value).toEqual([
      { a: {}, stays: { b: 1 } },
    ]);
  });

  test('cannot be keys of a map, but can occur below them', () => {
    expect(prune({ type: 'object', additionalProperties: true }, { a: { b: 1 }, c: 1 }, false)).toEqual({
      value: { a: {}, c: 1 },
      unknownFields: ['a.b'],
    });
  });
});

describe('A null value', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      gone: { type: 'string' },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      kept: { type: 'string', nullable: true },
      filled: { type: 'string', default: 'a' },
    },
    additionalProperties: { type: 'string' },
  };

  test('counts as absent if it is not allowed', () => {
    const sent = { gone: null, any: null, kept: null, filled: null, other: null };
    const value = withoutNulls(schema, sent);
    expect(value).toEqual({ kept: null, filled: null });
    expect(withDefaults(schema, value)).toEqual({ kept: null, filled: 'a' });
  });

  test('stays in a list', () => {
    const list: StructuralSchema = { type: 'array', items: { type: 'string' } };
    expect(withoutNulls(list, [null])).toEqual([null]);
    expect(withDefaults({ type: 'array', items: { type: 'string', default: 'a' } }, [null])).toEqual(['a']);
  });
});

describe('A list', () => {
  const causes = (schema: StructuralSchema, value: Json) =>
    validateListTypes({ type: 'object', properties: { list: schema } }, { list: value }).map(
      ({ field, message }) => `${field}: ${message}`,
    );

  test('of type set has unique items of any type', () => {
    const set: StructuralSchema = { type: 'array', 'x-kubernetes-list-type': 'set' };
    expect(causes(set, ['a', 'b', 'a', 'a'])).toEqual(['list[2]: Duplicate value: "a"']);
    expect(
      causes(set, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toHaveLength(1);
    expect(causes(set, [1, '1', null, 'null'])).toEqual([]);
  });

  test('of type map has unique keys', () => {
    const map: StructuralSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a', 'b'],
    };
    expect(
      causes(map, [
        { a: 1, c: 1 },
        { a: 1, c: 2 },
        { a: 1, b: 1 },
      ]),
    ).toEqual(['list[1]: Duplicate value: {"a":1}']);
    expect(causes(map, [{ a: 1 }, 'x'])).toEqual([
      'list[1]: Invalid value: "x": must be an object for an array of list-type map',
    ]);
  });
});
