import fc from 'fast-check';
import type * as rbac from '#api/rbac/v1';
import type { Grant, Operation } from '../scenario/index.ts';
import { oneOf } from './arbitraries.ts';
import { byAdmin, byJane, setting, user } from './settings.ts';

const right = (fields: Partial<rbac.PolicyRule>): rbac.PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  ...fields,
});
const path = (...nonResourceURLs: string[]): rbac.PolicyRule => ({ verbs: ['get'], nonResourceURLs });

/** What a user has, and a rule that is easily confused with it: some are contained in it, and some are not. */
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
  [[right({ resources: ['pods/*'] })], right({ resources: ['pods/log'] })],
  [[right({ resources: ['*'] })], right({ resources: ['pods/log', 'secrets'] })],
  [[right({ resourceNames: ['web'] })], right({})],
  [[right({ resourceNames: ['web'] })], right({ resourceNames: ['db'] })],
  [[right({ resourceNames: ['web'] })], right({ resourceNames: ['web', 'db'] })],
  [[right({})], right({ resourceNames: ['web'] })],
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
  [[path('/healthz')], path('/healthz/*')],
  [[path('/healthz')], path('*')],
  [[right({ resources: ['*'], apiGroups: ['*'], verbs: ['get'] })], path('/healthz')],
];

/** A user with one right, and a grant of another one in each way: a role, an update, a binding of a role. */
export const confused: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf(...CONFUSED),
    oneOf('cluster', 'cluster', 'a') as fc.Arbitrary<'cluster' | 'a'>,
    fc.shuffledSubarray(['Role', 'ClusterRole', 'update', 'RoleBinding', 'ClusterRoleBinding'] as const, {
      minLength: 2,
    }),
    oneOf('a', 'a', 'b'),
  )
  .map(([[own, granted], where, ways, namespace]) => {
    const given: Grant = { kind: 'ClusterRole', name: 'given', rules: [granted] };
    const roleRef = { kind: 'ClusterRole', name: 'given' } as const;
    const subjects = [user('eve')];
    const isPath = granted.nonResourceURLs !== undefined;
    const writesOf: Readonly<Record<(typeof ways)[number], Operation>> = {
      Role: byJane({ kind: 'Role', namespace, name: 'r1', rules: isPath ? [] : [granted] }),
      ClusterRole: byJane({ ...given, name: 'r2' }),
      update: byJane({ ...given, name: 'empty' }, 'update'),
      RoleBinding: byJane({ kind: 'RoleBinding', namespace, name: 'b1', roleRef, subjects }),
      ClusterRoleBinding: byJane({ kind: 'ClusterRoleBinding', name: 'b2', roleRef, subjects }),
    };
    return [
      ...setting(own, undefined, where),
      byAdmin(given),
      byAdmin({ kind: 'ClusterRole', name: 'empty', rules: [] }),
      byAdmin({
        kind: 'ClusterRoleBinding',
        name: 'e',
        roleRef: { kind: 'ClusterRole', name: 'empty' },
        subjects,
      }),
      ...ways.map((way) => writesOf[way]),
    ];
  });
