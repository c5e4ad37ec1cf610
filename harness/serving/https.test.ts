import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificateSigningRequests, clusterRoleBindings } from '../api/plain-resources.ts';
import { serviceAccounts } from '../api/resource.ts';
import { type Cluster, createCluster } from '../cluster/cluster.ts';
import { runCertificateControllers } from '../cluster/controllers/certificates/index.ts';
import type { Components } from '../contracts/component.ts';
import { realClock } from '../mount/real-clock.ts';
import { clientCertificate, type KeyPair, newAuthority } from '../mount/tls.ts';
import { COMMON_NAME, ORGANIZATION } from '../platform/x509/name.ts';
import { PrivateKey } from '../platform/x509/private-key.ts';
import { newRequest } from '../platform/x509/requests.fixture.ts';
import { ClusterPki } from './cluster-pki.ts';
import { AS_SERVED, serveCluster } from './serve-cluster.ts';

const { components } = (await import('#components')) as { readonly components: Components };

const RBAC = 'rbac.authorization.k8s.io';
const startMs = realClock.now();
const pki = ClusterPki.create(startMs);
const tls = pki.serving(['127.0.0.1'], startMs);
const admin = pki.admin(startMs);

interface Sent {
  readonly pair?: KeyPair;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly body?: object;
}

interface Received {
  readonly code: number | undefined;
  readonly body: Record<string, unknown> & { readonly message?: string };
}

let cluster: Cluster;
let serving: Awaited<ReturnType<typeof serveCluster>>;

beforeAll(async () => {
  const staticTokens = new Map([['secret', { name: 'bob', groups: [] }]]);
  cluster = await createCluster({
    ...{ ...AS_SERVED, components, access: components.access, startMs },
    ...{ tokenKey: pki.tokenKey, accessConfiguration: { staticTokens } },
  });
  runCertificateControllers(cluster, pki.authority);
  serving = await serveCluster(cluster, { tls });
});

afterAll(async () => {
  await serving[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

function send(path: string, { pair, headers, method = 'GET', body }: Sent = {}): Promise<Received> {
  const json = { 'Content-Type': 'application/json', ...headers };
  return new Promise((resolve, reject) => {
    const options = { ca: tls.ca, ...pair, method, headers: json, agent: false };
    const sent = request(`${serving.url}${path}`, options, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ code: response.statusCode, body: text.startsWith('{') ? JSON.parse(text) : { text } }),
      );
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const PODS = '/api/v1/namespaces/default/pods';
const codeOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).code;

describe('A served cluster with access control', () => {
  test('lets its administrator do everything, by a role', async () => {
    expect(await codeOf(PODS, { pair: admin })).toBe(200);
    const { body } = await send('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      ...{ pair: admin, method: 'POST', body: {} },
    });
    expect(body.status).toMatchObject({
      userInfo: {
        username: 'kubernetes-admin',
        groups: ['kubeadm:cluster-admins', 'system:authenticated'],
      },
    });
  });

  test('shows anonymous clients its version and its health, and nothing else', async () => {
    const open = ['/version', '/healthz', '/livez', '/readyz'];
    const closed = [PODS, '/api', '/apis', '/metrics', '/openapi/v2', '/healthz/ping', '/'];
    expect(await Promise.all(open.map((path) => codeOf(path)))).toEqual(open.map(() => 200));
    expect(await Promise.all(closed.map((path) => codeOf(path)))).toEqual(closed.map(() => 403));
  });

  test('refuses a client of another authority, whatever its name', async () => {
    const { name, groups } = { name: 'kubernetes-admin', groups: ['system:masters'] };
    const forged = clientCertificate(newAuthority(startMs), {
      ...{ commonName: name, organizations: groups, nowMs: startMs },
    });
    expect(await codeOf('/version', { pair: forged })).toBe(401);
    expect(await codeOf('/version', { pair: { cert: tls.cert, key: tls.key } })).toBe(401);
  });

  test('accepts the first of two credentials that is valid', async () => {
    expect(await codeOf(PODS, { pair: admin, ...bearer('wrong') })).toBe(200);
    expect(await codeOf(PODS, bearer('wrong'))).toBe(401);
    const { body } = await send(PODS, bearer('secret'));
    expect(body.message).toBe(
      'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  test('accepts a token of a service account until the account is deleted', async () => {
    const key = { namespace: 'default', name: 'builder' };
    await cluster.admin.create(serviceAccounts, { metadata: key });
    const { body } = await send('/api/v1/namespaces/default/serviceaccounts/builder/token', {
      ...{ pair: admin, method: 'POST' },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
    });
    const { token } = body.status as { readonly token: string };
    expect(await codeOf(PODS, bearer(token))).toBe(403);
    const [header, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'kubernetes-admin' })).toString('base64url');
    expect(await codeOf(PODS, bearer(`${header}.${other}.${signature}`))).toBe(401);
    await cluster.admin.delete(serviceAccounts, key);
    expect(await codeOf(PODS, bearer(token))).toBe(401);
  });

  test('lets a user log in with the certificate that it asked for', async () => {
    const key = PrivateKey.random();
    const subject = [
      { type: ORGANIZATION, value: 'dev' },
      { type: COMMON_NAME, value: 'jane' },
    ];
    const spec = {
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['client auth'],
      request: Buffer.from(newRequest({ subject, signer: key })).toString('base64'),
    };
    const created = await cluster.admin.create(certificateSigningRequests, {
      ...{ metadata: { name: 'jane' }, spec },
    });
    const conditions = [{ type: 'Approved', status: 'True', reason: 'ByTest', message: '' }];
    await cluster.admin.updateApproval({ ...created, status: { conditions } });
    await serving.time.caughtUp();
    const events = await cluster.admin.watch(certificateSigningRequests);
    let certificate: string | undefined;
    for await (const { object } of events) {
      certificate = (object as typeof created).status?.certificate;
      if (certificate) break;
    }
    const pair = { cert: Buffer.from(certificate ?? '', 'base64').toString(), key: key.pem };
    expect((await send(PODS, { pair })).body.message).toMatch(/^pods is forbidden: User "jane" cannot list/);
    await cluster.admin.create(clusterRoleBindings, {
      metadata: { name: 'devs' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: RBAC, kind: 'Group', name: 'dev' }],
    });
    expect(await codeOf(PODS, { pair })).toBe(200);
  });
});
