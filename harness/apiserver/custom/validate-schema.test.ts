import { describe, expect, test } from 'vitest';
import {
  DEFINITIONS,
  definition,
  schemaOfSpec,
  served,
  toldOf as told,
  version,
  versionOfSpec,
} from './cron-tabs.fixture.ts';

/** Returns the validation errors of a schema, without its path. */
async function toldOfSchema(schema: object): Promise<readonly string[]> {
  const causes = await told(definition([versionOfSpec({}, { schema: { openAPIV3Schema: schema } })]));
  return causes.map((cause) => cause.replace('spec.validation.openAPIV3Schema', ''));
}

const toldOfField = async (schema: object): Promise<readonly string[]> => {
  const causes = await toldOfSchema({ type: 'object', properties: { a: schema } });
  return causes.map((cause) => cause.replace('.properties[a]', ''));
};

describe('A schema must be structural', () => {
  test.each<[object, readonly string[]]>([
    [{}, ['.type: Required value: must not be empty for specified object fields']],
    [
      { type: 'text' },
      [
        '.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
      ],
    ],
    [{ type: 'array' }, ['.items: Required value: must be specified']],
    [
      { type: 'array', items: {} },
      ['.items.type: Required value: must not be empty for specified array items'],
    ],
    [
      { type: 'array', items: [{ type: 'string' }] },
      ['.items: Forbidden: items must be a schema object and not an array'],
    ],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, []],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      ['.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined'],
    ],
    [
      { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } },
      ['.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive'],
    ],
    [
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      [
        '.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ],
    ],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      [
        '.anyOf[0].type: Forbidden: must be empty to be structural',
        '.anyOf[1].type: Forbidden: must be empty to be structural',
      ],
    ],
    [
      { type: 'object', not: { additionalProperties: true, description: 'x' } },
      [
        '.not.additionalProperties: Forbidden: must be undefined to be structural',
        '.not.description: Forbidden: must be empty to be structural',
      ],
    ],
    [
      { type: 'array', uniqueItems: true, items: { type: 'string' } },
      [
        '.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ],
    ],
    [{ type: 'object', $ref: '#/a' }, ['.$ref: Forbidden: $ref is not supported']],
    [{ type: 'string', $schema: 'x' }, [': Invalid value: "": OpenAPIV3Schema \'schema\' is not supported']],
  ])('%j', async (schema, expected) => {
    expect(await toldOfField(schema)).toEqual(expected);
  });

  test('is of type object at its root, and restricts only the name in metadata', async () => {
    const of = (more: object) =>
      toldOfSchema({ type: 'object', properties: { metadata: { type: 'object', ...more } } });
    expect(await of({ properties: { name: { type: 'string', maxLength: 5 } } })).toEqual([]);
    expect(await of({ properties: { labels: { type: 'object' } } })).toEqual([
      '.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ]);
    expect(await toldOfSchema({ type: 'string' })).toEqual([
      '.type: Invalid value: "string": must be object at the root',
    ]);
    expect(await toldOfSchema({ type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] })).toEqual([
      '.properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[b]',
    ]);
    expect(await toldOfSchema({ type: 'object', nullable: true })).toEqual([
      '.nullable: Forbidden: nullable cannot be true at the root',
    ]);
  });

  test('with a status subresource allows only some fields at the root', async () => {
    const causes = await told(
      definition([
        version('v1', true, {
          schema: { openAPIV3Schema: { ...schemaOfSpec({ type: 'object' }), maxProperties: 3 } },
        }),
      ]),
    );
    expect(causes).toHaveLength(1);
    expect(causes[0]).toMatch(
      /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"","Schema":"","Ref":null,.*"MaxProperties":3,.*"XValidations":null\}: only \[Description Type .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
    );
  });
});

describe('List types and keys are validated', () => {
  const list = (
    more: object,
    items: object = { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
  ) => ({
    type: 'array',
    items,
    ...more,
  });
  const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

  test.each<[object, readonly string[]]>([
    [list(map), []],
    [
      list({ 'x-kubernetes-list-type': 'map' }),
      ['.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map'],
    ],
    [
      list({ ...map, 'x-kubernetes-list-map-keys': ['k', 'k', 'x'] }),
      [
        '.x-kubernetes-list-map-keys: Invalid value: ["k","k","x"]: must not contain duplicate entries',
        '.x-kubernetes-list-map-keys: Invalid value: ["k","k","x"]: entries must all be names of item properties',
      ],
    ],
    [
      list(map, { type: 'object', properties: { k: { type: 'string' } } }),
      [
        '.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ],
    ],
    [
      list({ 'x-kubernetes-list-type': 'set' }),
      [
        '.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
      ],
    ],
    [
      list({ 'x-kubernetes-list-type': 'bag' }),
      ['.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"'],
    ],
    [
      { type: 'string', 'x-kubernetes-map-type': 'atomic' },
      ['.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified'],
    ],
  ])('%j', async (schema, expected) => {
    expect(await toldOfField(schema)).toEqual(expected);
  });
});

describe('A default value', () => {
  test.each<[object, readonly string[]]>([
    [
      { type: 'string', default: 5 },
      ['.default: Invalid value: "integer":  in body must be of type string: "integer"'],
    ],
    [
      { type: 'object', default: { b: 1 } },
      ['.default: Invalid value: {"b":1}: must not have unknown fields'],
    ],
    [{ type: 'string', default: null }, []],
    [
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: 5 } },
      },
      [
        '.default.metadata: Invalid value: {"labels":5}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
      ],
    ],
  ])('must be valid at its place: %j', async (schema, expected) => {
    expect(await toldOfField(schema)).toEqual(expected);
  });

  test('is not allowed in metadata', async () => {
    const metadata = { type: 'object', properties: { name: { type: 'string', default: 'a' } } };
    const causes = await toldOfSchema({ type: 'object', properties: { metadata } });
    expect(causes).toContain(
      '.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    );
  });
});

describe('Malicious definitions are rejected or have no effect', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };

  test.each<[string, object]>([
    ['nulls in the place of schemas', { type: 'object', properties: { a: null } }],
    ['numbers in the place of schemas', { type: 'object', properties: { a: { type: 'array', items: 5 } } }],
    [
      'fields of the wrong type in items',
      { type: 'object', properties: { a: { type: 'array', items: { required: 'x' } } } },
    ],
    [
      'properties that are a list in items',
      { type: 'object', properties: { a: { type: 'array', items: { properties: [] } } } },
    ],
    ['an invalid enumeration', { type: 'object', additionalProperties: { enum: 5 } }],
    [
      'additional properties that are a number',
      { type: 'object', properties: { a: { type: 'object', additionalProperties: 7 } } },
    ],
    ['a null junctor', { type: 'object', properties: { a: { type: 'string', allOf: [null] } } }],
    [
      'names of JavaScript properties',
      JSON.parse('{"type":"object","properties":{"__proto__":{},"constructor":{},"hasOwnProperty":null}}'),
    ],
    [
      'huge numbers',
      { type: 'object', properties: { a: { type: 'integer', maximum: 1e308, minLength: -1e308 } } },
    ],
    ['a deeply nested schema', nested(300)],
  ])('%s', async (_, schema) => {
    const { send } = await served();
    const { code } = await send(
      'POST',
      DEFINITIONS,
      definition([versionOfSpec({}, { schema: { openAPIV3Schema: schema } })]),
    );
    expect([201, 400, 422]).toContain(code);
  });
});
