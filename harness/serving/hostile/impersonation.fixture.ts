import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clusterRoleBindings, clusterRoles } from '../../api/plain-resources.ts';
import { serviceAccounts } from '../../api/resource.ts';
import type { KeyPair } from '../../mount/tls.ts';
import { type Front, issue } from './front.fixture.ts';

const PODS = '/api/v1/namespaces/default/pods';
const RBAC = 'rbac.authorization.k8s.io';
const account = 'system:serviceaccount:default:builder';

const cannot = (user: string, resource: string, name: string, place = 'at the cluster scope', group = '') => {
  const [plural] = resource.split('/');
  return `403 ${plural}${group && `.${group}`} "${name}" is forbidden: User "${user}" cannot impersonate resource "${resource}" in API group "${group}" ${place}`;
};
const cannotList = (user: string) =>
  `403 pods is forbidden: User "${user}" cannot list resource "pods" in API group "" in the namespace "default"`;

/**
 * Declares the tests of requests in the name of another user, for one way to a cluster. `ann` may act as `jane`, in the
 * group `dev`, and as the service account `builder`; `jane` may view everything, and `bob` nothing.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/impersonation/mode.go legacyImpersonationMode
 */
export function testImpersonation(open: () => Promise<Front>): void {
  let front: Front;
  let ann: KeyPair;
  let bob: KeyPair;
  beforeAll(async () => {
    front = await open();
    const { cluster, pki, settle } = front;
    const { admin } = cluster;
    [ann, bob] = ['ann', 'bob'].map((name) => issue(pki.authority, cluster.clock.now(), { name })) as [
      KeyPair,
      KeyPair,
    ];
    const rule = (resource: string, name: string) => ({
      ...{ apiGroups: [''], resources: [resource], resourceNames: [name], verbs: ['impersonate'] },
    });
    const rules = [rule('users', 'jane'), rule('groups', 'dev'), rule('serviceaccounts', 'builder')];
    await settle(admin.create(clusterRoles, { metadata: { name: 'act' }, rules }));
    const bind = (role: string, name: string) =>
      settle(
        admin.create(clusterRoleBindings, {
          metadata: { name: `${role}-${name}` },
          roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
          subjects: [{ apiGroup: RBAC, kind: 'User', name }],
        }),
      );
    await bind('act', 'ann');
    await bind('view', 'jane');
    await settle(admin.create(serviceAccounts, { metadata: { namespace: 'default', name: 'builder' } }));
    await front.pass(1_000);
  });
  afterAll(() => front[Symbol.asyncDispose]());

  /** Lists the pods as another user. */
  const list = async (pair: KeyPair | undefined, as: Readonly<Record<string, string>>): Promise<string> => {
    const names = Object.entries(as).map(([name, value]) => [`Impersonate-${name}`, value]);
    const { code, message } = await front.send(PODS, { pair, headers: Object.fromEntries(names) });
    return message ? `${code} ${message}` : `${code}`;
  };

  describe('A request in the name of another user', () => {
    test('needs the right to act as this user', async () => {
      expect(await list(ann, { User: 'jane' })).toBe('200');
      expect(await list(bob, { User: 'jane' })).toBe(cannot('bob', 'users', 'jane'));
      expect(await list(ann, { User: 'bob' })).toBe(cannot('ann', 'users', 'bob'));
      expect(await list(undefined, { User: 'jane' })).toBe(cannot('system:anonymous', 'users', 'jane'));
    });

    test('has only the rights of that user', async () => {
      expect(await list(front.admin, { User: 'bob' })).toBe(cannotList('bob'));
      expect(await list(front.admin, { User: 'system:anonymous' })).toBe(cannotList('system:anonymous'));
    });

    test('needs the right to each group', async () => {
      expect(await list(ann, { User: 'jane', Group: 'dev' })).toBe('200');
      expect(await list(ann, { User: 'jane', Group: 'ops' })).toBe(cannot('ann', 'groups', 'ops'));
      expect(await list(ann, { User: 'jane', Group: 'system:masters' })).toBe(
        cannot('ann', 'groups', 'system:masters'),
      );
    });

    test('needs the right to its uid and to each extra value', async () => {
      const place = 'at the cluster scope';
      const group = 'authentication.k8s.io';
      expect(await list(ann, { User: 'jane', Uid: '7' })).toBe(cannot('ann', 'uids', '7', place, group));
      expect(await list(ann, { User: 'jane', 'Extra-Scopes': 'all' })).toBe(
        cannot('ann', 'userextras/scopes', 'all', place, group),
      );
    });

    test('names a user: a group alone is a bad request', async () => {
      expect(await list(front.admin, { Group: 'system:masters' })).toBe(
        '400 requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"system:masters"}, Extra:map[string][]string(nil)} without impersonating a user name',
      );
      expect(await list(bob, { Uid: '7' })).toMatch(/^400 .* without impersonating a user name$/);
    });

    test('in the name of a service account needs the right to it, in its namespace', async () => {
      expect(await list(ann, { User: account })).toBe(cannotList(account));
      expect(await list(bob, { User: account })).toBe(
        cannot('bob', 'serviceaccounts', 'builder', 'in the namespace "default"'),
      );
      expect(await list(ann, { User: 'system:serviceaccount:default' })).toBe(
        cannot('ann', 'users', 'system:serviceaccount:default'),
      );
    });

    test('has the groups of that user', async () => {
      const groupsOf = async (as: Readonly<Record<string, string>>) => {
        const { body } = await front.send('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
          ...{
            pair: front.admin,
            body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
          },
          headers: as,
        });
        return (body.status as { userInfo: { groups: readonly string[] } }).userInfo.groups;
      };
      const authenticated = 'system:authenticated';
      expect(await groupsOf({ 'Impersonate-User': 'bob' })).toEqual([authenticated]);
      expect(await groupsOf({ 'Impersonate-User': account })).toEqual([
        ...['system:serviceaccounts', 'system:serviceaccounts:default', authenticated],
      ]);
      expect(await groupsOf({ 'Impersonate-User': 'bob', 'Impersonate-Group': 'dev' })).toEqual([
        ...['dev', authenticated],
      ]);
    });

    test('with bad credentials is refused before anything else', async () => {
      const { pki, cluster } = front;
      const old = issue(pki.authority, cluster.clock.now(), { notAfterMs: cluster.clock.now() - 1_000 });
      expect(await list(old, { User: 'jane' })).toBe('401 Unauthorized');
      expect(await list(old, { Group: 'dev' })).toBe('401 Unauthorized');
    });
  });
}
