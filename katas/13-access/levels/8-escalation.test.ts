import { describe, expect, test } from 'vitest';
import {
  type ClusterRole,
  clusterRoleBindings,
  clusterRoles,
  type GrantWrite,
  type RbacObject,
  type rbac,
  roleBindings,
  roles,
} from '#given/13-access';
import type { KubeObject, Resource } from '#harness';
import { named, ruleFor, vectors } from '#harness/testing';
import { authorizeByRoles, checkGrant, grantsOf, uncovered } from '#kata/13-access/access';
import {
  cacheOf,
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  subject,
  user,
} from './objects.fixture.ts';

const jane = user('jane', 'dev');

const rule = (verbs: string, resources: string, ...resourceNames: string[]): rbac.PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups:
    resources.startsWith('role') || resources.startsWith('cluster') ? ['rbac.authorization.k8s.io'] : [''],
  resources: resources.split(' '),
  ...(resourceNames.length > 0 ? { resourceNames } : {}),
});

const kinds: Readonly<Record<string, Resource<RbacObject>>> = {
  Role: roles,
  ClusterRole: clusterRoles,
  RoleBinding: roleBindings,
  ClusterRoleBinding: clusterRoleBindings,
};

/** Returns the message of the refusal of a write; undefined if it may happen. */
function refusal(
  object: RbacObject,
  objects: readonly KubeObject[],
  { old, who = jane }: { readonly old?: RbacObject; readonly who?: GrantWrite['user'] } = {},
): string | undefined {
  const cache = cacheOf(...objects);
  const resource = kinds[object.kind] ?? roles;
  try {
    checkGrant(
      { user: who, resource, object, ...(old ? { old } : {}) },
      { cache, authorize: (attributes) => authorizeByRoles(attributes, cache) },
    );
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

/** Gives jane rules in a namespace. */
const janeMay = (namespace: string, ...rules: readonly rbac.PolicyRule[]): KubeObject[] => [
  role(namespace, 'janes', ...rules),
  roleBinding(namespace, 'janes', 'Role janes', subject('User jane')),
];

/** Gives jane rules in the whole cluster. */
const janeMayEverywhere = (...rules: readonly rbac.PolicyRule[]): KubeObject[] => [
  clusterRole('janes', ...rules),
  clusterRoleBinding('janes', 'ClusterRole janes', subject('User jane')),
];

const refused = (right: string): string =>
  `user "jane" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:\n${right}`;

describe('Level 8 · No more than you have', () => {
  test('a rule is covered by several rules together', () => {
    const held = [rule('get', 'pods'), rule('list', 'pods secrets')];
    expect(uncovered(held, [rule('get list', 'pods')]), 'get by the first, list by the second').toEqual([]);
    expect(uncovered(held, [rule('get list', 'pods secrets')]), 'only get secrets is missing').toEqual([
      rule('get', 'secrets'),
    ]);
  });

  test.each([
    ['all verbs do not cover *', rule('get list', 'pods'), rule('*', 'pods'), false],
    ['* covers a verb', rule('*', 'pods'), rule('get', 'pods'), true],
    ['* covers *', rule('*', '*'), rule('*', '*'), true],
    ['* covers pods/log', rule('get', '*'), rule('get', 'pods/log'), true],
    ['pods do not cover pods/log', rule('get', 'pods'), rule('get', 'pods/log'), false],
    ['*/log covers pods/log', rule('get', '*/log'), rule('get', 'pods/log'), true],
    ['*/log covers itself', rule('get', '*/log'), rule('get', '*/log'), true],
    ['pods/log does not cover */log', rule('get', 'pods/log'), rule('get', '*/log'), false],
    ['pods/* covers only itself', rule('get', 'pods/*'), rule('get', 'pods/log'), false],
    ['all names cover one', rule('get', 'pods'), rule('get', 'pods', 'web'), true],
    ['a name does not cover all', rule('get', 'pods', 'web'), rule('get', 'pods'), false],
    ['a name covers itself', rule('get', 'pods', 'web', 'api'), rule('get', 'pods', 'api'), true],
    ['and no other', rule('get', 'pods', 'web'), rule('get', 'pods', 'web', 'api'), false],
    ['the name * covers no other name', rule('get', 'pods', '*'), rule('get', 'pods', 'web'), false],
    ['nor all names', rule('get', 'pods', '*'), rule('get', 'pods'), false],
  ])('a right covers another: %s', (_, held, granted, covered) => {
    expect(uncovered([held], [granted]).length === 0).toBe(covered);
  });

  const url = (nonResourceURLs: string): rbac.PolicyRule => ({
    verbs: ['get'],
    nonResourceURLs: [nonResourceURLs],
  });

  test.each([
    ['/healthz', '/healthz', true],
    ['/healthz/*', '/healthz/etcd', true],
    ['/healthz/*', '/healthz', false],
    ['/healthz*', '/healthz/etcd', true],
    ['*', '/healthz/*', true],
    ['/healthz/etcd', '/healthz/*', false],
  ])('a path covers another: %s and %s', (held, granted, covered) => {
    expect(uncovered([url(held)], [url(granted)]).length === 0).toBe(covered);
  });

  test('a grant counts newer roles and bindings than a request', () => {
    const subjects = [subject('User jane')];
    const observed = [
      clusterRole('r', rule('get', 'pods')),
      clusterRoleBinding('kept', 'ClusterRole r', ...subjects),
      clusterRoleBinding('lost', 'ClusterRole r', ...subjects),
    ];
    const stronger = clusterRole('r', rule('get', 'pods secrets'));
    const present = cacheOf(stronger, clusterRoleBinding('kept', 'ClusterRole r', ...subjects));
    const cache = cacheOf(...observed);
    const grants = grantsOf({ cache, read: (resource, key) => present.get(resource, key) });
    expect(grants.get(clusterRoles, { name: 'r' }), 'the role with its new rule').toEqual(stronger);
    expect(grants.get(clusterRoles, { name: 'none' }), 'a role that does not exist').toBeUndefined();
    expect(
      grants.list(clusterRoleBindings).map(({ metadata }) => metadata.name),
      'the bindings that still exist',
    ).toEqual(['kept']);
  });

  const getPods = rule('get', 'pods');
  const getSecrets = rule('get', 'secrets');

  test('a user creates a role only with rights of the user', () => {
    expect(
      refusal(role('ci', 'new', getPods), janeMay('ci', getPods)),
      'jane may get pods in ci',
    ).toBeUndefined();
    expect(refusal(role('ci', 'new', getPods, getSecrets), janeMay('ci', getPods))).toBe(
      `roles.rbac.authorization.k8s.io "new" is forbidden: ${refused('{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}')}`,
    );
  });

  test('rights in one namespace do not count in another, nor in the cluster', () => {
    expect(refusal(role('other', 'new', getPods), janeMay('ci', getPods)), 'a Role in other').toBeDefined();
    expect(refusal(clusterRole('new', getPods), janeMay('ci', getPods)), 'a ClusterRole').toBeDefined();
    const inCi = { ...clusterRole('new', getPods), metadata: role('ci', 'new').metadata };
    expect(
      refusal(inCi, janeMay('ci', getPods)),
      'a ClusterRole with a namespace in its metadata',
    ).toBeDefined();
    expect(refusal(role('ci', 'new', getPods), janeMayEverywhere(getPods)), 'the reverse').toBeUndefined();
  });

  test('a user updates a role only to rights of the user', () => {
    const old = role('ci', 'r', getPods);
    expect(
      refusal(role('ci', 'r', getSecrets), janeMay('ci', getPods), { old }),
      'an update is no way around the check',
    ).toBeDefined();
    expect(
      refusal(role('ci', 'r', getPods), janeMay('ci', getPods), { old: role('ci', 'r', getSecrets) }),
      'she may take rights away that she does not have',
    ).toBeUndefined();
  });

  test('a user with the verb escalate may', () => {
    const everywhere = [...janeMay('ci', rule('escalate', 'roles'))];
    expect(refusal(role('ci', 'new', getSecrets), everywhere), 'escalate on roles in ci').toBeUndefined();
    expect(refusal(clusterRole('new', getSecrets), everywhere), 'but not on clusterroles').toBeDefined();
    const named = janeMay('ci', rule('escalate', 'roles', 'r'));
    const old = role('ci', 'r', getPods);
    expect(refusal(role('ci', 'r', getSecrets), named, { old }), 'an update of r').toBeUndefined();
    expect(refusal(role('ci', 'r', getSecrets), named), 'a create has no name: no').toBeDefined();
  });

  test('a binding grants the rules of its role', () => {
    const secretReader = role('ci', 'secret-reader', getSecrets);
    const binding = roleBinding('ci', 'new', 'Role secret-reader', subject('User bob'));
    expect(refusal(binding, [...janeMay('ci', getPods), secretReader]), 'jane does not have them').toBe(
      `rolebindings.rbac.authorization.k8s.io "new" is forbidden: ${refused('{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}')}`,
    );
    expect(refusal(binding, [...janeMay('ci', getSecrets), secretReader]), 'jane has them').toBeUndefined();
  });

  test('a binding of the whole cluster needs the rights in the whole cluster', () => {
    const reader = clusterRole('reader', getPods);
    const everywhere = clusterRoleBinding('new', 'ClusterRole reader', subject('User bob'));
    expect(refusal(everywhere, [...janeMay('ci', getPods), reader])).toBeDefined();
    expect(refusal(everywhere, [...janeMayEverywhere(getPods), reader])).toBeUndefined();
    const inCi = roleBinding('ci', 'new', 'ClusterRole reader', subject('User bob'));
    expect(
      refusal(inCi, [...janeMay('ci', getPods), reader]),
      'in ci, the rights in ci suffice',
    ).toBeUndefined();
  });

  test('a user with the verb bind on the role may', () => {
    const reader = clusterRole('reader', getSecrets);
    const binding = roleBinding('ci', 'new', 'ClusterRole reader', subject('User bob'));
    const may = (...rules: rbac.PolicyRule[]): string | undefined =>
      refusal(binding, [...janeMay('ci', ...rules), reader]);
    expect(may(rule('bind', 'clusterroles')), 'every ClusterRole, in ci').toBeUndefined();
    expect(may(rule('bind', 'clusterroles', 'reader')), 'this ClusterRole').toBeUndefined();
    expect(
      may(rule('bind', 'clusterroles', 'new')),
      'it is the name of the role, not of the binding',
    ).toBeDefined();
    expect(may(rule('bind', 'roles')), 'a ClusterRole is no Role').toBeDefined();
    expect(may(rule('bind', 'rolebindings')), 'bind is a verb on roles').toBeDefined();
  });

  test('a binding to a missing role needs bind: the role may get any rules later', () => {
    const binding = roleBinding('ci', 'new', 'Role later', subject('User jane'));
    expect(refusal(binding, janeMay('ci', getPods)), 'a 404').toBe(
      'roles.rbac.authorization.k8s.io "later" not found',
    );
    expect(refusal(binding, janeMay('ci', rule('bind', 'roles')))).toBeUndefined();
  });

  test('an update by the garbage collector passes', () => {
    const old = clusterRole('r', getSecrets);
    const orphaned = { ...old, metadata: { ...old.metadata, finalizers: [] } };
    const before = { ...old, metadata: { ...old.metadata, finalizers: ['orphan'] } };
    expect(refusal(orphaned, [], { old: before }), 'only a finalizer is gone').toBeUndefined();
    expect(
      refusal({ ...orphaned, metadata: { ...orphaned.metadata, labels: { a: 'b' } } }, [], { old: before }),
      'a label changes, too',
    ).toBeDefined();
  });

  test('an aggregate needs every right, because its rules will be those of any role', () => {
    const aggregate: ClusterRole = {
      ...clusterRole('all'),
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    };
    const message =
      'clusterroles.rbac.authorization.k8s.io "all" is forbidden: must have cluster-admin privileges to use the aggregationRule';
    const pods = janeMayEverywhere(rule('*', 'pods'));
    expect(refusal(aggregate, pods), 'an aggregate without rules of its own').toBe(message);
    expect(refusal(clusterRole('all'), pods, { old: aggregate }), 'nor may she take the selectors away').toBe(
      message,
    );
    expect(
      refusal({ ...aggregate, aggregationRule: {} }, pods),
      'without selectors it gathers nothing',
    ).toBeUndefined();
    const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    expect(refusal(aggregate, janeMayEverywhere(everything)), 'all rights include escalate').toBeUndefined();
  });

  test('system:masters may grant everything', () => {
    expect(
      refusal(clusterRole('new', getSecrets), [], { who: user('root', 'system:masters') }),
    ).toBeUndefined();
  });

  test('the refusal names problems with the rights of the user', () => {
    const dangling = roleBinding('ci', 'dangling', 'Role gone', subject('User jane'));
    expect(refusal(role('ci', 'new', getPods), [dangling])).toContain(
      '; resolution errors: [roles.rbac.authorization.k8s.io "gone" not found]',
    );
  });

  interface Row {
    readonly owner: readonly rbac.PolicyRule[];
    readonly servant: readonly rbac.PolicyRule[];
  }

  test.each(
    named(vectors<Row, { covered: boolean; uncovered: readonly rbac.PolicyRule[] }>('rbac', 'covers', 5)),
  )("agrees with upstream's Covers: %s", (_, { input, expect: wanted }) => {
    expect(
      uncovered(input.owner, input.servant),
      ruleFor('the rights that the owner does not have, each with a single verb', input),
    ).toEqual(wanted.uncovered);
  });
});
