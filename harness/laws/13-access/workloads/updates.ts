import fc from 'fast-check';
import type { Grant, Operation, WriteVerb } from '../scenario/index.ts';
import { oneOf } from './arbitraries.ts';
import { byAdmin, byJane, reader, setting, strong, user } from './settings.ts';

/** An update that changes only finalizers, by a user who lacks the rights of the role. */
export const collected: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf<'ClusterRole' | 'ClusterRoleBinding' | 'Role'>('ClusterRole', 'ClusterRoleBinding', 'Role'),
    fc.boolean(),
    oneOf<WriteVerb>('update', 'patch'),
  )
  .map(([kind, isMore, verb]) => {
    const grant: Grant =
      kind === 'ClusterRoleBinding'
        ? { kind, name: 'b1', roleRef: { kind: 'ClusterRole', name: 'strong' }, subjects: [user('eve')] }
        : { kind, ...(kind === 'Role' && { namespace: 'a' }), name: 'r1', rules: [strong] };
    const stays = ['example.com/stays'];
    const changed: Grant = isMore
      ? { ...grant, labels: { some: 'label' }, finalizers: [] }
      : { ...grant, finalizers: [] };
    return [
      ...setting([reader], undefined, 'cluster'),
      byAdmin({ ...grant, finalizers: stays }),
      byJane({ ...grant, finalizers: [...stays, 'example.com/more'] }, verb),
      byJane(changed, verb),
    ];
  });

/** Updates that give nobody a new right. The role or the binding still grants more than its writer has. */
export const kept: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
    oneOf<'RoleBinding' | 'ClusterRoleBinding'>('RoleBinding', 'ClusterRoleBinding'),
    oneOf<WriteVerb>('update', 'patch'),
    fc.shuffledSubarray(
      [
        'a rule goes',
        'a rule comes',
        'a verb goes',
        'the other rule goes',
        'a subject goes',
        'all go',
        'none',
        'the aggregate ends',
      ],
      { minLength: 4 },
    ),
  )
  .map(([kind, bindingKind, verb, all]) => {
    const role: Grant = {
      kind,
      ...(kind === 'Role' && { namespace: 'a' }),
      name: 'r1',
      rules: [strong, reader],
    };
    const binding: Grant = {
      kind: bindingKind,
      ...(bindingKind === 'RoleBinding' && { namespace: 'a' }),
      name: 'b1',
      roleRef: { kind: 'ClusterRole', name: 'strong' },
      subjects: [user('eve'), user('bob')],
    };
    const writesOf: Readonly<Record<string, Operation>> = {
      'a rule goes': byJane({ ...role, rules: [strong] }, verb),
      'a rule comes': byJane({ ...role, rules: [strong, reader, { ...reader, verbs: ['get'] }] }, verb),
      'a verb goes': byJane({ ...role, rules: [{ ...strong, verbs: ['get'] }] }, verb),
      'the other rule goes': byJane({ ...role, rules: [reader] }, verb),
      'a subject goes': byJane({ ...binding, subjects: [user('eve')] }, verb),
      'all go': byJane({ ...binding, subjects: [] }, verb),
      none: byJane({ ...binding, name: 'b2', subjects: [] }),
      'the aggregate ends': byJane({ kind: 'ClusterRole', name: 'agg', rules: [] }, verb),
    };
    return [
      ...setting([reader], undefined, 'cluster'),
      byAdmin(role),
      byAdmin(binding),
      ...all.flatMap((each) => writesOf[each] ?? []),
    ];
  });
