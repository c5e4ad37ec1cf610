import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { configMaps, namespaces } from '../../api/resource.ts';
import { seededRandom } from '../../sim/index.ts';
import { ManualClock } from '../../testing/manual-clock.ts';
import { ApiServer } from '../apiserver.ts';
import { createHandler } from './handler.ts';

const AT = '/api/v1/namespaces/default/configmaps';
const KIB = 1024;

/** Reads a ConfigMap with `bytes` bytes of the given letter. */
async function ask(bytes: number, headers: Record<string, string>, letter = 'x') {
  const server = new ApiServer({ clock: new ManualClock(), random: seededRandom(1) });
  await server.create(namespaces, { metadata: { name: 'default' }, spec: {} });
  const data = { large: letter.repeat(bytes / Buffer.byteLength(letter)) };
  await server.create(configMaps, { metadata: { namespace: 'default', name: 'one' }, data });
  const handler = createHandler(server);
  return (path = `${AT}/one`) => handler(new Request(`http://apiserver.test${path}`, { headers }));
}

const gzip = { 'Accept-Encoding': 'gzip' };
const told = ({ headers }: Response) => [headers.get('content-encoding'), headers.get('vary')];

// Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/responsewriters/writers_test.go TestSerializeObject
describe('an answer', () => {
  test('is compressed above 128 KiB for a client that accepts gzip', async () => {
    const asking = await ask(129 * KIB, gzip);
    for (const path of [`${AT}/one`, AT]) {
      const response = await asking(path);
      expect(told(response)).toEqual(['gzip', 'Accept-Encoding']);
      expect(response.headers.get('content-type')).toBe('application/json');
      const compressed = Buffer.from(await response.arrayBuffer());
      expect(compressed.length).toBeLessThan(2 * KIB);
      expect(gunzipSync(compressed).toString()).toBe(await (await (await ask(129 * KIB, {}))(path)).text());
    }
  });

  test('is measured in bytes, not in characters', async () => {
    expect(told(await (await ask(129 * KIB, gzip, '€'))())).toEqual(['gzip', 'Accept-Encoding']);
    expect(told(await (await ask(127 * KIB, gzip, '€'))())).toEqual([null, null]);
  });

  test('stays uncompressed below the threshold', async () => {
    const response = await (await ask(127 * KIB, gzip))();
    expect(told(response)).toEqual([null, null]);
    expect(await response.json()).toMatchObject({ kind: 'ConfigMap' });
  });

  test('is compressed in every format', async () => {
    for (const Accept of ['application/yaml', 'application/vnd.kubernetes.protobuf']) {
      const response = await (await ask(129 * KIB, { ...gzip, Accept }))();
      expect([Accept, ...told(response)]).toEqual([Accept, 'gzip', 'Accept-Encoding']);
      expect(gunzipSync(Buffer.from(await response.arrayBuffer())).length).toBeGreaterThan(129 * KIB);
    }
  });

  test.each([
    ['deflate, gzip', 'gzip'],
    ['gzip;q=1', null],
    ['*', null],
    ['identity', null],
    ['br', null],
  ])('for Accept-Encoding: %s is encoded in %s', async (accepted, encoding) => {
    const response = await (await ask(129 * KIB, { 'Accept-Encoding': accepted }))();
    expect(response.headers.get('content-encoding')).toBe(encoding);
  });
});

test('A watch is never compressed', async () => {
  const response = await (await ask(129 * KIB, gzip))(`${AT}?watch=1`);
  expect(told(response)).toEqual([null, null]);
  await response.body?.cancel();
});
