import { describe, expect, test } from 'vitest';
import type * as authentication from '#api/authentication/v1';
import { nodes, pods, secrets, serviceAccounts } from '../../api/resource.ts';
import { key, refusal, type World, world } from './replicas.fixture.ts';

const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Creates a service account `web` and a pod that uses it. */
async function withAccount(): Promise<World> {
  const made = await world();
  await made.server.create(serviceAccounts, { metadata: key('web') });
  await made.server.create(nodes, { metadata: { name: 'node-1' }, spec: {}, status: {} });
  const spec = { serviceAccountName: 'web', nodeName: 'node-1', containers: [{ name: 'a', image: 'nginx' }] };
  await made.server.create(pods, { metadata: key('web-1'), spec });
  return made;
}

const bound = (boundObjectRef: authentication.BoundObjectReference, rest: object = {}) => ({
  spec: { audiences: [], boundObjectRef, ...rest },
});

describe('A token', () => {
  test('contains its account, its audiences and its expiry', async () => {
    const { server } = await withAccount();
    const { uid } = (await server.get(serviceAccounts, key('web'))).metadata;
    const request = { spec: { audiences: ['vault'], expirationSeconds: 600 } };
    const answer = await server.createToken(key('web'), request);
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'web', namespace: 'default', uid },
      spec: { audiences: ['vault'], expirationSeconds: 600 },
      status: { expirationTimestamp: '2024-04-17T00:10:00Z' },
    });
    expect(answer.status.token.split('.')).toHaveLength(3);
    const now = Date.parse('2024-04-17T00:00:00Z') / 1_000;
    expect(claimsIn(answer.status.token)).toEqual({
      aud: ['vault'],
      exp: now + 600,
      iat: now,
      iss: 'https://kubernetes.default.svc.cluster.local',
      jti: expect.any(String),
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'web', uid } },
      nbf: now,
      sub: 'system:serviceaccount:default:web',
    });
    expect((await server.get(serviceAccounts, key('web'))).metadata.resourceVersion).toBe(
      (await server.list(serviceAccounts)).items[0]?.metadata.resourceVersion,
    );
  });

  test('defaults to the audience of the API and one hour', async () => {
    const { server } = await withAccount();
    const { spec } = await server.createToken(key('web'), { spec: { audiences: [] } });
    expect(spec).toEqual({
      audiences: ['https://kubernetes.default.svc.cluster.local'],
      expirationSeconds: 3_600,
    });
  });

  test('differs on each request', async () => {
    const { server } = await withAccount();
    const tokens = [await server.createToken(key('web'), {}), await server.createToken(key('web'), {})];
    expect(tokens[0]?.status.token).not.toBe(tokens[1]?.status.token);
  });

  test('bound to a pod names the pod and its node', async () => {
    const { server } = await withAccount();
    const [pod, node] = [await server.get(pods, key('web-1')), await server.get(nodes, { name: 'node-1' })];
    const ref = { apiVersion: 'v1', kind: 'Pod', name: 'web-1', uid: pod.metadata.uid };
    const { status } = await server.createToken(key('web'), bound(ref));
    expect(claimsIn(status.token)['kubernetes.io']).toMatchObject({
      pod: { name: 'web-1', uid: pod.metadata.uid },
      node: { name: 'node-1', uid: node.metadata.uid },
    });
    expect(await refusal(server.createToken(key('web'), bound({ ...ref, uid: 'old' })))).toBe(
      '409 Conflict: Operation cannot be fulfilled on Pod "web-1": the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
    );
    await server.create(serviceAccounts, { metadata: key('other') });
    expect(await refusal(server.createToken(key('other'), bound(ref)))).toBe(
      '400 BadRequest: cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    );
  });

  test('that a pod gets by default lives for a year, but warns after an hour', async () => {
    const { server } = await withAccount();
    const request = bound({ apiVersion: 'v1', kind: 'Pod', name: 'web-1' }, { expirationSeconds: 3_607 });
    const { status } = await server.createToken(key('web'), request);
    const { exp, iat, 'kubernetes.io': own } = claimsIn(status.token);
    expect([exp - iat, own.warnafter - iat]).toEqual([365 * 24 * 3_600, 3_607]);
    expect(status.expirationTimestamp).toBe('2024-04-17T01:00:07Z');
  });

  test('can be bound to a node or a secret, but to no other kind', async () => {
    const { server } = await withAccount();
    await server.create(secrets, { metadata: key('s') });
    const of = async (kind: string, name: string) => {
      const { status } = await server.createToken(key('web'), bound({ apiVersion: 'v1', kind, name }));
      return claimsIn(status.token)['kubernetes.io'];
    };
    expect(await of('Node', 'node-1')).toMatchObject({ node: { name: 'node-1' } });
    expect(await of('Secret', 's')).toMatchObject({ secret: { name: 's' } });
    expect(await refusal(of('Secret', 'none'))).toBe('404 NotFound: secrets "none" not found');
    for (const kind of ['ConfigMap', 'constructor', '__proto__']) {
      expect(await refusal(of(kind, 's'))).toBe(
        `400 BadRequest: cannot bind token to object of type /v1, Kind=${kind}`,
      );
    }
  });

  test('requires an existing account with the requested uid', async () => {
    const { server } = await withAccount();
    expect(await refusal(server.createToken(key('none'), {}))).toBe(
      '404 NotFound: serviceaccounts "none" not found',
    );
    const { uid } = (await server.get(serviceAccounts, key('web'))).metadata;
    expect(await refusal(server.createToken(key('web'), { metadata: { uid: 'x' } }))).toBe(
      `409 Conflict: Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "web": the UID in the token request (x) does not match the UID of the service account (${uid})`,
    );
    expect(await refusal(server.createToken(key('web'), { metadata: { name: 'x' } }))).toBe(
      '422 Invalid: TokenRequest.authentication.k8s.io "web" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    );
  });

  test.each([
    [599, 'less than 10 minutes'],
    [2 ** 32 + 1, 'larger than 2^32 seconds'],
  ])('cannot have a lifetime of %i seconds', async (expirationSeconds, which) => {
    const { server } = await withAccount();
    const spec = { audiences: [], expirationSeconds };
    expect(await refusal(server.createToken(key('web'), { spec }))).toBe(
      `422 Invalid: TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ${expirationSeconds}: may not specify a duration ${which}`,
    );
  });
});
