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

/** Jane with credentials that contain a uid: nothing of it may remain in another name. */
const janeWithUid: Caller = { certificate: { commonName: 'jane', organizations: ['dev'], uids: ['u-9'] } };

/** A user with some rights to act as others, and requests in their names. */
const inTheirNames: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: fc.array(impersonationRules, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.constant(everything) },
    ),
    oneOf('cluster', 'cluster', 'cluster', 'a'),
    fc.array(
      fc.tuple(oneOf<Caller>(callers.jane, callers.jane, janeWithUid, callers.eve, ADMIN), identities),
      {
        minLength: 2,
        maxLength: 8,
      },
    ),
  )
  .map(([rules, where, all]) => {
    const binding = (
      where === 'a' ? { kind: 'RoleBinding', namespace: 'a' } : { kind: 'ClusterRoleBinding' }
    ) as Grant;
    return asJane(binding, rules, all);
  });

/** Returns the steps that give jane some rules, and requests in other names. */
function asJane(
  binding: Grant,
  rules: readonly rbac.PolicyRule[],
  all: readonly (readonly [Caller, Impersonation])[],
): readonly Operation[] {
  const subjects = [{ kind: 'User', name: 'jane', apiGroup: RBAC }];
  const roleRef = { kind: 'ClusterRole', name: 'r1' } as const;
  const byAdmin = (grant: Grant): Operation => ({ act: 'write', caller: ADMIN, verb: 'create', grant });
  return [
    byAdmin({ kind: 'ClusterRole', name: 'r1', rules }),
    byAdmin({ ...binding, name: 'b1', roleRef, subjects }),
    ...all.map(
      ([caller, as]): Operation => ({
        act: 'ask',
        caller: { ...caller, as },
        question: resourceRequest({ namespace: 'a', verb: 'list' }),
      }),
    ),
  ];
}

/** The exact right to each part of an identity; and a similar right, which is not enough. */
function rightsTo({
  user,
  uid,
  groups,
  extra,
}: Impersonation): readonly (readonly [rbac.PolicyRule, rbac.PolicyRule])[] {
  const right = (apiGroup: string, resource: string, name?: string): rbac.PolicyRule => ({
    verbs: ['impersonate'],
    apiGroups: [apiGroup],
    resources: [resource],
    ...(name !== undefined && { resourceNames: [name] }),
  });
  const [, kind, namespace, account] = user.split(':');
  return [
    kind === 'serviceaccount' && namespace && account
      ? [right('', 'serviceaccounts', account), right('', 'users', user)]
      : [right('', 'users', user), right('', 'groups', user)],
    ...groups.map((name) => [right('', 'groups', name), right('', 'users', name)] as const),
    ...(uid ? [[right(AUTHENTICATION, 'uids', uid), right('', 'uids', uid)] as const] : []),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map(
        (value) =>
          [
            right(AUTHENTICATION, `userextras/${key}`, value),
            right(AUTHENTICATION, 'userextras', value),
          ] as const,
      ),
    ),
  ];
}

/** A user with exactly the rights to an identity, or with all but one, or with a wrong one in its place. */
const exactRights: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    identities,
    fc.nat({ max: 7 }),
    oneOf<'all' | 'missing' | 'confused'>('all', 'missing', 'missing', 'confused'),
    oneOf<Caller>(callers.jane, janeWithUid),
  )
  .map(([as, at, how, caller]) => {
    const all = rightsTo(as);
    const rules = all.flatMap(([own, other], i): rbac.PolicyRule[] => {
      if (how === 'all' || i !== at % all.length) return [own];
      return how === 'missing' ? [] : [other];
    });
    return asJane({ kind: 'ClusterRoleBinding', name: 'b1' }, rules, [[caller, as]]);
  });

/** The scenario classes about impersonation. */
export const impersonationWorkloads: readonly Workload<AccessScenario>[] = [
  { name: "in another's name", scenarios: scenariosWith(inTheirNames), runs: 40 },
  { name: 'exact rights', scenarios: scenariosWith(exactRights), runs: 120 },
];
