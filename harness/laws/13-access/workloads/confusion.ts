import fc from 'fast-check';
import type * as rbac from '#api/rbac/v1';
import {
  type Grant,
  type Operation,
  pathRequest,
  type Question,
  resourceRequest,
} from '../scenario/index.ts';
import { callers, oneOf } from './arbitraries.ts';
import { byAdmin, byJane, setting, user } from './settings.ts';

const right = (fields: Partial<rbac.PolicyRule>): rbac.PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...fields,
});
const path = (...nonResourceURLs: string[]): rbac.PolicyRule => ({ verbs: ['get'], nonResourceURLs });

/** Number of cases in one scenario. */
const CASES = 8;

/** The rules of a user, and a similar rule: some of these the user may grant, and some not. */
const CONFUSED: readonly (readonly [own: readonly rbac.PolicyRule[], granted: rbac.PolicyRule])[] = [
  [[right({})], right({})],
  [[right({})], right({ verbs: ['list'] })],
  [[right({})], right({ verbs: ['get', 'list'] })],
  [[right({})], right({ verbs: ['*'] })],
  [[right({ verbs: ['*'] })], right({ verbs: ['list'] })],
  [[right({})], right({ apiGroups: ['apps'] })],
  [[right({})], right({ apiGroups: ['', 'apps'] })],
  [[right({})], right({ apiGroups: ['*'] })],
  [[right({ apiGroups: ['*'] })], right({ apiGroups: ['apps'] })],
  [[right({})], right({ resources: ['pods/log'] })],
  [[right({})], right({ resources: ['*'] })],
  [[right({ resources: ['pods/log'] })], right({})],
  [[right({ resources: ['pods/log'] })], right({ resources: ['*/log'] })],
  [[right({ resources: ['*/log'] })], right({ resources: ['pods/log'] })],
  [[right({ resources: ['*/log'] })], right({})],
  [[right({ resources: ['*/log'] })], right({ resources: ['*/log'] })],
  [[right({ resources: ['pods/*'] })], right({ resources: ['pods/log'] })],
  [[right({ resources: ['*'] })], right({ resources: ['pods/log', 'secrets'] })],
  [[right({ resourceNames: ['web'] })], right({})],
  [[right({ resourceNames: ['web'] })], right({ resourceNames: ['db'] })],
  [[right({ resourceNames: ['web'] })], right({ resourceNames: ['web', 'db'] })],
  [[right({})], right({ resourceNames: ['web'] })],
  [[right({ resourceNames: ['*'] })], right({ resourceNames: ['web'] })],
  [[right({ resourceNames: ['*'] })], right({})],
  [[right({}), right({ resources: ['secrets'] })], right({ resources: ['pods', 'secrets'] })],
  [[right({}), right({ verbs: ['list'] })], right({ verbs: ['get', 'list'] })],
  [
    [right({ resourceNames: ['web'] }), right({ resourceNames: ['db'] })],
    right({ resourceNames: ['web', 'db'] }),
  ],
  [[right({}), right({ verbs: ['list'], resources: ['secrets'] })], right({ verbs: ['list'] })],
  [[path('/healthz')], path('/healthz')],
  [[path('/healthz/*')], path('/healthz/etcd', '/healthz/etcd/*')],
  [[path('/healthz/*')], path('/healthz')],
  [[path('/healthz*')], path('/healthz/etcd')],
  [[path('/healthz')], path('/healthz/*')],
  [[path('/healthz')], path('*')],
  [[right({ resources: ['*'], apiGroups: ['*'], verbs: ['get'] })], path('/healthz')],
];

const WAYS = ['Role', 'ClusterRole', 'update', 'RoleBinding', 'ClusterRoleBinding', 'rebinding'] as const;

/**
 * Some cases, one after the other. In each, a user gets other rules, and grants the similar rule in one or two ways: a
 * role, an update, a binding of a role.
 */
export const confused: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.shuffledSubarray([...CONFUSED], { minLength: CASES, maxLength: CASES }),
    fc.array(fc.shuffledSubarray([...WAYS], { minLength: 1, maxLength: 2 }), {
      minLength: CASES,
      maxLength: CASES,
    }),
    oneOf('cluster', 'cluster', 'a') as fc.Arbitrary<'cluster' | 'a'>,
    oneOf('a', 'a', 'b'),
  )
  .map(([cases, ways, where, namespace]) => [
    ...setting([], undefined, where),
    byAdmin({ kind: 'ClusterRole', name: 'empty', rules: [] }),
    byAdmin({
      kind: 'ClusterRoleBinding',
      name: 'e',
      roleRef: { kind: 'ClusterRole', name: 'empty' },
      subjects: [user('eve')],
    }),
    ...cases.flatMap(([own, granted], i) => [
      byAdmin({ kind: 'ClusterRole', name: 'own', rules: own }, 'update'),
      byAdmin({ kind: 'ClusterRole', name: `r${i}`, rules: [granted] }),
      ...(ways[i] ?? []).flatMap((way) => grantsBy(way, granted, { i, namespace })),
    ]),
  ]);

/** Returns the operations in which a user grants a rule in one way. The role with this rule exists. */
function grantsBy(
  way: (typeof WAYS)[number],
  rule: rbac.PolicyRule,
  { i, namespace }: { readonly i: number; readonly namespace: string },
): readonly Operation[] {
  const name = `${way.toLowerCase()}-${i}`;
  const roleRef = { kind: 'ClusterRole', name: `r${i}` } as const;
  const subjects = [user('eve')];
  switch (way) {
    case 'Role':
      return [byJane({ kind: way, namespace, name, rules: rule.nonResourceURLs ? [] : [rule] })];
    case 'ClusterRole':
      return [byJane({ kind: way, name, rules: [rule] })];
    case 'update':
      return [byJane({ kind: 'ClusterRole', name: 'empty', rules: [rule] }, 'update')];
    case 'RoleBinding':
      return [byJane({ kind: way, namespace, name, roleRef, subjects })];
    case 'ClusterRoleBinding':
      return [byJane({ kind: way, name, roleRef, subjects })];
    case 'rebinding': {
      const binding: Grant = { kind: 'ClusterRoleBinding', name, roleRef, subjects: [] };
      return [byAdmin(binding), byJane({ ...binding, subjects }, 'update')];
    }
  }
}

/** A rule, and a request like those of the rule: some are allowed, and some not. */
const NEARLY: readonly (readonly [rule: rbac.PolicyRule, asked: Question])[] = [
  [right({ verbs: ['list'] }), ask({ verb: 'watch' })],
  [right({ verbs: ['watch'] }), ask({ verb: 'list' })],
  [right({ verbs: ['get'] }), ask({ verb: 'list' })],
  [right({ verbs: ['list'] }), ask({ verb: 'get', name: 'web' })],
  [right({ verbs: ['delete'] }), ask({ verb: 'deletecollection' })],
  [right({ verbs: ['deletecollection'] }), ask({ verb: 'delete', name: 'web' })],
  [right({ verbs: ['update'] }), ask({ verb: 'patch', name: 'web' })],
  [right({ verbs: ['GET'] }), ask({ name: 'web' })],
  [right({ apiGroups: ['core'] }), ask({ name: 'web' })],
  [right({ apiGroups: ['*'] }), ask({ name: 'web' })],
  [right({ apiGroups: [''] }), ask({ apiGroup: 'apps', name: 'web' })],
  [right({}), ask({ subresource: 'log', name: 'web' })],
  [right({}), ask({ subresource: 'exec', verb: 'get', name: 'web' })],
  [right({ resources: ['pods/*'] }), ask({ subresource: 'log', name: 'web' })],
  [right({ resources: ['pods/log'] }), ask({ name: 'web' })],
  [right({ resources: ['*/log'] }), ask({ subresource: 'log', name: 'web' })],
  [right({ resources: ['*/log'] }), ask({ name: 'web' })],
  [right({ resources: ['*'] }), ask({ subresource: 'log', name: 'web' })],
  [right({ resources: ['*/*'] }), ask({ subresource: 'log', name: 'web' })],
  [right({ resources: ['Pods'] }), ask({ name: 'web' })],
  [right({ verbs: ['create', 'list'], resourceNames: ['web'] }), ask({ verb: 'create' })],
  [right({ verbs: ['create', 'list'], resourceNames: ['web'] }), ask({ verb: 'list' })],
  [
    right({ verbs: ['create', 'list'], resourceNames: ['web'] }),
    ask({ verb: 'list', name: 'web', fieldSelector: 'metadata.name=web' }),
  ],
  [right({ verbs: ['deletecollection'], resourceNames: ['web'] }), ask({ verb: 'deletecollection' })],
  [right({ resourceNames: ['web'] }), ask({ name: 'db' })],
  [right({ resourceNames: ['*'] }), ask({ name: 'db' })],
  [
    right({ resources: ['namespaces'] }),
    resourceRequest({ resource: 'namespaces', namespace: 'a', name: 'a' }),
  ],
  [
    right({ resources: ['namespaces'] }),
    resourceRequest({ resource: 'namespaces', namespace: 'b', name: 'b' }),
  ],
  [right({ resources: ['nodes'] }), resourceRequest({ resource: 'nodes', name: 'web' })],
  [right({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }), pathRequest('get', '/metrics')],
  [path('/healthz'), pathRequest('get', '/healthz/etcd')],
  [path('/healthz/*'), pathRequest('get', '/healthz')],
  [path('/healthz/*'), pathRequest('get', '/healthz/etcd/x')],
  [path('/healthz*'), pathRequest('get', '/healthzy')],
  [path('*'), pathRequest('get', '/metrics')],
  [path('*'), pathRequest('post', '/metrics')],
  [path('*'), ask({ name: 'web' })],
];

/** Some rules, one after the other, each with its request. */
export const nearly: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(fc.shuffledSubarray([...NEARLY], { minLength: 5, maxLength: 8 }), oneOf('cluster', 'cluster', 'a'))
  .map(([all, where]) =>
    all.flatMap(([rule, question], i): readonly Operation[] => {
      const role: Grant = { kind: 'ClusterRole', name: `r${i}`, rules: [rule] };
      const binding = {
        ...(where === 'a' ? { kind: 'RoleBinding', namespace: 'a' } : { kind: 'ClusterRoleBinding' }),
        name: 'b1',
        roleRef: { kind: 'ClusterRole', name: `r${i}` },
        subjects: [user('jane')],
      } as Grant;
      return [
        byAdmin(role),
        byAdmin(binding),
        { act: 'ask', caller: callers.jane, question },
        byAdmin(binding, 'delete'),
      ];
    }),
  );

function ask(fields: Partial<Question>): Question {
  return resourceRequest({ namespace: 'a', ...fields });
}
