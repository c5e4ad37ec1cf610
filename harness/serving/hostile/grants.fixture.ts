import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as rbac from '#api/rbac/v1';
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from '../../api/plain-resources.ts';
import type { KeyPair } from '../../mount/tls.ts';
import { type Front, issue, requestFor, type Sent } from './front.fixture.ts';

const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
const REQUESTS = `/apis/${CERTIFICATES}/v1/certificatesigningrequests`;
const ROLES = `/apis/${RBAC}/v1/namespaces/default/roles`;
const BINDINGS = `/apis/${RBAC}/v1/namespaces/default/rolebindings`;
const CLUSTER_ROLES = `/apis/${RBAC}/v1/clusterroles`;
const CLUSTER_BINDINGS = `/apis/${RBAC}/v1/clusterrolebindings`;

const WRITES = ['get', 'create', 'update', 'patch', 'delete'];
const rule = (resource: string, verbs = ['get'], more: object = {}): rbac.PolicyRule => ({
  ...{ apiGroups: [resource.includes('role') ? RBAC : ''], resources: [resource], verbs },
  ...more,
});
const writes = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map((each) =>
  rule(each, WRITES),
);
const pods = rule('pods');
const secrets = rule('secrets');

/** The users of the tests, and the rules that each has in the whole cluster. */
const users = {
  jane: [...writes, pods, rule('secrets', ['get'], { resourceNames: ['own'] })],
  eve: [...writes, rule('roles', ['escalate'])],
  mia: [...writes, rule('roles', ['escalate'], { resourceNames: ['mine'] })],
  bea: [...writes, rule('clusterroles', ['bind'], { resourceNames: ['secret-reader', 'later'] })],
  max: [rule('roles', ['*'])],
  adam: [],
  ned: writes,
  zoe: [
    ...[
      'certificatesigningrequests',
      'certificatesigningrequests/approval',
      'certificatesigningrequests/status',
    ].map((resource) => ({ apiGroups: [CERTIFICATES], resources: [resource], verbs: ['create', ...WRITES] })),
    {
      ...{ apiGroups: [CERTIFICATES], resources: ['signers'], verbs: ['approve'] },
      resourceNames: ['example.com/*'],
    },
  ],
} satisfies Readonly<Record<string, readonly rbac.PolicyRule[]>>;
type Name = keyof typeof users;

const role = (name: string, rules: readonly rbac.PolicyRule[], more: object = {}) => ({
  ...{ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name, ...more }, rules },
});
const clusterRole = (name: string, rules: readonly rbac.PolicyRule[], more: object = {}) => ({
  ...role(name, rules),
  kind: 'ClusterRole',
  ...more,
});
const binding = (name: string, kind: string, to: string, user = 'friend') => ({
  ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata: { name } },
  roleRef: { apiGroup: RBAC, kind, name: to },
  subjects: [{ apiGroup: RBAC, kind: 'User', name: user }],
});
const clusterBinding = (name: string, to: string) => ({
  ...binding(name, 'ClusterRole', to),
  kind: 'ClusterRoleBinding',
});

const cannotGrant = (what: string, user: string, ...rights: readonly string[]): string =>
  `403 ${what} is forbidden: user "${user}" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${rights.join('\n')}`;
const SECRETS = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';
const ALL = ['{APIGroups:["*"], Resources:["*"], Verbs:["*"]}', '{NonResourceURLs:["*"], Verbs:["*"]}'];
const named = (plural: string, name: string): string => `${plural}.${RBAC} "${name}"`;

/**
 * Declares the tests of writes that would grant more than their writer has, for one way to a cluster.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/registry/rbac/clusterrole/policybased/storage.go Storage and its siblings,
 * pkg/registry/rbac/escalation_check.go RoleEscalationAuthorized, BindingAuthorized
 */
export function testGrants(open: () => Promise<Front>): void {
  let front: Front;
  const pairs = new Map<Name, KeyPair>();
  beforeAll(async () => {
    front = await open();
    const { cluster, pki, settle } = front;
    const { admin } = cluster;
    for (const [name, rules] of Object.entries(users)) {
      pairs.set(name as Name, issue(pki.authority, cluster.clock.now(), { name }));
      await settle(admin.create(clusterRoles, { metadata: { name }, rules: [...rules] }));
      const bound = { ...clusterBinding(name, name), ...binding(name, 'ClusterRole', name, name) };
      await settle(admin.create(clusterRoleBindings, { ...bound, kind: 'ClusterRoleBinding' }));
    }
    const inDefault = { metadata: { namespace: 'default', name: 'powerful' }, rules: [secrets, pods] };
    await settle(admin.create(roles, inDefault));
    await settle(admin.create(clusterRoles, { metadata: { name: 'secret-reader' }, rules: [secrets] }));
    const here = (name: string, to: string, user: string) => ({
      ...binding(name, 'ClusterRole', to, user),
      metadata: { namespace: 'default', name },
    });
    await settle(admin.create(roleBindings, here('adam', 'admin', 'adam')));
    await settle(admin.create(roleBindings, here('ned', 'secret-reader', 'ned')));
    await front.pass(2_000);
  });
  afterAll(() => front[Symbol.asyncDispose]());

  const answerTo = async (user: Name, path: string, sent: Sent): Promise<string> => {
    const { code, message } = await front.send(path, { pair: pairs.get(user), ...sent });
    return message ? `${code} ${message}` : `${code}`;
  };
  const create = (user: Name, path: string, body: object): Promise<string> => answerTo(user, path, { body });
  const patch = (user: Name, path: string, body: object, type = 'merge-patch+json'): Promise<string> =>
    answerTo(user, path, { method: 'PATCH', body, contentType: `application/${type}` });
  const apply = (user: Name, path: string, body: object): Promise<string> =>
    patch(user, `${path}?fieldManager=test&force=true`, body, 'apply-patch+yaml');
  const rulesOf = async (path: string): Promise<unknown> =>
    (await front.send(path, { pair: front.admin })).body.rules;

  describe('A role', () => {
    const more = cannotGrant(named('roles', 'more'), 'jane', SECRETS);

    test('with rights of its writer can be created and changed', async () => {
      expect(await create('jane', ROLES, role('fine', [pods]))).toBe('201');
      const own = rule('secrets', ['get'], { resourceNames: ['own'] });
      expect(await patch('jane', `${ROLES}/fine`, { rules: [pods, own] })).toBe('200');
    });

    test('with more rights cannot be created, by any verb', async () => {
      expect(await create('jane', ROLES, role('more', [pods, secrets]))).toBe(more);
      expect(await create('jane', `${ROLES}?dryRun=All`, role('more', [secrets]))).toBe(more);
      expect(await apply('jane', `${ROLES}/more`, role('more', [secrets]))).toBe(more);
      const unnamed = { ...role('', [secrets]), metadata: { generateName: 'more-' } };
      expect(await create('jane', ROLES, unnamed)).toBe(cannotGrant(`roles.${RBAC}`, 'jane', SECRETS));
      expect((await front.send(`${ROLES}/more`, { pair: front.admin })).code).toBe(404);
    });

    test('cannot get more rights, by any verb', async () => {
      const path = `${ROLES}/small`;
      expect(await create('jane', ROLES, role('small', [pods]))).toBe('201');
      const refused = cannotGrant(named('roles', 'small'), 'jane', SECRETS);
      const body = role('small', [pods, secrets]);
      expect(await answerTo('jane', path, { method: 'PUT', body })).toBe(refused);
      expect(await patch('jane', path, { rules: [pods, secrets] })).toBe(refused);
      expect(await patch('jane', path, { rules: [pods, secrets] }, 'strategic-merge-patch+json')).toBe(
        refused,
      );
      const added = [{ op: 'add', path: '/rules/-', value: secrets }];
      expect(await patch('jane', path, added, 'json-patch+json')).toBe(refused);
      expect(await apply('jane', path, body)).toBe(refused);
      expect(await rulesOf(path)).toEqual([pods]);
    });

    test('needs each single right: of a verb, a name, a subresource', async () => {
      const all = '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}';
      const log = '{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}';
      expect(await create('jane', ROLES, role('verb', [rule('pods', ['get', 'list'])]))).toBe(
        cannotGrant(named('roles', 'verb'), 'jane', all),
      );
      expect(await create('jane', ROLES, role('log', [rule('pods/log')]))).toBe(
        cannotGrant(named('roles', 'log'), 'jane', log),
      );
      const names = rule('secrets', ['get'], { resourceNames: ['own', 'other'] });
      expect(await create('jane', ROLES, role('names', [names]))).toBe(
        cannotGrant(
          named('roles', 'names'),
          'jane',
          '{APIGroups:[""], Resources:["secrets"], ResourceNames:["other"], Verbs:["get"]}',
        ),
      );
    });

    test('that has more rights cannot be changed at all, except for its finalizers and owners', async () => {
      const path = `${ROLES}/powerful`;
      const refused = cannotGrant(named('roles', 'powerful'), 'jane', SECRETS);
      expect(await patch('jane', path, { metadata: { labels: { a: 'b' } } })).toBe(refused);
      expect(await patch('jane', path, { metadata: { finalizers: ['example.com/stay'] } })).toBe('200');
      expect(await patch('jane', path, { metadata: { finalizers: null } })).toBe('200');
      expect(await patch('jane', path, { rules: [pods] })).toBe('200');
    });

    test('of the whole cluster needs its rights in the whole cluster', async () => {
      expect(await create('ned', ROLES, role('neds', [secrets]))).toBe('201');
      expect(await create('ned', CLUSTER_ROLES, clusterRole('neds', [secrets]))).toBe(
        cannotGrant(named('clusterroles', 'neds'), 'ned', SECRETS),
      );
      const elsewhere = ROLES.replace('default', 'kube-public');
      expect(await create('ned', elsewhere, role('neds', [secrets]))).toBe(
        cannotGrant(named('roles', 'neds'), 'ned', SECRETS),
      );
      const paths = { nonResourceURLs: ['/metrics'], verbs: ['get'] };
      expect(await create('ned', CLUSTER_ROLES, clusterRole('paths', [paths]))).toBe(
        cannotGrant(named('clusterroles', 'paths'), 'ned', '{NonResourceURLs:["/metrics"], Verbs:["get"]}'),
      );
    });

    test('may grant anything if its writer may escalate it', async () => {
      expect(await create('eve', ROLES, role('eves', [secrets]))).toBe('201');
      expect(await create('eve', CLUSTER_ROLES, clusterRole('eves', [secrets]))).toBe(
        cannotGrant(named('clusterroles', 'eves'), 'eve', SECRETS),
      );
      expect(await create('max', ROLES, role('maxs', [secrets]))).toBe('201');
    });

    test('may grant anything if its writer may escalate the role of this name, which a create does not name', async () => {
      const path = `${ROLES}/mine`;
      expect(await create('mia', ROLES, role('mine', [secrets]))).toBe(
        cannotGrant(named('roles', 'mine'), 'mia', SECRETS),
      );
      expect(await create('mia', ROLES, role('mine', []))).toBe('201');
      expect(await patch('mia', path, { rules: [secrets] })).toBe('200');
      expect(await patch('mia', `${ROLES}/powerful`, { rules: [secrets] })).toBe(
        cannotGrant(named('roles', 'powerful'), 'mia', SECRETS),
      );
    });
  });

  describe('An aggregated role', () => {
    const aggregating = { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { any: 'thing' } }] } };
    const refused = (name: string): string =>
      `403 ${named('clusterroles', name)} is forbidden: must have cluster-admin privileges to use the aggregationRule`;

    test('is only for users who may do everything', async () => {
      expect(await create('jane', CLUSTER_ROLES, clusterRole('all', [], aggregating))).toBe(refused('all'));
      expect(await create('jane', CLUSTER_ROLES, clusterRole('plain', [pods]))).toBe('201');
      expect(await patch('jane', `${CLUSTER_ROLES}/plain`, aggregating)).toBe(refused('plain'));
      const body = { ...clusterRole('plain', [pods]), ...aggregating };
      expect(await apply('jane', `${CLUSTER_ROLES}/plain`, body)).toBe(refused('plain'));
    });

    test('cannot be extended with rights that the writer of a labelled role lacks', async () => {
      const labels = { [`${RBAC}/aggregate-to-view`]: 'true' };
      const labelled = (rules: readonly rbac.PolicyRule[]) => ({
        ...clusterRole('extra', rules),
        metadata: { name: 'extra', labels },
      });
      expect(await create('jane', CLUSTER_ROLES, labelled([secrets]))).toBe(
        cannotGrant(named('clusterroles', 'extra'), 'jane', SECRETS),
      );
      expect(await create('jane', CLUSTER_ROLES, labelled([pods]))).toBe('201');
      expect(await patch('jane', `${CLUSTER_ROLES}/secret-reader`, { metadata: { labels } })).toBe(
        cannotGrant(named('clusterroles', 'secret-reader'), 'jane', SECRETS),
      );
      await front.pass(2_000);
      expect(JSON.stringify(await rulesOf(`${CLUSTER_ROLES}/view`))).not.toContain('secrets');
    });
  });

  describe('A binding', () => {
    test('to a role with more rights cannot be created, by any verb', async () => {
      const refused = cannotGrant(named('rolebindings', 'b'), 'jane', SECRETS);
      const body = binding('b', 'ClusterRole', 'secret-reader');
      expect(await create('jane', BINDINGS, body)).toBe(refused);
      expect(await apply('jane', `${BINDINGS}/b`, body)).toBe(refused);
      expect(await create('jane', CLUSTER_BINDINGS, clusterBinding('b', 'cluster-admin'))).toBe(
        cannotGrant(named('clusterrolebindings', 'b'), 'jane', ...ALL),
      );
    });

    test('to a role with more rights cannot get another subject, but it can be deleted', async () => {
      const subjects = [{ apiGroup: RBAC, kind: 'User', name: 'jane' }];
      const path = `${CLUSTER_BINDINGS}/max`;
      expect(await patch('jane', `${CLUSTER_BINDINGS}/cluster-admin`, { subjects })).toBe(
        cannotGrant(named('clusterrolebindings', 'cluster-admin'), 'jane', ...ALL),
      );
      expect(await answerTo('jane', `${path}?dryRun=All`, { method: 'DELETE' })).toMatch(/^200/);
    });

    test('to a missing role needs the right to bind it: the role may come later, with any rights', async () => {
      const missing = (plural: string): string => `404 ${named(plural, 'later')} not found`;
      expect(await create('jane', BINDINGS, binding('c', 'Role', 'later'))).toBe(missing('roles'));
      expect(await create('jane', BINDINGS, binding('c', 'ClusterRole', 'later'))).toBe(
        missing('clusterroles'),
      );
      expect(await create('jane', CLUSTER_BINDINGS, clusterBinding('c', 'later'))).toBe(
        missing('clusterroles'),
      );
      expect(await create('bea', CLUSTER_BINDINGS, clusterBinding('c', 'later'))).toBe('201');
    });

    test('is allowed for a role that its writer may bind, and for no other one', async () => {
      expect(await create('bea', BINDINGS, binding('d', 'ClusterRole', 'secret-reader'))).toBe('201');
      expect(await create('bea', CLUSTER_BINDINGS, clusterBinding('d', 'cluster-admin'))).toBe(
        cannotGrant(named('clusterrolebindings', 'd'), 'bea', ...ALL),
      );
    });

    test('cannot change its role', async () => {
      const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'later' };
      expect(await patch('bea', `${BINDINGS}/d`, { roleRef })).toMatch(/^422 .* cannot change roleRef$/);
    });

    test('by an administrator of a namespace grants the rights of this namespace only', async () => {
      expect(await create('adam', BINDINGS, binding('e', 'ClusterRole', 'edit'))).toBe('201');
      expect(await create('adam', BINDINGS, binding('f', 'ClusterRole', 'cluster-admin'))).toBe(
        cannotGrant(named('rolebindings', 'f'), 'adam', ...ALL),
      );
      expect(await create('adam', CLUSTER_BINDINGS, clusterBinding('f', 'view'))).toBe(
        `403 clusterrolebindings.${RBAC} is forbidden: User "adam" cannot create resource "clusterrolebindings" in API group "${RBAC}" at the cluster scope`,
      );
    });
  });

  describe('A certificate', () => {
    const request = (name: string, signerName: string, groups: readonly string[] = []) => ({
      ...{ apiVersion: `${CERTIFICATES}/v1`, kind: 'CertificateSigningRequest', metadata: { name } },
      spec: { signerName, usages: ['client auth'], request: requestFor('zoe', groups) },
    });
    const status = (path: string, part: string, change: object): Promise<string> =>
      patch('zoe', `${path}/${part}`, { status: change });
    const approved = { conditions: [{ type: 'Approved', status: 'True', reason: 'Mine' }] };

    test('cannot be requested for the group that may do everything', async () => {
      const signer = 'kubernetes.io/kube-apiserver-client';
      expect(await create('zoe', REQUESTS, request('masters', signer, ['system:masters']))).toBe(
        `403 ${named('certificatesigningrequests', 'masters').replace(RBAC, CERTIFICATES)} is forbidden: use of ${signer} signer with system:masters group is not allowed`,
      );
    });

    test('cannot be approved or signed without the right to its signer', async () => {
      const signer = 'kubernetes.io/kube-apiserver-client';
      const path = `${REQUESTS}/mine`;
      const refused = (verb: string, name: string, of: string): string =>
        `403 certificatesigningrequests.${CERTIFICATES} "${name}" is forbidden: user not permitted to ${verb} requests with signerName "${of}"`;
      expect(await create('zoe', REQUESTS, request('mine', signer, ['kubeadm:cluster-admins']))).toBe('201');
      expect(await status(path, 'approval', approved)).toBe(refused('approve', 'mine', signer));
      expect(await create('zoe', REQUESTS, request('other', 'example.com/signer'))).toBe('201');
      expect(await status(`${REQUESTS}/other`, 'approval', approved)).toBe('200');
      const failed = { conditions: [...approved.conditions, { type: 'Failed', status: 'True' }] };
      expect(await status(`${REQUESTS}/other`, 'status', failed)).toBe(
        refused('sign', 'other', 'example.com/signer'),
      );
    });
  });

  test('A user who acts as another one grants no more than that user has', async () => {
    const headers = { 'Impersonate-User': 'jane' };
    const { code } = await front.send(ROLES, { pair: front.admin, headers, body: role('lent', [secrets]) });
    expect(code).toBe(403);
  });
}
