import { describe, expect, test } from 'vitest';
import { selfSubjectReviews, tokenReviews } from '../../api/plain-resources.ts';
import { pods, serviceAccounts } from '../../api/resource.ts';
import { key, refusal, type World, world } from '../verbs/replicas.fixture.ts';

const metadata = {};

describe('SelfSubjectReview', () => {
  test.each([
    ['system:anonymous', ['system:unauthenticated']],
    ['jane', ['system:authenticated']],
    [
      'system:serviceaccount:team:web',
      ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated'],
    ],
  ])('reports %s', async (username, groups) => {
    const { server } = await world();
    const { metadata: stamped, status } = await server.as(username).create(selfSubjectReviews, { metadata });
    expect(status).toEqual({ userInfo: { username, groups } });
    expect(stamped).toEqual({ creationTimestamp: '2024-04-17T00:00:00Z' });
  });

  test('reports the anonymous user when the request has no name', async () => {
    const { server } = await world();
    const { status } = await server.create(selfSubjectReviews, { metadata });
    expect(status.userInfo?.username).toBe('system:anonymous');
  });
});

describe('TokenReview', () => {
  /** A token of the service account `web`, for the pod `web-1`. */
  async function withToken(spec: object = {}): Promise<World & { token: string; uid: string }> {
    const made = await world();
    const { uid } = (await made.server.create(serviceAccounts, { metadata: key('web') })).metadata;
    const containers = [{ name: 'a', image: 'nginx' }];
    await made.server.create(pods, {
      metadata: key('web-1'),
      spec: { serviceAccountName: 'web', containers },
    });
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'web-1' };
    const request = { spec: { audiences: [], boundObjectRef, expirationSeconds: 600, ...spec } };
    const { status } = await made.server.createToken(key('web'), request);
    return { ...made, token: status.token, uid };
  }

  const review = async ({ server, token }: World & { token: string }, spec: object = {}) =>
    (await server.create(tokenReviews, { metadata, spec: { token, ...spec } })).status;

  test('describes the user and the bound objects of a valid token', async () => {
    const made = await withToken();
    const pod = await made.server.get(pods, key('web-1'));
    expect(await review(made)).toEqual({
      authenticated: true,
      user: {
        username: 'system:serviceaccount:default:web',
        uid: made.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)],
          'authentication.kubernetes.io/pod-name': ['web-1'],
          'authentication.kubernetes.io/pod-uid': [pod.metadata.uid],
        },
      },
      audiences: ['https://kubernetes.default.svc.cluster.local'],
    });
  });

  test('rejects a text that this server did not sign', async () => {
    const made = await withToken();
    expect(await review(made, { token: 'hello' })).toEqual({ user: {}, error: 'invalid bearer token' });
    const [header, , signature] = made.token.split('.');
    const forged = [header, Buffer.from('{"sub":"admin"}').toString('base64url'), signature].join('.');
    expect(await review(made, { token: forged })).toMatchObject({ error: 'invalid bearer token' });
  });

  test('accepts a token only for its own audiences', async () => {
    const made = await withToken({ audiences: ['vault'] });
    expect(await review(made, { audiences: ['vault', 'bank'] })).toMatchObject({
      authenticated: true,
      audiences: ['vault'],
    });
    expect(await review(made)).toEqual({
      user: {},
      error:
        '[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["https://kubernetes.default.svc.cluster.local"]]',
    });
  });

  test('accepts a token until one minute after it expires', async () => {
    const made = await withToken();
    await made.sim.run({ forMs: 660_000 });
    expect(await review(made)).toMatchObject({ authenticated: true });
    await made.sim.run({ forMs: 1_000 });
    expect(await review(made)).toMatchObject({
      error: '[invalid bearer token, service account token has expired]',
    });
  });

  test('accepts a token as long as its pod and its service account exist', async () => {
    const made = await withToken();
    await made.server.delete(pods, key('web-1'), { gracePeriodSeconds: 0 });
    expect(await review(made)).toMatchObject({
      error: '[invalid bearer token, service account token has been invalidated]',
    });
    await made.server.delete(serviceAccounts, key('web'));
    const { metadata: again } = await made.server.create(serviceAccounts, { metadata: key('web') });
    expect(await review(made)).toMatchObject({
      error: `[invalid bearer token, service account UID (${again.uid}) does not match claim (${made.uid})]`,
    });
  });

  test('rejects an empty token', async () => {
    const { server } = await world();
    expect(await refusal(server.create(tokenReviews, { metadata, spec: { token: '' } }))).toBe(
      '400 BadRequest: token is required for TokenReview in authentication',
    );
  });
});
