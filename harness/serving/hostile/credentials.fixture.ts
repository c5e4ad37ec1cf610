import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterRoleBindings } from '../../api/plain-resources.ts';
import { pods, serviceAccounts } from '../../api/resource.ts';
import { ISSUER, ServiceAccountTokens } from '../../apiserver/service-account-tokens.ts';
import type { TokenClaims } from '../../contracts/access/index.ts';
import { newAuthority } from '../../mount/tls.ts';
import { PURPOSE } from '../../platform/x509/extensions.ts';
import { type Front, type Identity, issue, type Sent } from './front.fixture.ts';

const PODS = '/api/v1/namespaces/default/pods';
const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/builder';
const MINUTE_MS = 60_000;
const builder = { namespace: 'default', name: 'builder' };
const web = { namespace: 'default', name: 'web' };
const nameOf = 'system:serviceaccount:default:builder';

const refused = (user: string) =>
  `403 pods is forbidden: User "${user}" cannot list resource "pods" in API group "" in the namespace "default"`;
const unauthorized = '401 Unauthorized';

/**
 * Declares the tests of good and bad credentials for one way to a cluster.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubeapiserver/authenticator/config.go Config.New, which asks for the
 * certificate first, then for the token, and lets only requests without bad credentials be anonymous
 */
export function testCredentials(open: () => Promise<Front>): void {
  let front: Front;
  beforeAll(async () => {
    front = await open();
    const { admin } = front.cluster;
    await front.settle(admin.create(serviceAccounts, { metadata: builder }));
    await front.settle(
      admin.create(clusterRoleBindings, {
        metadata: { name: 'jane' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
      }),
    );
    await front.pass(1_000);
  });
  afterAll(() => front[Symbol.asyncDispose]());

  /** Lists the pods. Returns 200, or the code and the message of the refusal. */
  const list = async (sent: Sent = {}): Promise<string> => {
    const { code, message } = await front.send(PODS, sent);
    return message ? `${code} ${message}` : `${code}`;
  };
  const certificate = (identity: Identity = {}, authority = front.pki.authority) =>
    issue(authority, front.cluster.clock.now(), { name: 'jane', ...identity });
  const expired = () => certificate({ notAfterMs: front.cluster.clock.now() - 1_000 });
  const token = async (spec: object = {}): Promise<string> => {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [], ...spec },
    };
    const received = await front.send(`${ACCOUNT}/token`, { pair: front.admin, body });
    if (received.code !== 201) throw new Error(`no token: ${received.message}`);
    return (received.body.status as { readonly token: string }).token;
  };
  /** Signs a token like one of this cluster, with other claims. Times are in seconds from now. */
  const signed = async (changes: { exp?: number; nbf?: number; iss?: string }, key = front.pki.tokenKey) => {
    const claims = claimsOf(await token());
    const now = Math.floor(front.cluster.clock.now() / 1_000);
    const { exp = 3_600, nbf = 0, iss = ISSUER } = changes;
    return new ServiceAccountTokens(key).sign({ ...claims, exp: now + exp, nbf: now + nbf, iss });
  };

  describe('A certificate', () => {
    test('that is missing leaves its client anonymous', async () => {
      expect(await list()).toBe(refused('system:anonymous'));
    });

    test('of the authority names its user', async () => {
      expect(await list({ pair: certificate() })).toBe('200');
      expect(await list({ pair: certificate({ name: 'ann', groups: ['system:masters'] }) })).toBe('200');
      expect(await list({ pair: certificate({ name: 'ann', groups: ['dev'] }) })).toBe(refused('ann'));
    });

    test('of another authority is refused, even if the authority has the same name', async () => {
      const other = newAuthority(front.cluster.clock.now());
      expect(await list({ pair: certificate({ groups: ['system:masters'] }, other) })).toBe(unauthorized);
    });

    test.each([
      ['that has expired', (nowMs: number) => ({ notAfterMs: nowMs - 1_000 })],
      ['that is not valid yet', (nowMs: number) => ({ notBeforeMs: nowMs + MINUTE_MS })],
      ['for servers only', () => ({ purposes: [PURPOSE.serverAuth] })],
    ])('%s is refused', async (_, changes) => {
      expect(await list({ pair: certificate(changes(front.cluster.clock.now())) })).toBe(unauthorized);
    });

    test('without a purpose is for every purpose', async () => {
      expect(await list({ pair: certificate({ purposes: [] }) })).toBe('200');
    });

    test('without a common name has no user, whatever its groups are', async () => {
      const nameless = issue(front.pki.authority, front.cluster.clock.now(), { groups: ['system:masters'] });
      expect(await list({ pair: nameless })).toBe(refused('system:anonymous'));
      expect(await list({ pair: nameless, token: 'wrong' })).toBe(unauthorized);
    });
  });

  describe('A token', () => {
    test('of a service account names its user', async () => {
      expect(await list({ token: await token() })).toBe(refused(nameOf));
    });

    test('whose claims have changed is refused', async () => {
      const [header, payload = '', signature] = (await token()).split('.');
      const claims = { ...claimsIn(payload), sub: 'system:serviceaccount:kube-system:default' };
      expect(await list({ token: [header, encoded(claims), signature].join('.') })).toBe(unauthorized);
    });

    test('that another key signed, or none, is refused', async () => {
      const forged = await signed({}, 'another key');
      const [, payload] = (await token()).split('.');
      expect(await list({ token: forged })).toBe(unauthorized);
      expect(await list({ token: `${encoded({ alg: 'none' })}.${payload}.` })).toBe(unauthorized);
      expect(await list({ token: `${encoded({ alg: 'none' })}.${payload}` })).toBe(unauthorized);
    });

    test('of another issuer, or not in its form, is refused', async () => {
      expect(await list({ token: await signed({ iss: 'https://elsewhere' }) })).toBe(unauthorized);
      expect(await list({ token: 'a.b.c' })).toBe(unauthorized);
      expect(await list({ token: 'secret' })).toBe(unauthorized);
    });

    test('that has expired is refused after a minute', async () => {
      expect(await list({ token: await signed({ exp: -1 }) })).toBe(refused(nameOf));
      expect(await list({ token: await signed({ exp: -61 }) })).toBe(unauthorized);
    });

    test('that is not valid yet is refused, a minute before its time', async () => {
      expect(await list({ token: await signed({ nbf: 600 }) })).toBe(unauthorized);
      expect(await list({ token: await signed({ nbf: 30 }) })).toBe(refused(nameOf));
    });

    test('for another audience is refused', async () => {
      expect(await list({ token: await token({ audiences: ['vault'] }) })).toBe(unauthorized);
      expect(await list({ token: await token({ audiences: ['vault', ISSUER] }) })).toBe(refused(nameOf));
    });

    test('is not replaced by the headers of a front proxy', async () => {
      const headers = { 'X-Remote-User': 'jane', 'X-Remote-Group': 'system:masters' };
      expect(await list({ headers })).toBe(refused('system:anonymous'));
      expect(await list({ headers, token: 'wrong' })).toBe(unauthorized);
    });

    test('that is empty, or of another scheme, leaves its client anonymous', async () => {
      expect(await list({ headers: { Authorization: 'Bearer ' } })).toBe(refused('system:anonymous'));
      expect(await list({ headers: { Authorization: 'Bearer  wrong' } })).toBe(refused('system:anonymous'));
      expect(await list({ headers: { Authorization: 'Basic YTpi' } })).toBe(refused('system:anonymous'));
    });
  });

  describe('Two credentials', () => {
    test('let their client in if one of them is good', async () => {
      expect(await list({ pair: certificate(), token: 'wrong' })).toBe('200');
      expect(await list({ pair: expired(), token: await token() })).toBe(refused(nameOf));
    });

    test('that are both bad are refused', async () => {
      expect(await list({ pair: expired(), token: 'wrong' })).toBe(unauthorized);
    });

    test('that are both good have the user of the certificate', async () => {
      expect(await list({ pair: certificate(), token: await token() })).toBe('200');
      expect(await list({ pair: certificate({ name: 'ann' }), token: await token() })).toBe(refused('ann'));
    });
  });

  describe('A token that is bound to a pod', () => {
    const create = (metadata: object = web): Promise<string> =>
      front
        .settle(
          front.cluster.admin.create(pods, {
            metadata,
            spec: { serviceAccountName: 'builder', containers: [{ name: 'web', image: 'nginx:1.27' }] },
          } as never),
        )
        .then((pod) => pod.metadata.uid);
    const remove = (options = {}): Promise<unknown> =>
      front.settle(front.cluster.admin.delete(pods, web, options));
    const bound = (uid: string): Promise<string> =>
      token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web', uid } });

    test('is refused when the pod is deleted, and not accepted for a new pod of its name', async () => {
      const old = await bound(await create());
      expect(await list({ token: old })).toBe(refused(nameOf));
      await remove({ gracePeriodSeconds: 0 });
      expect(await list({ token: old })).toBe(unauthorized);
      const uid = await create();
      expect(await list({ token: old })).toBe(unauthorized);
      expect(await list({ token: await bound(uid) })).toBe(refused(nameOf));
      await remove({ gracePeriodSeconds: 0 });
    });

    test('is valid for a minute after the grace period of the pod', async () => {
      const mine = await bound(await create({ ...web, finalizers: ['example.com/stay'] }));
      await remove({ gracePeriodSeconds: 0 });
      expect(await list({ token: mine })).toBe(refused(nameOf));
      await front.pass(70_000);
      expect(await list({ token: mine })).toBe(unauthorized);
    });
  });

  test('A token of a deleted service account is refused, also when there is a new one of its name', async () => {
    const { admin } = front.cluster;
    const old = await token();
    await front.settle(admin.delete(serviceAccounts, builder));
    expect(await list({ token: old })).toBe(unauthorized);
    await front.settle(admin.create(serviceAccounts, { metadata: builder }));
    expect(await list({ token: old })).toBe(unauthorized);
    expect(await list({ token: await token() })).toBe(refused(nameOf));
  });
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const claimsIn = (payload: string): TokenClaims => JSON.parse(Buffer.from(payload, 'base64url').toString());
const claimsOf = (token: string): TokenClaims => claimsIn(token.split('.')[1] ?? '');
