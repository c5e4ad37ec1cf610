import { describe, expect, test } from 'vitest';
import {
  DEFINITION,
  DEFINITIONS,
  definition,
  schemaOfSpec,
  served,
  version,
  versionOfSpec,
  withCronTabs,
} from './cron-tabs.fixture.ts';

/** What is told of a definition that is sent. */
async function told(sent: object): Promise<readonly string[]> {
  const { send } = await served();
  const { code, body } = await send('POST', DEFINITIONS, sent);
  if (code === 201) return [];
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  return causes.length > 0 ? causes.map(({ field, message }) => `${field}: ${message}`) : [body.message];
}

/** What is told of a schema, without where it stands. */
async function toldOf(schema: object): Promise<readonly string[]> {
  const causes = await told(definition([versionOfSpec({}, { schema: { openAPIV3Schema: schema } })]));
  return causes.map((cause) => cause.replace('spec.validation.openAPIV3Schema', ''));
}

const toldOfField = async (schema: object): Promise<readonly string[]> => {
  const causes = await toldOf({ type: 'object', properties: { a: schema } });
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

  test('at its root it describes an object, of whose metadata it limits the name alone', async () => {
    const of = (more: object) =>
      toldOf({ type: 'object', properties: { metadata: { type: 'object', ...more } } });
    expect(await of({ properties: { name: { type: 'string', maxLength: 5 } } })).toEqual([]);
    expect(await of({ properties: { labels: { type: 'object' } } })).toEqual([
      '.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ]);
    expect(await toldOf({ type: 'string' })).toEqual([
      '.type: Invalid value: "string": must be object at the root',
    ]);
    expect(await toldOf({ type: 'object', anyOf: [{ properties: { b: { minimum: 1 } } }] })).toEqual([
      '.properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.anyOf[0].properties[b]',
    ]);
    expect(await toldOf({ type: 'object', nullable: true })).toEqual([
      '.nullable: Forbidden: nullable cannot be true at the root',
    ]);
  });

  test('a status that is written apart asks for a root that speaks of fields alone', async () => {
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

describe('Lists say how their items are told apart', () => {
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

describe('A default', () => {
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
  ])('must be what an object could say: %j', async (schema, expected) => {
    expect(await toldOfField(schema)).toEqual(expected);
  });

  test('does not stand in metadata', async () => {
    const metadata = { type: 'object', properties: { name: { type: 'string', default: 'a' } } };
    const causes = await toldOf({ type: 'object', properties: { metadata } });
    expect(causes).toContain(
      '.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata',
    );
  });
});

describe('A definition', () => {
  test('whose versions differ is told of them one by one', async () => {
    const causes = await told(
      definition([
        version('v1', true),
        version('v2', false, { schema: { openAPIV3Schema: { type: 'string' } } }),
      ]),
    );
    expect(causes[0]).toMatch(/^spec\.versions\[1\]\.schema\.openAPIV3Schema\.type: /);
  });

  test('has one version in which objects are stored', async () => {
    const [first, second] = await told(
      definition([
        { name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
      ]),
    );
    expect(first).toBe(
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
    );
    expect(second).toBe('status.storedVersions: Invalid value: null: must have at least one stored version');
  });

  test('is called what its names and its group say', async () => {
    const [singular, kind, listKind] = await told(definition(undefined, { kind: 'Cron_Tab' }));
    expect(singular).toMatch(/^spec\.names\.singular: Invalid value: "cron_tab": a DNS-1035 label/);
    const mixed = 'may have mixed case, but should otherwise match: a DNS-1035 label';
    expect(kind).toContain(`spec.names.kind: Invalid value: "Cron_Tab": ${mixed}`);
    expect(listKind).toContain(`spec.names.listKind: Invalid value: "Cron_TabList": ${mixed}`);
    const other = { ...definition(), metadata: { name: 'tabs.example.com' } };
    expect(await told(other)).toEqual([
      'metadata.name: Invalid value: "tabs.example.com": must be spec.names.plural+"."+spec.group',
    ]);
  });

  test('says in paths of a simple kind what its columns show', async () => {
    const columns = [
      { name: 'A', type: 'text', format: 'hex', jsonPath: 'spec.a' },
      { name: '', type: '', jsonPath: '' },
    ];
    expect(await told(definition([version('v1', true, { additionalPrinterColumns: columns })]))).toEqual([
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].format: Invalid value: "hex": must be one of byte,date,date-time,double,float,int32,int64,password',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
      'spec.additionalPrinterColumns[1].name: Required value',
      'spec.additionalPrinterColumns[1].type: Required value: must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[1].JSONPath: Required value',
    ]);
  });

  test('warns of formats that nobody knows', async () => {
    const { send } = await served();
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', format: 'colour' }, b: { type: 'integer', format: 'int32' } },
    };
    const { warning } = await send('POST', DEFINITIONS, definition([versionOfSpec(schema)]));
    expect(warning).toBe('299 - "unrecognized format \\"colour\\""');
  });

  test('is updated only from what was read', async () => {
    const { send } = await withCronTabs();
    const { code, body } = await send('PUT', DEFINITION, definition());
    expect(code).toBe(422);
    expect(body.message).toContain(
      'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  test('that is on its way out can be changed, although its finalizer has no domain', async () => {
    const { send } = await withCronTabs();
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    await send('PATCH', DEFINITION, { metadata: { finalizers: ['example.com/mine'] } }, merge);
    const { body } = await send('DELETE', DEFINITION);
    expect(body.metadata.finalizers).toContain('customresourcecleanup.apiextensions.k8s.io');
    expect((await send('PATCH', DEFINITION, { metadata: { labels: { a: 'b' } } }, merge)).code).toBe(200);
  });
});

describe('What a definition asks for besides', () => {
  const of = (more: object) =>
    told(definition([versionOfSpec({ type: 'object', properties: FIELDS }, more)]));
  const FIELDS = {
    text: { type: 'string' },
    object: { type: 'object' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, { type: 'integer' }])),
  };
  const at = (...paths: readonly string[]) => ({ selectableFields: paths.map((jsonPath) => ({ jsonPath })) });

  test.each<[string, readonly string[], readonly string[]]>([
    ['a field', ['.spec.text'], []],
    ['no path', [''], ['spec.selectableFields[0].jsonPath: Required value']],
    [
      'what is not there',
      ['.spec.none'],
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.none": is an invalid path: does not refer to a valid field',
      ],
    ],
    [
      'brackets',
      ['.spec[0]'],
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec[0]": is an invalid path: array notation is not allowed',
      ],
    ],
    [
      'no point',
      ['spec.text'],
      [
        'spec.selectableFields[0].jsonPath: Invalid value: "spec.text": is an invalid path: expected [ or . but got: spec',
      ],
    ],
    [
      'an object',
      ['.spec.object'],
      [
        'spec.selectableFields[0].jsonPath: Invalid value: ".spec.object": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ],
    ],
    [
      'one twice',
      ['.spec.text', '.spec.text'],
      ['spec.selectableFields[1].jsonPath: Duplicate value: ".spec.text"'],
    ],
    [
      'nine',
      Array.from({ length: 9 }, (_, i) => `.spec.f${i}`),
      ['spec.selectableFields: Too many: 9: must have at most 8 items'],
    ],
  ])('selects by %s', async (_, paths, expected) => {
    expect(await of(at(...paths))).toEqual(expected);
  });

  test.each<[object, readonly string[]]>([
    [{ deprecated: true, deprecationWarning: 'Go.' }, []],
    [
      { deprecationWarning: 'Go.' },
      ['spec.versions[0].deprecationWarning: Invalid value: "Go.": can only be set for deprecated versions'],
    ],
    [
      { deprecated: true, deprecationWarning: '' },
      ['spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'],
    ],
    [
      { deprecated: true, deprecationWarning: 'a\n' },
      [
        'spec.versions[0].deprecationWarning: Invalid value: "a\\n": must only contain printable UTF-8 characters; non-printable character found at index 1',
      ],
    ],
  ])('deprecates: %j', async (more, expected) => {
    expect(await of(more)).toEqual(expected);
  });

  test('scales by paths under its spec and its status', async () => {
    const scale = {
      specReplicasPath: '.replicas',
      statusReplicasPath: '',
      labelSelectorPath: '.metadata.labels',
    };
    expect(await of({ subresources: { scale } })).toEqual([
      'spec.subresources.scale.specReplicasPath: Invalid value: ".replicas": should be a json path under .spec',
      'spec.subresources.scale.statusReplicasPath: Required value',
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.labels": should be a json path under either .spec or .status',
    ]);
  });

  test('keeps no fields that it does not know', async () => {
    expect(await told(definition(undefined, {}, { preserveUnknownFields: true }))).toContain(
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    );
  });

  test('converts by itself alone', async () => {
    const conversion = { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } };
    expect(await told(definition(undefined, {}, { conversion }))).toEqual([
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ]);
  });

  test('lets no version go in which there may be objects', async () => {
    const { send } = await withCronTabs([version('v1', true), version('v2', false)]);
    const { body } = await send('GET', DEFINITION);
    const [, v2] = body.spec.versions;
    const next = { ...body, spec: { ...body.spec, versions: [{ ...v2, storage: true }] } };
    const refused = await send('PUT', DEFINITION, next);
    expect(refused.body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'status.storedVersions[0]',
        message:
          'Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
      },
    ]);
    const both = [
      { ...body.spec.versions[0], storage: false },
      { ...v2, storage: true },
    ];
    const { body: moved } = await send('PUT', DEFINITION, {
      ...body,
      spec: { ...body.spec, versions: both },
    });
    expect(moved.status.storedVersions).toEqual(['v1', 'v2']);
    const migrated = await send('PUT', `${DEFINITION}/status`, {
      ...moved,
      status: { ...moved.status, storedVersions: ['v2'] },
    });
    const last = { ...migrated.body, spec: { ...migrated.body.spec, versions: [{ ...v2, storage: true }] } };
    expect((await send('PUT', DEFINITION, last)).code).toBe(200);
  });

  test('stays in its group and its scope', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('GET', DEFINITION);
    const { code, body: refused } = await send('PUT', DEFINITION, {
      ...body,
      spec: { ...body.spec, scope: 'Cluster' },
    });
    expect([code, refused.details.causes[0].field]).toEqual([422, 'spec.scope']);
  });
});

describe('Hostile definitions are refused, or come to nothing', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };

  test.each<[string, object]>([
    ['nulls in the place of schemas', { type: 'object', properties: { a: null } }],
    ['schemas that are no schemas', { type: 'object', properties: { a: { type: 'array', items: 5 } } }],
    [
      'fields of the wrong type in items',
      { type: 'object', properties: { a: { type: 'array', items: { required: 'x' } } } },
    ],
    [
      'properties that are a list in items',
      { type: 'object', properties: { a: { type: 'array', items: { properties: [] } } } },
    ],
    ['an enumeration that is none', { type: 'object', additionalProperties: { enum: 5 } }],
    [
      'additional properties that are a number',
      { type: 'object', properties: { a: { type: 'object', additionalProperties: 7 } } },
    ],
    ['logic that is null', { type: 'object', properties: { a: { type: 'string', allOf: [null] } } }],
    [
      'names of JavaScript',
      JSON.parse('{"type":"object","properties":{"__proto__":{},"constructor":{},"hasOwnProperty":null}}'),
    ],
    [
      'huge numbers',
      { type: 'object', properties: { a: { type: 'integer', maximum: 1e308, minLength: -1e308 } } },
    ],
    ['what is nested deep', nested(300)],
  ])('%s', async (_, schema) => {
    const { send } = await served();
    const { code } = await send(
      'POST',
      DEFINITIONS,
      definition([versionOfSpec({}, { schema: { openAPIV3Schema: schema } })]),
    );
    expect([201, 400, 422]).toContain(code);
  });

  test('without any spec', async () => {
    const { send } = await served();
    const bare = { ...definition(), spec: null };
    expect((await send('POST', DEFINITIONS, bare)).code).toBe(422);
    expect(
      (await send('POST', DEFINITIONS, { ...definition(), spec: { versions: [null], names: null } })).code,
    ).toBe(422);
  });
});
