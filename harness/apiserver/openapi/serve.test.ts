import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { deployments, groupVersion, resources } from '../../api/resource.ts';
import type { Client } from '../../contracts/client.ts';
import { createHandler } from '../handler/handler.ts';

/** OpenAPI sends no requests to the client. */
const handler = createHandler({} as Client);
const host = 'http://apiserver.test';
const get = (path: string, headers: Record<string, string> = {}) =>
  handler(new Request(host + path, { headers }));

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
const index = async (of = handler): Promise<Index> =>
  (await (await of(new Request(`${host}/openapi/v3`))).json()) as Index;
const urlOf = async (path: string): Promise<string> => (await index()).paths[path]?.serverRelativeURL ?? '';

describe('/openapi/v3', () => {
  test('has the URL of the document of each group version', async () => {
    const { paths } = await index();
    const served = new Set(resources.map((each) => `${each.group ? 'apis' : 'api'}/${groupVersion(each)}`));
    expect(Object.keys(paths)).toEqual([...served].sort());
    expect(Object.keys(paths)).toContain('apis/batch/v1');
    expect(paths['apis/apps/v1']?.serverRelativeURL).toMatch(
      /^\/openapi\/v3\/apis\/apps\/v1\?hash=[\dA-F]{128}$/,
    );
  });

  test('serves each document as JSON', async () => {
    for (const [path, { serverRelativeURL }] of Object.entries((await index()).paths)) {
      const response = await get(serverRelativeURL, { accept: 'application/json' });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'application/json',
      ]);
      const { openapi, info, paths } = (await response.json()) as Record<string, object>;
      expect([openapi, info]).toEqual(['3.0.0', { title: 'Kubernetes', version: 'v1.36.3' }]);
      expect(Object.keys(paths ?? {})).toContain(`/${path}/`);
    }
  });

  test('allows caching of a document that is requested by its hash', async () => {
    const kept = await get(await urlOf('apis/apps/v1'));
    expect(kept.headers.get('cache-control')).toBe('public, immutable');
    expect(kept.headers.get('vary')).toBe('Accept');
    const plain = await get('/openapi/v3/apis/apps/v1');
    expect(plain.headers.get('cache-control')).toBe('no-cache, private');
    expect(await plain.text()).toBe(await kept.text());
  });

  test('redirects from an outdated hash to the current one', async () => {
    const moved = await get('/openapi/v3/apis/apps/v1?hash=ABC');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, await urlOf('apis/apps/v1')]);
  });

  test('answers 304 to a client that has the document', async () => {
    const etag = (await get('/openapi/v3/api/v1')).headers.get('etag') ?? '';
    expect(await urlOf('api/v1')).toBe(`/openapi/v3/api/v1?hash=${JSON.parse(etag)}`);
    const again = await get('/openapi/v3/api/v1', { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    const other = await get('/openapi/v3/api/v1', { 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
    const listed = (await get('/openapi/v3')).headers.get('etag') ?? '';
    expect((await get('/openapi/v3', { 'if-none-match': listed })).status).toBe(304);
  });

  test('falls back to JSON for a client that prefers protobuf, and rejects a client that accepts nothing else', async () => {
    const protobuf = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf';
    const either = await get('/openapi/v3/apis/apps/v1', { accept: `${protobuf}, application/json;q=0.5` });
    expect([either.status, either.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect((await get('/openapi/v3/apis/apps/v1', { accept: protobuf })).status).toBe(406);
  });

  test('is empty for a group version that is not served', async () => {
    const response = await get('/openapi/v3/apis/batch/v2');
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('describes the served resources', async () => {
    const few = createHandler({} as Client, { resources: [deployments] });
    expect(Object.keys((await index(few)).paths)).toEqual(['apis/apps/v1']);
  });
});

describe('/openapi/v2', () => {
  test('is Swagger 2.0 in JSON', async () => {
    for (const accept of ['application/json', '*/*', '']) {
      const response = await get('/openapi/v2', { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toMatchObject({ swagger: '2.0', paths: { '/api/v1/pods': {} } });
    }
  });

  test('is also available in protobuf, by its current and its former name, under the same tag', async () => {
    const name = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
    const etag = (await get('/openapi/v2')).headers.get('etag');
    for (const accept of [name, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf']) {
      const response = await get('/openapi/v2', { accept });
      const { headers } = response;
      expect([response.status, headers.get('content-type'), headers.get('etag')]).toEqual([200, name, etag]);
      // The field 1, a string of 3 bytes: "2.0".
      expect([...new Uint8Array(await response.arrayBuffer()).subarray(0, 5)]).toEqual([
        0x0a, 3, 0x32, 0x2e, 0x30,
      ]);
    }
  });

  test('is compressed for a client that accepts gzip', async () => {
    const plain = await get('/openapi/v2');
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'Accept-Encoding, Accept',
    ]);
    for (const accepted of ['gzip', 'gzip;q=0.5, br']) {
      const response = await get('/openapi/v2', { 'accept-encoding': accepted });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      const body = gunzipSync(Buffer.from(await response.arrayBuffer()));
      expect(body.equals(Buffer.from(await (await get('/openapi/v2')).arrayBuffer()))).toBe(true);
    }
    const refused = await get('/openapi/v2', { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers.get('content-encoding')).toBe(null);
  });

  test('has no other format', async () => {
    expect((await get('/openapi/v2', { accept: 'application/yaml' })).status).toBe(406);
    expect((await get('/openapi/v2/api')).status).toBe(404);
    expect((await get('/openapi')).status).toBe(404);
  });
});

test('the server lists both', async () => {
  const { paths } = (await (await get('/')).json()) as { paths: readonly string[] };
  expect(paths).toEqual(expect.arrayContaining(['/openapi/v2', '/openapi/v3', '/openapi/v3/']));
});
