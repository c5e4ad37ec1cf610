import { describe, expect, test } from 'vitest';
import { namespaces, pods } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { Client, Watch } from '../../contracts/client.ts';
import { WatchQueue } from '../../contracts/watch-queue.ts';
import { Simulation, seededRandom } from '../../sim/index.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';
import { negotiate } from './negotiation.ts';
import { host, podsPath, served } from './served.fixture.ts';
import { conversionsAt } from './transform.ts';

const as = (kind: string, version = 'v1', mediaType = 'application/json') =>
  `${mediaType};as=${kind};v=${version};g=meta.k8s.io`;
const table = { Accept: as('Table') };

const pod = (name: string) => ({
  metadata: { name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] },
});

/** Creates a handler for an apiserver with two pods. */
async function withPods() {
  const { send, refused } = await served();
  for (const name of ['web-1', 'web-2']) await send('POST', podsPath, pod(name));
  const get = async (path: string, headers: Record<string, string> = table) => {
    const response = await send('GET', path, undefined, headers);
    return (await response.json()) as Record<string, unknown>;
  };
  return { send, refused, get };
}

const partial = (name: string, apiVersion = 'meta.k8s.io/v1') => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata: expect.objectContaining({ name, labels: { app: 'web' } }),
});

describe('A table', () => {
  test('has the columns of the kind and one row per object', async () => {
    const { get } = await withPods();
    const { columnDefinitions, rows, ...rest } = await get(podsPath);
    expect(rest).toEqual({ kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '3' } });
    expect(columnDefinitions).toContainEqual({
      name: 'Node',
      type: 'string',
      format: '',
      description: 'The node that the pod is bound to.',
      priority: 1,
    });
    const cells = ['0/1', 'Pending', '0', '0s', '<none>', '<none>', '<none>', '<none>'];
    expect(rows).toEqual([
      { cells: ['web-1', ...cells], object: partial('web-1') },
      { cells: ['web-2', ...cells], object: partial('web-2') },
    ]);
  });

  test("of one object has the object's resourceVersion", async () => {
    const { get } = await withPods();
    const { metadata, rows } = await get(`${podsPath}/web-1`);
    expect(metadata).toEqual({ resourceVersion: '2' });
    expect(rows).toMatchObject([{ object: partial('web-1') }]);
  });

  test('of a page has the continue token', async () => {
    const { get } = await withPods();
    const { metadata } = (await get(`${podsPath}?limit=1`)) as { metadata: Record<string, unknown> };
    expect(metadata).toEqual({ resourceVersion: '3', continue: expect.any(String), remainingItemCount: 1 });
    expect(await get(`${podsPath}?limit=1&continue=${metadata.continue}`)).toMatchObject({
      rows: [{ object: partial('web-2') }],
    });
  });

  test('of an empty list has columns and no rows', async () => {
    const { get } = await withPods();
    const empty = await get('/api/v1/namespaces/default/configmaps');
    expect(empty).toMatchObject({ columnDefinitions: [{ name: 'Name' }, {}, {}], rows: [] });
  });

  test.each([
    ['', partial('web-1')],
    ['?includeObject=', partial('web-1')],
    ['?includeObject=Metadata', partial('web-1')],
    ['?includeObject=None', null],
    [
      '?includeObject=Object',
      expect.objectContaining({ kind: 'Pod', apiVersion: 'v1', spec: expect.anything() }),
    ],
  ])('with "%s" includes %j for each object', async (query, object) => {
    const { get } = await withPods();
    expect(await get(`${podsPath}/web-1${query}`)).toMatchObject({ rows: [{ object }] });
  });

  test('rejects an unknown includeObject, after a write has happened', async () => {
    const { refused, send } = await withPods();
    const told =
      "Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', 'Object', 'None', or empty";
    const query = '?includeObject=All';
    expect(await refused('GET', `${podsPath}${query}`, undefined, table)).toEqual([400, 'BadRequest', told]);
    expect(await refused('POST', `${podsPath}${query}`, pod('web-3'), table)).toEqual([
      400,
      'BadRequest',
      told,
    ]);
    expect((await send('GET', `${podsPath}/web-3`)).status).toBe(200);
    expect((await send('GET', `${podsPath}${query}`)).status).toBe(200);
  });

  test('can have the beta version', async () => {
    const { get } = await withPods();
    const { apiVersion, rows } = await get(`${podsPath}/web-1`, { Accept: as('Table', 'v1beta1') });
    expect(apiVersion).toBe('meta.k8s.io/v1beta1');
    expect(rows).toMatchObject([{ object: partial('web-1', 'meta.k8s.io/v1beta1') }]);
  });

  test('shows the result of a write', async () => {
    const { send } = await withPods();
    const created = await send('POST', podsPath, pod('web-3'), table);
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ kind: 'Table', rows: [{ object: partial('web-3') }] });
    const patch = { ...table, 'Content-Type': 'application/merge-patch+json' };
    const patched = await send('PATCH', `${podsPath}/web-3`, { metadata: { labels: { app: 'db' } } }, patch);
    expect(await patched.json()).toMatchObject({ kind: 'Table' });
    const deleted = await send('DELETE', podsPath, undefined, table);
    expect(((await deleted.json()) as { rows: unknown[] }).rows).toHaveLength(3);
  });

  test('has separate columns for a scale', async () => {
    const { get, send } = await withPods();
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { app: 'web' } }, spec: pod('').spec };
    const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };
    await send('POST', path, { metadata: { name: 'web' }, spec });
    const names = async (of: string) =>
      ((await get(of)).columnDefinitions as { name: string }[]).map(({ name }) => name);
    expect(await names(`${path}/web/scale`)).toEqual(['Name', 'Desired', 'Available', 'Age']);
    expect(await names(`${path}/web/status`)).toContain('Up-to-date');
  });

  test('never replaces a Status', async () => {
    const { get, send } = await withPods();
    expect(await get(`${podsPath}/none`, { Accept: `${as('Table')},application/json` })).toMatchObject({
      kind: 'Status',
      code: 404,
    });
    const path = '/api/v1/namespaces/default/pods/web-1/binding';
    const body = { metadata: { name: 'web-1' }, target: { kind: 'Node', name: 'node-1' } };
    const bound = await send('POST', path, body, { Accept: as('PartialObjectMetadata') });
    expect(await bound.json()).toMatchObject({ kind: 'Status', status: 'Success' });
  });

  test('can be encoded as YAML', async () => {
    const { send } = await withPods();
    const response = await send('GET', podsPath, undefined, {
      Accept: as('Table', 'v1', 'application/yaml'),
    });
    expect(response.headers.get('content-type')).toBe('application/yaml');
    expect(await response.text()).toContain('kind: Table');
  });
});

describe('Metadata alone', () => {
  test('replaces one object', async () => {
    const { get } = await withPods();
    expect(await get(`${podsPath}/web-1`, { Accept: as('PartialObjectMetadata') })).toEqual(partial('web-1'));
  });

  test('replaces a list, and each item carries its kind', async () => {
    const { get } = await withPods();
    expect(await get(`${podsPath}?limit=1`, { Accept: as('PartialObjectMetadataList', 'v1beta1') })).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1beta1',
      metadata: { resourceVersion: '3', continue: expect.any(String), remainingItemCount: 1 },
      items: [partial('web-1', 'meta.k8s.io/v1beta1')],
    });
  });

  test('of an empty list has null items', async () => {
    const { get } = await withPods();
    const list = await get('/api/v1/configmaps', { Accept: as('PartialObjectMetadataList') });
    expect(list).toMatchObject({ items: null });
  });

  test.each([
    ['PartialObjectMetadata', podsPath, 'a list (*core.PodList)'],
    ['PartialObjectMetadata', '/apis/apps/v1/deployments', 'a list (*apps.DeploymentList)'],
    ['PartialObjectMetadata', '/apis/events.k8s.io/v1/events', 'a list (*core.EventList)'],
    ['PartialObjectMetadataList', `${podsPath}/web-1`, 'not a list (*core.Pod)'],
  ])('as a %s is rejected for %s', async (kind, path, what) => {
    const { refused } = await withPods();
    expect(await refused('GET', path, undefined, { Accept: as(kind) })).toEqual([
      406,
      'NotAcceptable',
      `you requested ${kind}, but the requested object is ${what}`,
    ]);
  });
});

describe('conversionsAt', () => {
  const offered = (target: Parameters<typeof conversionsAt>[0], accept: string) =>
    negotiate(accept, conversionsAt(target))?.mediaType;

  test.each([
    ['collection', as('Table'), true],
    ['object', as('Table', 'v1beta1'), true],
    ['status', as('Table'), true],
    ['scale', as('Table', 'v1', 'application/yaml'), true],
    ['token', as('Table'), false],
    ['binding', as('Table'), false],
    ['eviction', as('Table'), false],
    ['ephemeralcontainers', as('Table'), false],
    ['token', as('PartialObjectMetadata'), true],
    ['object', as('PartialObjectMetadataList'), true],
    ['object', as('Table', 'v2'), false],
    ['object', as('Pod'), false],
    ['object', 'application/json;as=Table;v=v1;g=apps', false],
    ['object', 'application/json', true],
  ] as const)('for %s and %s offers a conversion: %s', (target, accept, is) => {
    expect(offered(target, accept) !== undefined).toBe(is);
  });

  test('offers tables only in text formats', () => {
    const convert = { group: 'meta.k8s.io', version: 'v1', kind: 'Table' };
    const allows = conversionsAt('object');
    expect(allows(convert, 'application/vnd.kubernetes.protobuf')).toBe(false);
    expect(allows({ ...convert, kind: 'PartialObjectMetadata' }, 'application/vnd.kubernetes.protobuf')).toBe(
      true,
    );
  });

  test('falls back to a plain object if the client accepts it', async () => {
    const { send } = await withPods();
    const path = '/api/v1/namespaces/default/serviceaccounts';
    await send('POST', path, { metadata: { name: 'sa' } });
    const body = { spec: { audiences: ['a'] } };
    const Accept = `${as('Table')},application/json`;
    const response = await send('POST', `${path}/sa/token`, body, { Accept });
    expect(await response.json()).toMatchObject({ kind: 'TokenRequest' });
  });
});

describe('A watch', () => {
  /** Returns the first events of a watch of pods, during which a pod is created and another deleted. */
  async function events(count: number, Accept: string, query = '') {
    const { send } = await withPods();
    const response = await send('GET', `${podsPath}?watch=true&resourceVersion=3${query}`, undefined, {
      Accept,
    });
    await send('POST', podsPath, pod('web-3'));
    await send('DELETE', `${podsPath}/web-1?gracePeriodSeconds=0`);
    const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    let text = '';
    let ended = false;
    while (!ended && text.trim().split('\n').length < count) {
      const { done, value } = await reader.read();
      ended = done;
      text += new TextDecoder().decode(value);
    }
    await reader.cancel();
    const lines = text.split('\n').filter(Boolean);
    return {
      ended,
      events: lines.map((line) => JSON.parse(line) as { type: string; object: Record<string, unknown> }),
    };
  }

  test('sends a table with one row per event, and the columns only in the first', async () => {
    const { events: told } = await events(2, as('Table'));
    const [first, second] = told;
    expect([first?.type, first?.object.metadata]).toEqual(['ADDED', { resourceVersion: '4' }]);
    expect(first?.object.columnDefinitions).toHaveLength(9);
    expect(first?.object.rows).toMatchObject([{ object: partial('web-3') }]);
    expect(second?.object).toMatchObject({ kind: 'Table', columnDefinitions: null });
    expect(second?.object.rows).toMatchObject([{ object: partial('web-1') }]);
  });

  test('can send metadata alone', async () => {
    const { events: told } = await events(2, as('PartialObjectMetadata'));
    expect(told[0]).toEqual({ type: 'ADDED', object: partial('web-3') });
  });

  test('ends if its objects cannot be converted', async () => {
    expect(await events(2, as('PartialObjectMetadataList'))).toEqual({ ended: true, events: [] });
  });

  test('sends bookmarks in the same form, and always includes metadata in the one that ends a streaming list', async () => {
    const streaming =
      '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&includeObject=None';
    const { events: told } = await events(3, as('Table'), streaming);
    const bookmark = told.find(({ type }) => type === 'BOOKMARK');
    expect(told[0]?.object.rows).toMatchObject([{ object: null }]);
    expect(bookmark?.object).toMatchObject({ kind: 'Table', columnDefinitions: null });
    expect(bookmark?.object.rows).toMatchObject([
      { cells: ['', '0/0', '', '0', '<unknown>', '<none>', '<none>', '<none>', '<none>'] },
    ]);
    expect(JSON.stringify(bookmark?.object.rows)).toContain('"k8s.io/initial-events-end":"true"');
  });

  test('reports its final error as a plain Status', async () => {
    const watch = new WatchQueue();
    watch.push({ type: 'ERROR', object: errors.tooOldResourceVersion(1, 5).status });
    watch.end();
    const client: Partial<Client> = { watch: async () => watch as Watch<never> };
    const request = new Request(`${host}${podsPath}?watch=true`, { headers: table });
    const response = await createHandler(client as Client)(request);
    expect(JSON.parse(await response.text())).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410 },
    });
  });

  test('rejects an unknown includeObject', async () => {
    const { refused } = await withPods();
    const path = `${podsPath}?watch=true&includeObject=All`;
    expect((await refused('GET', path, undefined, table)).slice(0, 2)).toEqual([400, 'BadRequest']);
  });

  test('rejects YAML', async () => {
    const { refused } = await withPods();
    const Accept = as('Table', 'v1', 'application/yaml');
    expect((await refused('GET', `${podsPath}?watch=true`, undefined, { Accept })).slice(0, 2)).toEqual([
      406,
      'NotAcceptable',
    ]);
  });
});

describe('The age in a table', () => {
  async function ageAfter(ms: number, handlerOf: (server: ApiServer) => ReturnType<typeof createHandler>) {
    const simulation = new Simulation();
    const server = new ApiServer({ clock: simulation.clock, random: seededRandom(1) });
    const handler = handlerOf(server);
    await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
    await server.create(pods, { ...pod('web'), metadata: { name: 'web', namespace: 'default' } });
    await simulation.run({ forMs: ms });
    const response = await handler(new Request(`${host}${podsPath}/web`, { headers: table }));
    const { rows } = (await response.json()) as { rows: { cells: unknown[] }[] };
    return rows[0]?.cells[4];
  }

  /** Wraps the apiserver in a client that is not a Session. */
  const behind = (server: ApiServer): Client =>
    ({ get: server.get.bind(server) }) as Partial<Client> as Client;

  test('goes by the clock of the apiserver', async () => {
    expect(await ageAfter(190_000, (server) => createHandler(server))).toBe('3m10s');
    expect(await ageAfter(190_000, (server) => createHandler(server.as('somebody')))).toBe('3m10s');
  });

  test('uses the clock that it receives', async () => {
    const clock = { now: () => Date.UTC(2100, 0) };
    expect(await ageAfter(0, (server) => createHandler(behind(server), { clock }))).toMatch(/^\d\dy$/);
  });

  test('is unknown if neither the client nor the options have a clock', async () => {
    expect(await ageAfter(0, (server) => createHandler(behind(server)))).toBe('<unknown>');
  });
});
