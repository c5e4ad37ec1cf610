import { describe, expect, test } from 'vitest';
import { defineResource } from '../../api/define-resource.ts';
import { namespaces } from '../../api/resource.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from '../handler/handler.ts';

const definition = (versions: readonly object[] = [version('v1', true)], names: object = {}) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'crontabs.stable.example.com' },
  spec: {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab', shortNames: ['ct'], categories: ['all'], ...names },
    versions,
  },
});

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
  additionalPrinterColumns: [{ name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' }],
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          description: 'When to run what.',
          required: ['cronSpec'],
          properties: {
            cronSpec: { type: 'string', pattern: '^\\S+$' },
            image: { type: 'string', default: 'busybox' },
            replicas: { type: 'integer', minimum: 1, maximum: 10 },
            env: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['name'],
              items: {
                type: 'object',
                required: ['name'],
                properties: { name: { type: 'string' }, value: { type: 'string' } },
              },
            },
          },
        },
        status: { type: 'object', properties: { replicas: { type: 'integer' } } },
      },
    },
  },
});

const tab = (spec: object = {}) => ({
  apiVersion: 'stable.example.com/v1',
  kind: 'CronTab',
  metadata: { name: 'mine' },
  spec: { cronSpec: '*', ...spec },
});

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TABS = '/apis/stable.example.com/v1/namespaces/default/crontabs';

/** What is not served at all is answered in plain words. */
const parsed = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text);

/** An apiserver behind HTTP. */
async function served() {
  const sim = new Simulation();
  const server = new ApiServer({ clock: sim.clock, random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const handler = createHandler(server);
  // biome-ignore lint/suspicious/noExplicitAny: an answer is of any kind, and what a test reads of it is held by the expectation
  const send = async (method: string, path: string, body?: unknown, headers: object = {}): Promise<any> => {
    const response = await handler(
      new Request(`http://apiserver.test${path}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    return {
      code: response.status,
      body: parsed(await response.text()),
      warning: response.headers.get('Warning'),
    };
  };
  const settle = () => sim.run({ forMs: 1 });
  return { server, send, settle };
}

/** With the definition of CronTab established. */
async function withCronTabs(...of: Parameters<typeof definition>) {
  const world = await served();
  const { code } = await world.send('POST', DEFINITIONS, definition(...of));
  expect(code).toBe(201);
  await world.settle();
  return world;
}

describe('A CustomResourceDefinition', () => {
  test('is defaulted, its names are accepted, and it is established', async () => {
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

  test('is refused if its schema is not structural', async () => {
    const { send } = await served();
    const broken = {
      ...version('v1', true),
      schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } },
    };
    const { code, body } = await send('POST', DEFINITIONS, definition([broken]));
    expect(code).toBe(422);
    expect(body.message).toContain(
      'spec.versions[0].schema.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    );
  });

  test('whose names another one has is not established', async () => {
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

  test('takes its objects with it', async () => {
    const { send, settle } = await withCronTabs();
    await send('POST', TABS, tab());
    const { body } = await send('DELETE', `${DEFINITIONS}/crontabs.stable.example.com`);
    expect(body.status.conditions.at(-1)).toMatchObject({
      type: 'Terminating',
      reason: 'InstanceDeletionPending',
    });
    expect((await send('POST', TABS, { ...tab(), metadata: { name: 'late' } })).code).toBe(405);
    await settle();
    expect((await send('GET', TABS)).code).toBe(404);
    expect((await send('GET', `${DEFINITIONS}/crontabs.stable.example.com`)).code).toBe(404);
  });
});

describe('A custom resource', () => {
  test('goes with its definition, also if no version of that is served', async () => {
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

  test('is in discovery and in OpenAPI', async () => {
    const { send } = await withCronTabs();
    const { body } = await send('GET', '/apis/stable.example.com/v1');
    expect(body.resources).toMatchObject([
      { name: 'crontabs', singularName: 'crontab', kind: 'CronTab', shortNames: ['ct'], categories: ['all'] },
      { name: 'crontabs/scale', kind: 'Scale', group: 'autoscaling' },
      { name: 'crontabs/status', kind: 'CronTab' },
    ]);
    const { body: document } = await send('GET', '/openapi/v3/apis/stable.example.com/v1');
    const schema = document.components.schemas['com.example.stable.v1.CronTab'];
    expect(schema.properties.spec.description).toBe('When to run what.');
    const { body: swagger } = await send('GET', '/openapi/v2');
    expect(swagger.definitions).toHaveProperty(['com.example.stable.v1.CronTab']);
  });

  test('is defaulted, pruned and counted', async () => {
    const { send } = await withCronTabs();
    const { body, warning } = await send('POST', TABS, tab({ colour: 'red' }));
    expect(body.spec).toEqual({ cronSpec: '*', image: 'busybox' });
    expect(body.metadata.generation).toBe(1);
    expect(warning).toBe('299 - "unknown field \\"spec.colour\\""');
    const strict = await send('POST', `${TABS}?fieldValidation=Strict`, tab({ colour: 'red' }));
    expect(strict.code).toBe(400);
  });

  test('is held to its schema', async () => {
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

  test('is patched, though not strategically, and applied item by item', async () => {
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

  test('is told in the columns of its definition', async () => {
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

  // The hash is that of stable.example.com/v2/CronTab.
  test.each([
    [true, 'TR6IKIUpEME='],
    [false, undefined],
  ])('tells in which version it is stored, as long as that is served: %s', async (isServed, hash) => {
    const stored = { ...version('v2', true), served: isServed };
    const { send } = await withCronTabs([version('v1', false), stored]);
    const { body } = await send('GET', '/apis/stable.example.com/v1');
    expect(body.resources[0].storageVersionHash).toBe(hash);
  });
});
