import fc from 'fast-check';
import { type Grant, type Operation, RBAC } from '../scenario/index.ts';
import { oneOf } from './arbitraries.ts';
import { byAdmin, byJane, reader, setting, strong, user } from './settings.ts';

/** A user who may `bind` or `escalate` in one namespace only, and writes there and elsewhere. */
export const local: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf('bind', 'escalate'),
    fc.shuffledSubarray<Grant>(
      [
        ...(['a', 'b'] as const).flatMap((namespace): Grant[] => [
          {
            kind: 'RoleBinding',
            namespace,
            name: 'b1',
            roleRef: { kind: 'ClusterRole', name: 'strong' },
            subjects: [user('eve')],
          },
          { kind: 'Role', namespace, name: 'r1', rules: [strong] },
        ]),
        {
          kind: 'ClusterRoleBinding',
          name: 'b1',
          roleRef: { kind: 'ClusterRole', name: 'strong' },
          subjects: [user('eve')],
        },
        { kind: 'ClusterRole', name: 'r1', rules: [strong] },
      ],
      { minLength: 4 },
    ),
  )
  .map(([verb, all]) => [
    ...setting([reader], undefined, 'cluster'),
    byAdmin({
      kind: 'ClusterRole',
      name: 'extra',
      rules: [{ verbs: [verb], apiGroups: [RBAC], resources: ['roles', 'clusterroles'] }],
    }),
    byAdmin({
      kind: 'RoleBinding',
      namespace: 'a',
      name: 'extra',
      roleRef: { kind: 'ClusterRole', name: 'extra' },
      subjects: [user('jane')],
    }),
    ...all.map((grant) => byJane(grant)),
  ]);

/** A user who may `escalate` the role of one name, which does not exist, or does. */
export const named: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'), fc.boolean())
  .map(([kind, exists]) => {
    const role = { kind, ...(kind === 'Role' && { namespace: 'a' }), name: 'r1', rules: [strong] } as const;
    const rule = {
      verbs: ['escalate'],
      apiGroups: [RBAC],
      resources: ['roles', 'clusterroles'],
      resourceNames: ['r1'],
    };
    return [
      ...setting([reader], rule, 'cluster'),
      ...(exists ? [byAdmin({ ...role, rules: [] })] : []),
      exists ? byJane(role, 'update') : byJane(role),
      byJane({ ...role, name: 'r2' }),
    ];
  });
