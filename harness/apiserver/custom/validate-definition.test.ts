import { describe, expect, test } from 'vitest';
import {
  DEFINITION,
  DEFINITIONS,
  definition,
  served,
  toldOf as told,
  version,
  versionOfSpec,
  withCronTabs,
} from './cron-tabs.fixture.ts';

describe('A definition', () => {
  test('reports errors of different versions one by one', async () => {
    const causes = await told(
      definition([
        version('v1', true),
        version('v2', false, { schema: { openAPIV3Schema: { type: 'string' } } }),
      ]),
    );
    expect(causes[0]).toMatch(/^spec\.versions\[1\]\.schema\.openAPIV3Schema\.type: /);
  });

  test('has exactly one storage version', async () => {
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

  test('has a name made of its plural and its group', async () => {
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

  test('has columns with valid paths, types and formats', async () => {
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

  test('warns about unknown formats', async () => {
    const { send } = await served();
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', format: 'colour' }, b: { type: 'integer', format: 'int32' } },
    };
    const { warning } = await send('POST', DEFINITIONS, definition([versionOfSpec(schema)]));
    expect(warning).toBe('299 - "unrecognized format \\"colour\\""');
  });

  test('requires a resourceVersion for an update', async () => {
    const { send } = await withCronTabs();
    const { code, body } = await send('PUT', DEFINITION, definition());
    expect(code).toBe(422);
    expect(body.message).toContain(
      'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  test('can be changed during its deletion although its finalizer has no domain', async () => {
    const { send } = await withCronTabs();
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    await send('PATCH', DEFINITION, { metadata: { finalizers: ['example.com/mine'] } }, merge);
    const { body } = await send('DELETE', DEFINITION);
    expect(body.metadata.finalizers).toContain('customresourcecleanup.apiextensions.k8s.io');
    expect((await send('PATCH', DEFINITION, { metadata: { labels: { a: 'b' } } }, merge)).code).toBe(200);
  });
});

describe('Further parts of a definition', () => {
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
    ['a missing path', [''], ['spec.selectableFields[0].jsonPath: Required value']],
    [
      'an unknown field',
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
      'a missing dot',
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
      'a duplicate field',
      ['.spec.text', '.spec.text'],
      ['spec.selectableFields[1].jsonPath: Duplicate value: ".spec.text"'],
    ],
    [
      'more than eight',
      Array.from({ length: 9 }, (_, i) => `.spec.f${i}`),
      ['spec.selectableFields: Too many: 9: must have at most 8 items'],
    ],
  ])('selectable fields: %s', async (_, paths, expected) => {
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
  ])('deprecation: %j', async (more, expected) => {
    expect(await of(more)).toEqual(expected);
  });

  test('the scale needs paths under spec and status', async () => {
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

  test('unknown fields cannot be preserved globally', async () => {
    expect(await told(definition(undefined, {}, { preserveUnknownFields: true }))).toContain(
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    );
  });

  test('webhook settings are forbidden for the strategy None', async () => {
    const conversion = { strategy: 'None', webhook: { conversionReviewVersions: ['v1'] } };
    expect(await told(definition(undefined, {}, { conversion }))).toEqual([
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ]);
  });

  const wrongClient = 'spec.conversion.webhookClientConfig';
  const wrongVersions = 'spec.conversion.conversionReviewVersions';
  const service = { namespace: 'a', name: 'b' };
  test.each([
    [
      undefined,
      [
        `${wrongClient}: Required value: required when strategy is set to Webhook`,
        `${wrongVersions}: Required value`,
      ],
    ],
    [
      { clientConfig: {}, conversionReviewVersions: ['v1'] },
      [`${wrongClient}: Required value: exactly one of url or service is required`],
    ],
    [
      { clientConfig: { url: 'https://a.example/#b' }, conversionReviewVersions: ['v2'] },
      [
        `${wrongClient}.url: Invalid value: "b": fragments are not permitted in the URL`,
        `${wrongVersions}: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
      ],
    ],
    [
      { clientConfig: { service: { ...service, port: 0 } }, conversionReviewVersions: ['v1', 'v1'] },
      [
        `${wrongClient}.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
        `${wrongVersions}[1]: Invalid value: "v1": duplicate version`,
      ],
    ],
    [{ clientConfig: { service }, conversionReviewVersions: ['v1beta1', 'v3'] }, []],
  ])('a conversion webhook %j has the violations %j', async (webhook, whys) => {
    const conversion = { strategy: 'Webhook', ...(webhook && { webhook }) };
    expect(await told(definition(undefined, {}, { conversion }))).toEqual(whys);
  });

  test('a version with stored objects cannot be removed', async () => {
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

  test('the scope is immutable', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('GET', DEFINITION);
    const { code, body: refused } = await send('PUT', DEFINITION, {
      ...body,
      spec: { ...body.spec, scope: 'Cluster' },
    });
    expect([code, refused.details.causes[0].field]).toEqual([422, 'spec.scope']);
  });
});

describe('A definition without a spec', () => {
  test('is rejected for all missing fields', async () => {
    const { send } = await served();
    const bare = { ...definition(), spec: null };
    expect((await send('POST', DEFINITIONS, bare)).code).toBe(422);
    expect(
      (await send('POST', DEFINITIONS, { ...definition(), spec: { versions: [null], names: null } })).code,
    ).toBe(422);
  });
});
