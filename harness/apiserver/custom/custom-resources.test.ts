import { describe, expect, test } from 'vitest';
import { defineResource } from '../../api/define-resource.ts';
import {
  DEFINITION,
  DEFINITIONS,
  definition,
  schemaOfSpec,
  served,
  TABS,
  tab,
  version,
  withCronTabs,
} from './cron-tabs.fixture.ts';

const APPLY = { 'Content-Type': 'application/apply-patch+yaml' };
const IMAGE_ONLY = {
  openAPIV3Schema: schemaOfSpec({ type: 'object', properties: { image: { type: 'string' } } }),
};

describe('A CustomResourceDefinition', () => {
  test('gets its defaults and its names accepted, and becomes established', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('GET', `${DEFINITIONS}/crontabs.stable.example.com`);
    expect(body.spec.names).toMatchObject({ singular: 'crontab', listKind: 'CronTabList' });
    expect(body.spec.conversion).toEqual({ strategy: 'None' });
    expect(body.status.storedVersions).toEqual(['v1']);
    expect(body.status.acceptedNames).toMatchObject({ plural: 'crontabs', kind: 'CronTab' });
    expect(
      body.status.conditions.map((one: { type: string; status: string }) => [one.type, one.status]),
    ).toEqual([
      ['NamesAccepted', 'True'],
      ['Established', 'True'],
    ]);
  });

  test('is rejected if its schema is not structural', async () => {
    const { send } = await served();
    const broken = {
      ...version('v1', true),
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } },
    };
    const { code, body } = await send('POST', DEFINITIONS, definition([broken]));
    expect(code).toBe(422);
    expect(body.message).toContain(
      'spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    );
  });

  test('whose names are taken is not established', async () => {
    const { send, settle } = await withCronTabs();
    const other = definition(undefined, { plural: 'others', kind: 'Other' });
    await send('POST', DEFINITIONS, { ...other, metadata: { name: 'others.stable.example.com' } });
    await settle();
    const { body } = await send('GET', `${DEFINITIONS}/others.stable.example.com`);
    expect(body.status.conditions).toMatchObject([
      {
        type: 'NamesAccepted',
        status: 'False',
        reason: 'ShortNamesConflict',
        message: '"ct" is already in use',
      },
      { type: 'Established', status: 'False', reason: 'NotAccepted' },
    ]);
  });

  test('is deleted together with its objects', async () => {
    const { send, settle } = await withCronTabs();
    await send('POST', TABS, tab());
    const { body } = await send('DELETE', `${DEFINITIONS}/crontabs.stable.example.com`);
    expect(body.status.conditions.at(-1)).toMatchObject({
      type: 'Terminating',
      reason: 'InstanceDeletionPending',
    });
    const { body: group } = await send('GET', '/apis/stable.example.com/v1');
    expect(group.resources[0].verbs).toEqual(['delete', 'deletecollection', 'get', 'list', 'watch']);
    const late = await send('POST', TABS, { ...tab(), metadata: { name: 'late' } });
    expect(late).toMatchObject({
      code: 403,
      body: {
        reason: 'Forbidden',
        message:
          'crontabs.stable.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
      },
    });
    await settle();
    expect((await send('GET', TABS)).code).toBe(404);
    expect((await send('GET', `${DEFINITIONS}/crontabs.stable.example.com`)).code).toBe(404);
  });
});

describe('A custom resource', () => {
  test('is deleted with its definition, also if no version is served', async () => {
    const { send, settle, server } = await withCronTabs();
    await send('POST', TABS, tab());
    const path = `${DEFINITIONS}/crontabs.stable.example.com`;
    const { body } = await send('GET', path);
    body.spec.versions[0].served = false;
    expect((await send('PUT', path, body)).code).toBe(200);
    await send('DELETE', path);
    await settle();
    expect((await send('GET', path)).code).toBe(404);
    expect(server.storage.list(defineResource('stable.example.com/v1', 'CronTab', 'crontabs'))).toEqual([]);
  });

  test('appears in discovery and in OpenAPI', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('GET', '/apis/stable.example.com/v1');
    expect(body.resources).toMatchObject([
      { name: 'crontabs', singularName: 'crontab', kind: 'CronTab', shortNames: ['ct'], categories: ['all'] },
      { name: 'crontabs/status', kind: 'CronTab' },
      { name: 'crontabs/scale', kind: 'Scale', group: 'autoscaling' },
    ]);
    const { body: document } = await send('GET', '/openapi/v3/apis/stable.example.com/v1');
    const schema = document.components.schemas['com.example.stable.v1.CronTab'];
    expect(schema.properties.spec.description).toBe('When to run what.');
    expect(schema.properties.spec.properties.replicas).toEqual({ type: 'integer', minimum: 1, maximum: 10 });
    // kubectl chooses its type of patch by this list.
    const { patch } = document.paths['/apis/stable.example.com/v1/namespaces/{namespace}/crontabs/{name}'];
    expect(Object.keys(patch.requestBody.content)).not.toContain('application/strategic-merge-patch+json');
    const { body: swagger } = await send('GET', '/openapi/v2');
    expect(swagger.definitions).toHaveProperty(['com.example.stable.v1.CronTab']);
  });

  test('gets defaults, loses unknown fields, and has a generation', async () => {
    const { send } = await withCronTabs();
    const { body, warning } = await send('POST', TABS, tab({ colour: 'red' }));
    expect(body.spec).toEqual({ cronSpec: '*', image: 'busybox' });
    expect(body.metadata.generation).toBe(1);
    expect(warning).toBe('299 - "unknown field \\"spec.colour\\""');
    const strict = await send('POST', `${TABS}?fieldValidation=Strict`, tab({ colour: 'red' }));
    expect(strict.code).toBe(400);
  });

  test('is validated against its schema', async () => {
    const { send } = await withCronTabs();
    const { code, body } = await send(
      'POST',
      TABS,
      tab({ cronSpec: 'a b', replicas: 11, env: [{ name: 'a' }, { name: 'a' }] }),
    );
    expect(code).toBe(422);
    expect(body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'spec.cronSpec',
        message: `Invalid value: "a b": spec.cronSpec in body should match '^\\S+$'`,
      },
      {
        reason: 'FieldValueInvalid',
        field: 'spec.replicas',
        message: 'Invalid value: 11: spec.replicas in body should be less than or equal to 10',
      },
      { reason: 'FieldValueDuplicate', field: 'spec.env[1]', message: 'Duplicate value: {"name":"a"}' },
    ]);
    const { body: typed } = await send('POST', TABS, tab({ replicas: 'x' }));
    expect(typed.details.causes[0].message).toBe(
      'Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    );
  });

  test('supports merge patches and apply, but no strategic merge patches', async () => {
    const { send } = await withCronTabs();
    await send('POST', TABS, tab({ env: [{ name: 'a', value: '1' }] }));
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    expect(
      (await send('PATCH', `${TABS}/mine`, { spec: { replicas: 2 } }, merge)).body.metadata.generation,
    ).toBe(2);
    const strategic = { 'Content-Type': 'application/strategic-merge-patch+json' };
    expect((await send('PATCH', `${TABS}/mine`, {}, strategic)).code).toBe(415);
    const apply = { 'Content-Type': 'application/apply-patch+yaml' };
    const applied = { ...tab(), spec: { env: [{ name: 'b', value: '2' }] } };
    const { body } = await send('PATCH', `${TABS}/mine?fieldManager=me`, applied, apply);
    expect(body.spec.env).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
  });

  test('has a status and a scale', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('POST', TABS, { ...tab({ replicas: 1 }), status: { replicas: 9 } });
    expect(body.status).toBeUndefined();
    const status = await send('PUT', `${TABS}/mine/status`, {
      ...body,
      spec: { cronSpec: 'x' },
      status: { replicas: 3 },
    });
    expect(status.body).toMatchObject({
      spec: { cronSpec: '*' },
      status: { replicas: 3 },
      metadata: { generation: 1 },
    });
    const scaled = await send('PUT', `${TABS}/mine/scale`, {
      metadata: { name: 'mine', namespace: 'default' },
      spec: { replicas: 5 },
    });
    expect(scaled.body).toMatchObject({ kind: 'Scale', spec: { replicas: 5 }, status: { replicas: 3 } });
  });

  test('appears in tables with the columns of its definition', async () => {
    const { send } = await withCronTabs();
    await send('POST', TABS, tab({ replicas: 4 }));
    const { body } = await send('GET', TABS, undefined, {
      Accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    });
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Replicas']);
    expect(body.rows[0].cells).toEqual(['mine', 4]);
  });

  test('is served in each of its versions', async () => {
    const { send } = await withCronTabs([version('v1', false), version('v2', true)]);
    await send('POST', TABS, tab());
    const { body } = await send('GET', TABS.replace('/v1/', '/v2/'));
    expect(body).toMatchObject({ kind: 'CronTabList', apiVersion: 'stable.example.com/v2' });
    expect(body.items[0]).toMatchObject({ spec: { cronSpec: '*', image: 'busybox' } });
    expect((await send('GET', `${TABS}/mine`)).body.apiVersion).toBe('stable.example.com/v1');
    expect((await send('GET', '/apis/stable.example.com')).body.preferredVersion.version).toBe('v2');
  });

  // The hash of stable.example.com/v2/CronTab.
  test.each([
    [true, 'TR6IKIUpEME='],
    [false, undefined],
  ])('reports its stored version in discovery only if that version is served: %s', async (isServed, hash) => {
    const stored = { ...version('v2', true), served: isServed };
    const { send } = await withCronTabs([version('v1', false), stored]);
    const { body } = await send('GET', '/apis/stable.example.com/v1');
    expect(body.resources[0].storageVersionHash).toBe(hash);
  });

  test('is rejected as protobuf, unless it is converted', async () => {
    const { send } = await withCronTabs();
    await send('POST', TABS, tab());
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const { code, body } = await send('POST', TABS, 'k8s\u0000\n\u0000', { 'Content-Type': protobuf });
    expect(code).toBe(400);
    expect(body.message).toBe(
      'CronTab in version "v1" cannot be handled as a CronTab: object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message',
    );
    expect((await send('GET', TABS, undefined, { Accept: protobuf })).code).toBe(406);
    const either = await send('GET', TABS, undefined, { Accept: `${protobuf}, application/json` });
    expect(either.body.kind).toBe('CronTabList');
    const partial = `${protobuf};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
    expect((await send('GET', TABS, undefined, { Accept: partial })).code).toBe(200);
  });

  test('has the list kind of its definition', async () => {
    const { send } = await withCronTabs(undefined, { listKind: 'CronTabBox' });
    expect((await send('GET', TABS)).body.kind).toBe('CronTabBox');
  });

  test('of a deprecated version is returned with a warning', async () => {
    const { send } = await withCronTabs([
      version('v1beta1', false, { deprecated: true }),
      version('v1', true),
      version('v2alpha1', false, { deprecated: true, deprecationWarning: 'Go away.' }),
    ]);
    expect((await send('GET', TABS.replace('/v1/', '/v1beta1/'))).warning).toBe(
      '299 - "stable.example.com/v1beta1 CronTab is deprecated; use stable.example.com/v1 CronTab"',
    );
    expect((await send('GET', TABS)).warning).toBeNull();
    expect((await send('GET', TABS.replace('/v1/', '/v2alpha1/'))).warning).toBe('299 - "Go away."');
  });

  test('is applied in any version, and a repeated apply writes nothing', async () => {
    const { send } = await withCronTabs([version('v1', true), version('v2', false, { schema: IMAGE_ONLY })]);
    await send('POST', TABS, tab({ replicas: 3 }));
    const config = { apiVersion: 'stable.example.com/v2', kind: 'CronTab', spec: { image: 'x' } };
    const apply = () =>
      send('PATCH', `${TABS.replace('/v1/', '/v2/')}/mine?fieldManager=me&force=true`, config, APPLY);
    const { body } = await apply();
    expect(body.spec).toEqual({ image: 'x' });
    expect((await apply()).body.metadata.resourceVersion).toBe(body.metadata.resourceVersion);
  });

  test('is applied after a schema change if it still fits', async () => {
    const { send, settle } = await withCronTabs();
    await send('POST', TABS, tab({ replicas: 3 }));
    const config = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', spec: { image: 'x' } };
    const apply = () => send('PATCH', `${TABS}/mine?fieldManager=me&force=true`, config, APPLY);
    const redefine = async (properties: object) => {
      const { body } = await send('GET', DEFINITION);
      const schema = { openAPIV3Schema: schemaOfSpec({ type: 'object', properties }) };
      body.spec.versions[0] = { ...body.spec.versions[0], schema, subresources: undefined };
      expect((await send('PUT', DEFINITION, body)).code).toBe(200);
      await settle();
    };
    await redefine({ image: { type: 'string' } });
    expect(await apply()).toMatchObject({ code: 200, body: { spec: { image: 'x' } } });
    await send('DELETE', `${TABS}/mine`);
    await send('POST', TABS, tab({ image: 'y' }));
    await redefine({ image: { type: 'object' } });
    expect(await apply()).toMatchObject({ code: 500 });
  });

  test('can have fields named like properties of JavaScript objects', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const { send } = await withCronTabs([version('v1', true, { schema })]);
    await send('POST', TABS, { ...tab(), toString: { constructor: [1] } });
    const config = { apiVersion: 'stable.example.com/v1', kind: 'CronTab', toString: { valueOf: 1 } };
    const { code, body } = await send('PATCH', `${TABS}/mine?fieldManager=me&force=true`, config, APPLY);
    expect([code, body.toString]).toEqual([200, { constructor: [1], valueOf: 1 }]);
  });

  test('with a field items is not a list', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const { send } = await withCronTabs([version('v1', true, { schema })]);
    const items = [{ apiVersion: 'v1', kind: 'Pod' }, null];
    expect((await send('POST', TABS, { ...tab(), items })).body.items).toEqual(items);
    const { body } = await send('GET', `${TABS}/mine`, undefined, {
      Accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect(body.rows.map((row: { cells: unknown[] }) => row.cells[0])).toEqual(['mine']);
  });

  test('is selected by the selectable fields of its definition', async () => {
    const selectableFields = [{ jsonPath: '.spec.image' }, { jsonPath: '.spec.replicas' }];
    const { send } = await withCronTabs([version('v1', true, { selectableFields })]);
    await send('POST', TABS, tab({ replicas: 3 }));
    await send('POST', TABS, { ...tab({ image: 'other' }), metadata: { name: 'second' } });
    const names = async (selector: string) => {
      const { body } = await send('GET', `${TABS}?fieldSelector=${encodeURIComponent(selector)}`);
      return body.items?.map(({ metadata }: { metadata: { name: string } }) => metadata.name) ?? body.message;
    };
    expect(await names('spec.image=busybox')).toEqual(['mine']);
    expect(await names('spec.image!=busybox')).toEqual(['second']);
    expect(await names('spec.replicas=3')).toEqual(['mine']);
    expect(await names('spec.replicas=,metadata.name=second')).toEqual(['second']);
    expect(await names('spec.cronSpec=a')).toBe('field label not supported: spec.cronSpec');
  });

  test('can have finalizers without a domain, which cause a warning', async () => {
    const { send } = await withCronTabs();
    const { code, warning } = await send('POST', TABS, {
      ...tab(),
      metadata: { name: 'mine', finalizers: ['mine', 'a.b'] },
    });
    expect(code).toBe(201);
    expect(warning).toContain(
      'metadata.finalizers: \\"mine\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    );
    expect(warning).toContain('prefer a domain-qualified finalizer name including a path (/) to avoid');
  });

  test('requires a resourceVersion for an update', async () => {
    const { send } = await withCronTabs();
    await send('POST', TABS, tab());
    const { code, body } = await send('PUT', `${TABS}/mine`, tab());
    expect(code).toBe(422);
    expect(body.message).toContain(
      'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });
});

describe('Several definitions of one group', () => {
  test('have their versions in one common order', async () => {
    const { send, settle } = await withCronTabs([version('v1beta1', true)]);
    const other = definition([version('v1', true)], { plural: 'others', kind: 'Other', shortNames: [] });
    await send('POST', DEFINITIONS, { ...other, metadata: { name: 'others.stable.example.com' } });
    await settle();
    const { body } = await send('GET', '/apis/stable.example.com');
    expect(body.preferredVersion.version).toBe('v1');
  });

  test('that belongs to the project need its approval or a reason', async () => {
    const { send, settle } = await served();
    const of = (annotation?: string) => ({
      ...definition(undefined, {}, { group: 'stable.k8s.io' }),
      metadata: {
        name: 'crontabs.stable.k8s.io',
        ...(annotation && { annotations: { 'api-approved.kubernetes.io': annotation } }),
      },
    });
    const told = async (annotation?: string) =>
      (await send('POST', DEFINITIONS, of(annotation))).body.message;
    expect(await told()).toContain(
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    );
    expect(await told('yes')).toContain('with either a URL or a reason starting with "unapproved"');
    expect((await send('POST', DEFINITIONS, of('unapproved, an experiment'))).code).toBe(201);
    await settle();
    const path = `${DEFINITIONS}/crontabs.stable.k8s.io`;
    const condition = async () =>
      (await send('GET', path)).body.status.conditions.find(
        ({ type }: { type: string }) => type === 'KubernetesAPIApprovalPolicyConformant',
      );
    expect(await condition()).toMatchObject({
      status: 'False',
      reason: 'UnapprovedAnnotation',
      message: 'not approved: "unapproved, an experiment"',
    });
    const url = { metadata: { annotations: { 'api-approved.kubernetes.io': 'https://example.com/pull/1' } } };
    await send('PATCH', path, url, { 'Content-Type': 'application/merge-patch+json' });
    await settle();
    expect(await condition()).toMatchObject({ status: 'True', reason: 'ApprovedAnnotation' });
  });
});
