import { describe, expect, test } from 'vitest';
import { encodeProtobuf } from '../../apiserver/handler/encode-protobuf.ts';
import { brokenByAskingAgain } from './agreement.ts';
import type { FuzzRequest } from './request.ts';
import type { Answer } from './served.ts';

const configMap = (data: object, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', uid: 'u', managedFields: [] },
  data,
  ...more,
});

const json = (body: object, status = 200): Answer => {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, contentType: 'application/json', text: bytes.toString(), bytes };
};

const protobuf = (body: object): Answer => {
  const bytes = encodeProtobuf(body);
  return { status: 200, contentType: 'application/vnd.kubernetes.protobuf', text: '', bytes };
};

const table = (rows: readonly object[] | null): object => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  columnDefinitions: [{ name: 'Name' }],
  rows,
});

const get: FuzzRequest = { method: 'GET', path: '/api/v1/configmaps/a', headers: {} };
const put: FuzzRequest = { ...get, method: 'PUT' };
const apply: FuzzRequest = {
  ...get,
  method: 'PATCH',
  headers: { 'Content-Type': 'application/apply-patch+yaml' },
};

/** Returns the violation if the request gets the first answer, and any later request the second one. */
function broken(
  request: FuzzRequest,
  answer: Answer,
  again: Answer,
  writes = 0,
): Promise<string | undefined> {
  const storage = { revision: 1 };
  const send = async ({ method }: FuzzRequest): Promise<Answer> => {
    if (method === 'PATCH') storage.revision += writes;
    return again;
  };
  return brokenByAskingAgain({ send, server: { storage } }, request, answer);
}

describe('a repeated request', () => {
  test('finds no violation in a correct apiserver', async () => {
    const told = configMap({ a: '1' });
    const row = { cells: ['a'], object: { metadata: { name: 'a' } } };
    expect(await broken(get, protobuf(told), json(told))).toBeUndefined();
    expect(await broken(get, json(table([row])), json(told))).toBeUndefined();
    expect(await broken(get, json(table(null)), json({ items: [] }))).toBeUndefined();
    expect(await broken(put, json(told), json(told))).toBeUndefined();
    expect(await broken(apply, json(told), json(told))).toBeUndefined();
  });

  test('finds protobuf that differs from JSON', async () => {
    const [one, other] = [configMap({ a: '1' }), configMap({ a: '2' })];
    expect(await broken(get, protobuf(one), json(other))).toMatch('protobuf differs');
  });

  test.each([
    ['a missing row', [], 'a table of 1 items has 0 rows'],
    ['an additional cell', [{ cells: ['a', 'b'] }], 'row 0 has 2 cells'],
    ['another object', [{ cells: ['b'], object: { metadata: { name: 'b' } } }], 'row 0 shows b'],
  ])('finds a table with %s', async (_, rows, why) => {
    expect(await broken(get, json(table(rows)), json({ items: [configMap({})] }))).toMatch(why);
  });

  test('finds an object that differs from the answer to its write', async () => {
    const told = json(configMap({ a: '1' }));
    expect(await broken(put, told, json(configMap({})))).toMatch('the read differs');
    expect(await broken(put, told, json({ kind: 'Status' }, 404))).toMatch('the read differs');
  });

  test('finds a repeated apply that writes or fails', async () => {
    const told = configMap({});
    expect(await broken(apply, json(told), json(told), 1)).toMatch('writes 1 revisions');
    const refusing = await brokenByAskingAgain(
      {
        send: async ({ method }) => json(told, method === 'PATCH' ? 409 : 200),
        server: { storage: { revision: 1 } },
      },
      apply,
      json(told),
    );
    expect(refusing).toMatch('is answered with 409');
  });

  test('finds an unknown field in an object or a list', async () => {
    const odd = configMap({}, { odd: 1 });
    const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [odd] };
    expect(await broken(get, json(odd), json(odd))).toMatch('unknown field "odd"');
    expect(await broken(get, json(list), json(list))).toMatch('unknown field "items[0].odd"');
  });
});
