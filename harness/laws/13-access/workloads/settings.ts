import type * as rbac from '#api/rbac/v1';
import { ADMIN, AGGREGATE_TO, type Grant, type Operation, RBAC, type WriteVerb } from '../scenario/index.ts';
import { callers } from './arbitraries.ts';

export const byAdmin = (grant: Grant, verb: WriteVerb = 'create'): Operation => ({
  act: 'write',
  caller: ADMIN,
  verb,
  grant,
});

export const user = (name: string): rbac.Subject => ({ kind: 'User', name, apiGroup: RBAC });
const jane = user('jane');
const dev: rbac.Subject = { kind: 'Group', name: 'dev', apiGroup: RBAC };

const GRANTS = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'];

/** Everybody in the group `dev` may write roles and bindings: without other rights, that gives them nothing. */
export const writers: readonly Operation[] = [
  byAdmin({
    kind: 'ClusterRole',
    name: 'writer',
    rules: [{ verbs: ['get', 'create', 'update', 'patch', 'delete'], apiGroups: [RBAC], resources: GRANTS }],
  }),
  byAdmin({
    kind: 'ClusterRoleBinding',
    name: 'writers',
    roleRef: { kind: 'ClusterRole', name: 'writer' },
    subjects: [dev],
  }),
];

export const strong: rbac.PolicyRule = {
  verbs: ['get', 'delete'],
  apiGroups: [''],
  resources: ['secrets', 'nodes'],
};

/** The usual rule of a user. */
export const reader: rbac.PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };

/** The roles that exist: those of the user, a stronger one, and an aggregate of `view`, which eve has. */
export function setting(
  own: readonly rbac.PolicyRule[],
  extra: rbac.PolicyRule | undefined,
  where: 'cluster' | 'a' | 'split',
): readonly Operation[] {
  const [first, ...others] = own;
  const parts = where === 'split' && first ? [[first], others] : [own];
  return [
    ...writers,
    byAdmin({ kind: 'ClusterRole', name: 'strong', rules: [strong], labels: { [AGGREGATE_TO]: 'strong' } }),
    byAdmin({ kind: 'ClusterRole', name: 'agg', rules: [], aggregates: 'view' }),
    byAdmin({
      kind: 'ClusterRoleBinding',
      name: 'viewers',
      roleRef: { kind: 'ClusterRole', name: 'agg' },
      subjects: [user('eve')],
    }),
    ...parts.flatMap((rules, i) => [
      byAdmin({ kind: 'ClusterRole', name: i === 0 ? 'own' : `own${i}`, rules }),
      byAdmin({
        ...(where === 'a' ? { kind: 'RoleBinding', namespace: 'a' } : { kind: 'ClusterRoleBinding' }),
        name: `own${i}`,
        roleRef: { kind: 'ClusterRole', name: i === 0 ? 'own' : `own${i}` },
        subjects: [jane],
      } as Grant),
    ]),
    ...(extra
      ? [
          byAdmin({ kind: 'ClusterRole', name: 'extra', rules: [extra] }),
          byAdmin({
            kind: 'ClusterRoleBinding',
            name: 'extra',
            roleRef: { kind: 'ClusterRole', name: 'extra' },
            subjects: [jane],
          }),
        ]
      : []),
  ];
}

export const byJane = (grant: Grant, verb: WriteVerb = 'create'): Operation => ({
  act: 'write',
  caller: callers.jane,
  verb,
  grant,
});
