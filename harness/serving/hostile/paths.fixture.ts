import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterRoleBindings, clusterRoles } from '../../api/plain-resources.ts';
import { secrets } from '../../api/resource.ts';
import type { KeyPair } from '../../mount/tls.ts';
import { type Front, issue } from './front.fixture.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const RBAC = 'rbac.authorization.k8s.io';

/**
 * Declares the tests of requests that try to mean one thing to the authorizer and another one to the server. `nora` may
 * read every path that is not a resource, and list the Secret `own`.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/request/requestinfo.go RequestInfoFactory.NewRequestInfo
 */
export function testPaths(open: () => Promise<Front>): void {
  let front: Front;
  let nora: KeyPair;
  beforeAll(async () => {
    front = await open();
    const { cluster, pki, settle } = front;
    const { admin } = cluster;
    nora = issue(pki.authority, cluster.clock.now(), { name: 'nora' });
    const rules = [
      { nonResourceURLs: ['*'], verbs: ['*'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['own'], verbs: ['list', 'watch'] },
    ];
    await settle(admin.create(clusterRoles, { metadata: { name: 'nora' }, rules }));
    await settle(
      admin.create(clusterRoleBindings, {
        metadata: { name: 'nora' },
        roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'nora' },
        subjects: [{ apiGroup: RBAC, kind: 'User', name: 'nora' }],
      }),
    );
    for (const [namespace, name] of [
      ['default', 'own'],
      ['default', 'other'],
      ['kube-system', 'other'],
    ] as const) {
      const data = { key: btoa('treasure') };
      await settle(admin.create(secrets, { metadata: { namespace, name }, data }));
    }
    await front.pass(1_000);
  });
  afterAll(() => front[Symbol.asyncDispose]());

  /** Returns the code of an answer, and the names of the listed objects. */
  const listed = async (path: string, pair = nora): Promise<unknown> => {
    const { code, body } = await front.send(path, { pair });
    const { items } = body as { items?: readonly { metadata: { namespace: string; name: string } }[] };
    return items ? items.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`) : code;
  };

  describe('A path', () => {
    test.each([
      '//api/v1/namespaces/default/secrets/other',
      '/api/v1/namespaces/default/secrets/other/',
      '/api/v1//namespaces/default/secrets/other',
      '/api/v1/namespaces/default/secrets//other',
      '/api//v1/namespaces/default/secrets/other',
      '/api/v1/namespaces/default/secrets%2Fother',
      '/api/v1/namespaces%2Fdefault%2Fsecrets%2Fother',
      '/%61pi/v1/namespaces/default/secrets/other',
      '/api%2Fv1/namespaces/default/secrets/other',
      '/healthz/../api/v1/namespaces/default/secrets/other',
      '/healthz/%2e%2e/api/v1/namespaces/default/secrets/other',
      '/healthz/..%2fapi/v1/namespaces/default/secrets/other',
      '/api/v1/namespaces/default/configmaps/../secrets/other',
      '/api/v1/namespaces/default/secrets/own/../other',
      '/api/v1/namespaces/default/secrets/own%2F..%2Fother',
      '/API/v1/namespaces/default/secrets/other',
      '/api/v1/watch/namespaces/default/secrets',
      '/api/v1/watch/namespaces/default/secrets/other',
      '/api/v1/proxy/namespaces/default/secrets/other',
      '/apis//v1/namespaces/default/secrets/other',
      '/api/v1/namespaces/default/secrets/other%00',
      '/api/v1/namespaces/default/secrets/other?watch=1&timeoutSeconds=1',
    ])('shows no Secret to a user without the right: %s', async (path) => {
      const { code, body } = await front.send(path, { pair: nora });
      expect(code).toBeGreaterThanOrEqual(300);
      expect(JSON.stringify(body)).not.toContain(btoa('treasure'));
    });
  });

  describe('A list with a right to one name', () => {
    const own = 'fieldSelector=metadata.name%3Down';

    test('selects this name', async () => {
      expect(await listed(SECRETS)).toBe(403);
      expect(await listed(`${SECRETS}?${own}`)).toEqual(['default/own']);
      expect(await listed(`/api/v1/secrets?${own}`)).toEqual(['default/own']);
    });

    test.each([
      'fieldSelector=metadata.name%21%3Dx',
      'fieldSelector=metadata.name%3Dother',
      'fieldSelector=metadata.namespace%3Ddefault',
      'labelSelector=metadata.name%3Down',
      `fieldSelector=&${own}`,
    ])('is refused for another selection: %s', async (query) => {
      expect(await listed(`${SECRETS}?${query}`)).toBe(403);
    });

    test.each([
      `${own}&fieldSelector=`,
      `${own}&fieldSelector=metadata.name%3Dother`,
      `${own}%2Cmetadata.name%3Dother`,
    ])('shows no other object if it selects twice: %s', async (query) => {
      const answer = await listed(`${SECRETS}?${query}`);
      expect(Array.isArray(answer) ? answer.filter((key) => key !== 'default/own') : []).toEqual([]);
    });

    test('does not extend to a delete with the same selection', async () => {
      const sent = { pair: nora, method: 'DELETE' };
      expect((await front.send(`${SECRETS}?${own}`, sent)).code).toBe(403);
    });
  });

  test('A continue token leads to no other namespace', async () => {
    const next = (start: string): string =>
      encodeURIComponent(btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start })));
    for (const start of ['../kube-system/', '/registry/secrets/kube-system/', '\u0000']) {
      const answer = await listed(`${SECRETS}?limit=5&continue=${next(start)}`, front.admin);
      const keys = Array.isArray(answer) ? answer : [];
      expect(keys.filter((key: string) => !key.startsWith('default/'))).toEqual([]);
    }
  });
}
