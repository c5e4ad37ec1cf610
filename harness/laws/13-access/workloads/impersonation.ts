import fc from 'fast-check';
import type * as rbac from '#api/rbac/v1';
import type { Impersonation } from '../../../contracts/access/index.ts';
import type { Workload } from '../../../testing/holds.ts';
import {
  type AccessScenario,
  ADMIN,
  type Caller,
  type Grant,
  type Operation,
  RBAC,
  resourceRequest,
} from '../scenario/index.ts';
import { callers, lists, oneOf, plain, scenariosWith, someOf } from './arbitraries.ts';

const AUTHENTICATION = 'authentication.k8s.io';

const identities: fc.Arbitrary<Impersonation> = fc
  .record(
    {
      user: oneOf(
        'bob',
        'bob',
        'eve',
        'system:serviceaccount:a:builder',
        'system:serviceaccount:b:builder',
        'system:anonymous',
        'system:serviceaccount:a',
        'admin',
        '',
      ),
      uid: oneOf(undefined, undefined, 'u-1', 'u-2'),
      groups: oneOf<readonly string[]>(
        [],
        [],
        ['dev'],
        ['dev', 'ops'],
        ['system:masters'],
        ['system:authenticated'],
        ['system:unauthenticated', 'dev'],
      ),
      extra: oneOf<Impersonation['extra']>(
        {},
        {},
        { scopes: ['view'] },
        { scopes: ['view', 'edit'] },
        { project: ['x'] },
      ),
    },
    plain,
  )
  .map(({ uid, ...rest }) => ({ ...rest, ...(uid && { uid }) }));

const named = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  someOf(['bob', 'builder', 'dev', 'view', 'u-1', 'system:masters'], 3),
);

/** Generates rules that permit some impersonations. */
const impersonationRules: fc.Arbitrary<rbac.PolicyRule> = fc
  .tuple(
    oneOf<readonly [string[], string[]]>(
      [[''], ['users']],
      [[''], ['users', 'groups']],
      [[''], ['users', 'groups', 'serviceaccounts']],
      [[''], ['serviceaccounts']],
      [[''], ['groups']],
      [[AUTHENTICATION], ['uids']],
      [[AUTHENTICATION], ['userextras/scopes']],
      [[AUTHENTICATION], ['userextras/scopes', 'userextras/project', 'uids']],
      [[AUTHENTICATION], ['userextras']],
      [[''], ['userextras/scopes', 'uids']],
    ),
    lists(['impersonate'], ['impersonate'], ['*'], ['get']),
    named,
  )
  .map(([[apiGroups, resources], verbs, resourceNames]) => ({
    verbs,
    apiGroups,
    resources,
    ...(resourceNames && { resourceNames }),
  }));

const everything: rbac.PolicyRule[] = [
  { verbs: ['impersonate'], apiGroups: [''], resources: ['users', 'groups', 'serviceaccounts'] },
  {
    verbs: ['impersonate'],
    apiGroups: [AUTHENTICATION],
    resources: ['uids', 'userextras/scopes', 'userextras/project'],
  },
];

/** A user with some rights to act as others, and requests in their names. */
const inTheirNames: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: fc.array(impersonationRules, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant(everything) },
    ),
    oneOf('cluster', 'cluster', 'cluster', 'a'),
    fc.array(
      fc.tuple(oneOf<Caller>(callers.jane, callers.jane, callers.jane, callers.eve, ADMIN), identities),
      {
        minLength: 2,
        maxLength: 8,
      },
    ),
  )
  .map(([rules, where, all]) => {
    const binding: Grant = {
      ...(where === 'a' ? { kind: 'RoleBinding', namespace: 'a' } : { kind: 'ClusterRoleBinding' }),
      name: 'b1',
      roleRef: { kind: 'ClusterRole', name: 'r1' },
      subjects: [{ kind: 'User', name: 'jane', apiGroup: RBAC }],
    } as Grant;
    return [
      { act: 'write', caller: ADMIN, verb: 'create', grant: { kind: 'ClusterRole', name: 'r1', rules } },
      { act: 'write', caller: ADMIN, verb: 'create', grant: binding },
      ...all.map(([caller, as]) => ({
        act: 'ask',
        caller: { ...caller, as },
        question: resourceRequest({ namespace: 'a', verb: 'list' }),
      })),
    ] as readonly Operation[];
  });

/** The scenario classes about impersonation. */
export const impersonationWorkloads: readonly Workload<AccessScenario>[] = [
  { name: "in another's name", scenarios: scenariosWith(inTheirNames), runs: 50 },
];
