import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import { pods } from '../../api/resource.ts';
import { errors, StatusError } from '../../api/status.ts';
import { apiTypes, type Struct } from '../../api/table/table.ts';
import { encodeProtobuf } from './encode-protobuf.ts';
import { openEnvelope } from './protobuf/envelope.ts';
import { readMessage } from './protobuf/message.ts';
import { podsPath, served } from './served.fixture.ts';

const protobuf = { Accept: 'application/vnd.kubernetes.protobuf, application/json' };

const configMap: KubeObject = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2024-04-17T00:00:00Z' },
};

/** Decodes a body as a client does. */
function decoded(bytes: Uint8Array): Record<string, unknown> {
  const { apiVersion, kind, raw } = openEnvelope(bytes);
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const struct = apiTypes.kind({ group, version, kind }) ?? (apiTypes.struct(`meta/v1.${kind}`) as Struct);
  return { kind, apiVersion, ...readMessage(struct, raw) };
}

describe('encodeProtobuf', () => {
  test('encodes an object', () => {
    expect(decoded(encodeProtobuf(configMap))).toEqual(configMap);
  });

  test('encodes a failure', () => {
    const { status } = errors.notFound(pods, 'a');
    expect(decoded(encodeProtobuf(status))).toEqual(status);
  });

  test('encodes a frozen object once, and a mutable one each time', () => {
    const frozen = Object.freeze({ ...configMap });
    expect(encodeProtobuf(frozen)).toBe(encodeProtobuf(frozen));
    const changing = { ...configMap, data: { x: '1' } };
    encodeProtobuf(changing);
    changing.data.x = '2';
    expect(decoded(encodeProtobuf(changing))).toHaveProperty('data.x', '2');
  });

  test.each(['Table', 'Odd', 'ObjectMeta', 'constructor'])(
    'rejects a %s, which has no protobuf encoding',
    (kind) => {
      const refused = `object *v1.${kind} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`;
      expect(() => encodeProtobuf({ kind, apiVersion: 'meta.k8s.io/v1' })).toThrow(StatusError);
      expect(() => encodeProtobuf({ kind, apiVersion: 'meta.k8s.io/v1' })).toThrow(refused);
    },
  );
});

describe('the endpoint', () => {
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

  /** Returns a function that sends a request and reports the code, the media type and the decoded body. */
  async function answering() {
    const { send } = await served();
    return async (...[method, path, body]: Parameters<typeof send>): Promise<unknown[]> => {
      const response = await send(method, path, body, protobuf);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return [response.status, response.headers.get('content-type'), decoded(bytes)];
    };
  }

  test.each<[string, string, string, object | undefined, number, object]>([
    ['an object', 'POST', podsPath, pod, 201, { kind: 'Pod', spec: { containers: [{ name: 'c' }] } }],
    ['a list', 'GET', '/api/v1/namespaces', undefined, 200, { kind: 'NamespaceList', items: [{ spec: {} }] }],
    ['a failure', 'GET', `${podsPath}/x`, undefined, 404, { kind: 'Status', reason: 'NotFound', code: 404 }],
    ['a group', 'GET', '/apis/apps', undefined, 200, { kind: 'APIGroup', name: 'apps' }],
    ['its resources', 'GET', '/api/v1', undefined, 200, { kind: 'APIResourceList', groupVersion: 'v1' }],
    ['the groups', 'GET', '/apis', undefined, 200, { kind: 'APIGroupList' }],
    ['the versions', 'GET', '/api', undefined, 200, { kind: 'APIVersions', versions: ['v1'] }],
  ])('answers with %s', async (_, method, path, body, code, shown) => {
    const answer = await answering();
    expect(await answer(method, path, body)).toMatchObject([
      code,
      'application/vnd.kubernetes.protobuf',
      shown,
    ]);
  });

  test('returns the same object as JSON', async () => {
    const { send } = await served();
    await send('POST', podsPath, pod);
    const inProtobuf = await send('GET', `${podsPath}/a`, undefined, protobuf);
    const { status, ...shown } = (await (await send('GET', `${podsPath}/a`)).json()) as Record<
      string,
      unknown
    >;
    expect(decoded(new Uint8Array(await inProtobuf.arrayBuffer()))).toEqual({ ...shown, status });
  });

  test.each(['/version', '/'])('answers %s in JSON, whatever the client accepts', async (path) => {
    const { send } = await served();
    const response = await send('GET', path, undefined, protobuf);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });
});
