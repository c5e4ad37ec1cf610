import fc from 'fast-check';
import type * as rbac from '#api/rbac/v1';
import type { Workload } from '../../../testing/holds.ts';
import {
  type AccessScenario,
  AGGREGATE_TO,
  type Caller,
  type Grant,
  type Operation,
  RBAC,
  type WriteVerb,
} from '../scenario/index.ts';
import { callers, lists, namespaces, oneOf, plain, scenariosWith, someOf } from './arbitraries.ts';
import { confused } from './confusion.ts';
import { local, named } from './delegation.ts';
import { byAdmin, byJane, reader, setting, strong, user } from './settings.ts';
import { collected, kept } from './updates.ts';

const someRules: fc.Arbitrary<rbac.PolicyRule> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        verbs: someOf(['get', 'list', 'create'], 2),
        apiGroups: lists([''], ['', 'apps'], ['*']),
        resources: someOf(['pods', 'pods/log', 'secrets', 'deployments/scale', '*/scale', '*'], 2),
      },
      plain,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        verbs: someOf(['get', 'delete'], 2),
        apiGroups: lists(['']),
        resources: lists(['pods'], ['secrets'], ['pods', 'secrets']),
        resourceNames: lists(['web'], ['web', 'db']),
      },
      plain,
    ),
  },
);
const urlRule: fc.Arbitrary<rbac.PolicyRule> = fc.record(
  {
    verbs: lists(['get'], ['get', 'head']),
    nonResourceURLs: lists(['/healthz'], ['/healthz/*'], ['/*'], ['/healthz', '/metrics']),
  },
  plain,
);

/** Generates rules that some rules contain in part: the same, single rights, rights of two rules in one, and more. */
function near(own: readonly rbac.PolicyRule[], withUrls: boolean): fc.Arbitrary<rbac.PolicyRule> {
  const resourceRules = own.filter(({ nonResourceURLs }) => !nonResourceURLs);
  const all = <K extends 'verbs' | 'apiGroups' | 'resources'>(field: K): string[] => [
    ...new Set(resourceRules.flatMap((rule) => rule[field] ?? [])),
  ];
  const urls = own.flatMap(({ nonResourceURLs = [] }) => nonResourceURLs);
  const isRich = resourceRules.length > 0;
  const mixed = fc
    .record(
      {
        verbs: isRich ? someOf(all('verbs'), 2) : lists(['get']),
        apiGroups: isRich ? someOf(all('apiGroups'), 2) : lists(['']),
        resources: isRich ? someOf([...all('resources'), 'deployments/scale', 'pods'], 2) : lists(['pods']),
        resourceNames: oneOf<string[] | undefined>(undefined, undefined, ['web'], ['web', 'db']),
      },
      plain,
    )
    .map(
      ({ resourceNames, ...rule }): rbac.PolicyRule => (resourceNames ? { ...rule, resourceNames } : rule),
    );
  return fc.oneof(
    { weight: 4, arbitrary: isRich ? oneOf(...resourceRules) : mixed },
    { weight: 5, arbitrary: mixed },
    { weight: 1, arbitrary: someRules },
    {
      weight: withUrls && urls.length > 0 ? 2 : 0,
      arbitrary: fc.record(
        { verbs: lists(['get']), nonResourceURLs: someOf([...urls, '/healthz/etcd', '/healthz', '/*', '*']) },
        plain,
      ),
    },
    {
      weight: 1,
      arbitrary: oneOf<rbac.PolicyRule>(
        { verbs: ['*'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['get'], apiGroups: ['*'], resources: ['pods'] },
        { verbs: ['get'], apiGroups: [''], resources: ['*'] },
      ),
    },
  );
}

/** Generates a role or a binding that a user writes. */
function grants(own: readonly rbac.PolicyRule[]): fc.Arbitrary<Grant> {
  const name = oneOf('r1', 'r1', 'r2');
  const subjects = fc.constant([user('eve')]);
  const anyRules = (withUrls: boolean) => fc.array(near(own, withUrls), { minLength: 1, maxLength: 2 });
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record(
        { kind: fc.constant('Role' as const), namespace: namespaces, name, rules: anyRules(false) },
        plain,
      ),
    },
    {
      weight: 3,
      arbitrary: fc
        .record(
          {
            kind: fc.constant('ClusterRole' as const),
            name: oneOf('r1', 'own', 'agg', 'r1'),
            rules: anyRules(true),
            label: oneOf(undefined, undefined, 'view'),
            aggregates: oneOf(undefined, undefined, undefined, 'view', 'strong'),
          },
          plain,
        )
        .map(({ label, aggregates, ...role }) => ({
          ...role,
          ...(label && { labels: { [AGGREGATE_TO]: label } }),
          ...(aggregates && { aggregates }),
        })),
    },
    {
      weight: 4,
      arbitrary: fc.record(
        {
          kind: fc.constant('RoleBinding' as const),
          namespace: namespaces,
          name: oneOf('b1', 'b1', 'b2'),
          roleRef: fc.record(
            {
              kind: oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
              name: oneOf('r1', 'own', 'strong', 'missing', 'agg'),
            },
            plain,
          ),
          subjects,
        },
        plain,
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        {
          kind: fc.constant('ClusterRoleBinding' as const),
          name: oneOf('b1', 'b2'),
          roleRef: fc.record(
            {
              kind: fc.constant('ClusterRole' as const),
              name: oneOf('r1', 'own', 'strong', 'missing', 'agg'),
            },
            plain,
          ),
          subjects,
        },
        plain,
      ),
    },
  );
}

/** More rights of the user: `escalate` or `bind`, on all roles or on one. */
const exemptions: fc.Arbitrary<rbac.PolicyRule | undefined> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc
      .record(
        {
          verb: oneOf('escalate', 'bind', '*'),
          resources: someOf(['roles', 'clusterroles'], 2),
          only: oneOf(undefined, 'r1', 'strong', 'own'),
        },
        plain,
      )
      .map(({ verb, resources, only }) => ({
        verbs: [verb],
        apiGroups: [RBAC],
        resources,
        ...(only && { resourceNames: [only] }),
      })),
  },
);

/** Two rules that differ in one field: together they contain a rule that neither contains. */
const twins: fc.Arbitrary<rbac.PolicyRule[]> = oneOf<rbac.PolicyRule[]>(
  [
    { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['get'], apiGroups: [''], resources: ['secrets'] },
  ],
  [
    { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['list'], apiGroups: [''], resources: ['pods'] },
  ],
);

const ownRules = fc.oneof(
  { weight: 1, arbitrary: twins },
  { weight: 3, arbitrary: fc.array(someRules, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.tuple(someRules, urlRule).map((both): rbac.PolicyRule[] => both) },
);

const verbs = oneOf<WriteVerb>('create', 'create', 'update', 'update', 'patch', 'apply', 'delete');

/** A user writes roles and bindings. */
const writes: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(ownRules, exemptions, oneOf<'cluster' | 'a' | 'split'>('cluster', 'a', 'split'))
  .chain(([own, extra, where]) =>
    fc
      .tuple(
        fc.array(
          fc.tuple(oneOf<Caller>(callers.jane, callers.jane, callers.jane, callers.bob), verbs, grants(own)),
          {
            minLength: 3,
            maxLength: 8,
          },
        ),
        fc.array(grants(own), { maxLength: 3 }),
      )
      .map(([all, present]) => [
        ...setting(own, extra, where),
        ...present.map((grant) => byAdmin(grant)),
        ...all.map(([caller, verb, grant]): Operation => ({ act: 'write', caller, verb, grant })),
      ]),
  );

/** The binding that gives the user the rights of `setting`. */
const OWN_BINDING: Grant = {
  kind: 'ClusterRoleBinding',
  name: 'own0',
  roleRef: { kind: 'ClusterRole', name: 'own' },
  subjects: [user('jane')],
};

/** The cache lags behind a change of the user's rights, or of the role that the user binds. */
const lagging: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf(
      'the role grows',
      'the role comes',
      'the role goes',
      'the right goes',
      'the binding goes',
      'the right comes',
    ),
    oneOf<'ClusterRole' | 'Role'>('ClusterRole', 'Role'),
    fc.boolean(),
  )
  .map(([what, kind, isWider]) => {
    const place = kind === 'Role' ? { namespace: 'a' } : {};
    const role = (...rules: readonly rbac.PolicyRule[]): Grant => ({ kind, ...place, name: 'r1', rules });
    const binding: Grant =
      kind === 'Role' || !isWider
        ? {
            kind: 'RoleBinding',
            namespace: 'a',
            name: 'b1',
            roleRef: { kind, name: 'r1' },
            subjects: [user('eve')],
          }
        : {
            kind: 'ClusterRoleBinding',
            name: 'b1',
            roleRef: { kind: 'ClusterRole', name: 'r1' },
            subjects: [user('eve')],
          };
    const own: Grant = { kind: 'ClusterRole', name: 'own', rules: [reader] };
    const changes: Readonly<Record<string, readonly Operation[]>> = {
      'the role grows': [byAdmin(role(reader, strong), 'update')],
      'the role comes': [byAdmin(role(reader), 'create')],
      'the role goes': [byAdmin(role(reader), 'delete')],
      'the right goes': [byAdmin({ ...own, rules: [] }, 'update')],
      'the binding goes': [byAdmin(OWN_BINDING, 'delete')],
      'the right comes': [
        byAdmin({ ...own, rules: [reader, strong] }, 'update'),
        byAdmin(role(reader, strong), 'update'),
      ],
    };
    return [
      ...setting([reader], undefined, 'cluster'),
      ...(what === 'the role comes' ? [] : [byAdmin(role(reader))]),
      { act: 'hold' },
      ...(changes[what] ?? []),
      byJane(binding),
      { act: 'release' },
      byJane(binding),
      byJane({ ...binding, name: 'b2' }),
    ] as readonly Operation[];
  });

/** A user with `bind` or `escalate`, on all roles of a kind or on one, and writes for which it may be enough. */
const exempt: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf('bind', 'bind', 'escalate'),
    oneOf<readonly ('roles' | 'clusterroles')[]>(['roles'], ['clusterroles'], ['roles', 'clusterroles']),
    oneOf<string | undefined>(undefined, 'strong', 'r1'),
  )
  .map(([verb, resources, only]) => {
    const subjects = [user('eve')];
    const rule: rbac.PolicyRule = {
      verbs: [verb],
      apiGroups: [RBAC],
      resources: [...resources],
      ...(only !== undefined && { resourceNames: [only] }),
    };
    const stronger = { ...strong, verbs: ['get', 'delete', 'create'] };
    return [
      ...setting([reader], rule, 'cluster'),
      byAdmin({ kind: 'Role', namespace: 'a', name: 'r1', rules: [strong] }),
      byAdmin({ kind: 'Role', namespace: 'a', name: 'r2', rules: [strong] }),
      byAdmin({ kind: 'ClusterRole', name: 'r1', rules: [strong] }),
      ...(['strong', 'r1', 'r2'] as const).flatMap((name) =>
        (['Role', 'ClusterRole'] as const).map((kind) =>
          byJane({
            kind: 'RoleBinding',
            namespace: 'a',
            name: `${name}-${kind.toLowerCase()}`,
            roleRef: { kind, name },
            subjects,
          }),
        ),
      ),
      byJane({
        kind: 'ClusterRoleBinding',
        name: 'b1',
        roleRef: { kind: 'ClusterRole', name: 'r1' },
        subjects,
      }),
      byJane({
        kind: 'ClusterRoleBinding',
        name: 'b2',
        roleRef: { kind: 'ClusterRole', name: 'strong' },
        subjects,
      }),
      byJane({ kind: 'Role', namespace: 'a', name: 'r1', rules: [stronger] }, 'update'),
      byJane({ kind: 'ClusterRole', name: 'r1', rules: [stronger] }, 'update'),
      byJane({ kind: 'ClusterRole', name: 'r3', rules: [stronger] }),
    ];
  });

/**
 * The scenario classes about writes of roles and bindings. The first ones give somebody a new right: their failures are
 * the easiest to understand.
 */
export const escalationWorkloads: readonly Workload<AccessScenario>[] = [
  { name: 'rights that are easily confused', scenarios: scenariosWith(confused), runs: 30 },
  { name: 'writes of a user', scenarios: scenariosWith(writes), runs: 36 },
  { name: 'bind and escalate', scenarios: scenariosWith(exempt), runs: 12 },
  { name: 'bind and escalate in a namespace', scenarios: scenariosWith(local), runs: 8 },
  { name: 'escalate by name', scenarios: scenariosWith(named), runs: 5 },
  { name: 'a cache that lags', scenarios: scenariosWith(lagging), runs: 20 },
  { name: 'finalizers', scenarios: scenariosWith(collected), runs: 6 },
  { name: 'updates that add no right', scenarios: scenariosWith(kept), runs: 8 },
];
