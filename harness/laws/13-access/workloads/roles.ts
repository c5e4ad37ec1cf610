import fc from 'fast-check';
import type * as rbac from '#api/rbac/v1';
import type { Workload } from '../../../testing/holds.ts';
import {
  type AccessScenario,
  ADMIN,
  type Caller,
  type Grant,
  NAMESPACES,
  type Operation,
  RBAC,
} from '../scenario/index.ts';
import {
  bindings,
  callers,
  certified,
  choices,
  LOCAL_SUBJECTS,
  namespaces,
  oneOf,
  plain,
  questionNear,
  resourceRules,
  roles,
  rules,
  SUBJECTS,
  scenariosWith,
  subjects,
  users,
  usual,
} from './arbitraries.ts';
import { nearly } from './confusion.ts';

const write = (grant: Grant, verb: 'create' | 'update' | 'delete' = 'create'): Operation => ({
  act: 'write',
  caller: ADMIN,
  verb,
  grant,
});

/** Generates a request near one of the rules. */
function asks(all: readonly rbac.PolicyRule[]): fc.Arbitrary<Operation> {
  return fc.tuple(users, fc.nat({ max: 20 }), namespaces, choices).map(([caller, at, namespace, chosen]) => ({
    act: 'ask',
    caller,
    question: questionNear(all.length > 0 ? all[at % all.length] : undefined, namespace, chosen),
  }));
}

const rulesOf = (grants: readonly Grant[]): readonly rbac.PolicyRule[] =>
  grants.flatMap((each) => each.rules ?? []);

/** Generates a change of one of the grants. */
function changes(grants: readonly Grant[]): fc.Arbitrary<readonly Operation[]> {
  return fc
    .tuple(
      fc.nat({ max: grants.length - 1 }),
      oneOf('delete', 'delete', 'remake', 'rules', 'subjects'),
      fc.array(resourceRules, { maxLength: 2 }),
      fc.array(subjects, { maxLength: 2 }),
    )
    .map(([at, how, others, named]): readonly Operation[] => {
      const grant = grants[at] as Grant;
      if (how === 'delete') return [write(grant, 'delete')];
      const changed = grant.rules ? { ...grant, rules: others } : { ...grant, subjects: named };
      return how === 'remake' ? [write(grant, 'delete'), write(changed)] : [write(changed, 'update')];
    });
}

/** Roles and bindings, requests near their rules, a change, and requests again. */
const rolesAndBindings: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.array(roles, { minLength: 1, maxLength: 3 }),
    fc.array(bindings, { minLength: 1, maxLength: 4 }),
    fc.boolean(),
  )
  .chain(([some, bound, isHeld]) => {
    const grants = [...some, ...bound];
    return fc
      .tuple(
        fc.array(asks(rulesOf(some)), { minLength: 3, maxLength: 8 }),
        changes(grants),
        fc.array(asks(rulesOf(some)), { minLength: 1, maxLength: 3 }),
      )
      .map(([before, change, after]) => [
        ...grants.map((each) => write(each)),
        ...before,
        ...(isHeld ? [{ act: 'hold' } as const] : []),
        ...change,
        ...before,
        ...after,
        ...(isHeld ? [{ act: 'release' } as const, ...before] : []),
      ]);
  });

/** Objects that some requests name. */
const there: readonly Operation[] = [
  { act: 'make', object: { kind: 'Pod', namespace: 'a', name: 'web' } },
  { act: 'make', object: { kind: 'Pod', namespace: 'b', name: 'db' } },
  { act: 'make', object: { kind: 'Secret', namespace: 'a', name: 'db' } },
];

/** One rule for one user, by one binding: most requests are near it. */
const oneRule: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(rules, subjects, oneOf('RoleBinding', 'ClusterRoleBinding', 'Role'), namespaces)
  .chain(([rule, subject, how, namespace]) => {
    const isRole = how === 'Role' && !rule.nonResourceURLs;
    const role: Grant = isRole
      ? { kind: 'Role', namespace, name: 'r1', rules: [rule] }
      : { kind: 'ClusterRole', name: 'r1', rules: [rule] };
    const binding: Grant = {
      kind: how === 'ClusterRoleBinding' ? how : 'RoleBinding',
      ...(how !== 'ClusterRoleBinding' && { namespace }),
      name: 'b1',
      roleRef: { kind: role.kind as 'Role' | 'ClusterRole', name: 'r1' },
      subjects: [subject],
    };
    return fc
      .array(fc.tuple(users, choices, oneOf(true, true, true, true, false)), { minLength: 6, maxLength: 12 })
      .map((all) => [
        ...there,
        write(role),
        write(binding),
        ...all.map(([caller, chosen, isOwn]): Operation => {
          const [other = 'b'] = NAMESPACES.filter((each) => each !== namespace);
          const asking = isOwn ? callerOf(subject) : caller;
          const question = questionNear(rule, chosen[5] === 5 ? other : namespace, chosen);
          // The namespace of a request for a path has no meaning.
          const isStray = !question.isResourceRequest && chosen[5] === 4;
          return { act: 'ask', caller: asking, question: { ...question, ...(isStray && { namespace }) } };
        }),
      ]);
  });

/** Returns a user that a subject names, if there is one. */
function callerOf({ kind, name, namespace }: rbac.Subject) {
  if (kind === 'ServiceAccount') return namespace === 'b' ? callers.builderOfB : callers.builder;
  if (name === 'bob' || name === 'ops') return callers.bob;
  if (name.startsWith('system:serviceaccount')) return callers.builder;
  if (name === 'system:anonymous' || name === 'system:unauthenticated') return callers.nobody;
  return callers.jane;
}

const readPods: rbac.PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] };
const jane: rbac.Subject = { kind: 'User', name: 'jane', apiGroup: RBAC };
const bob: rbac.Subject = { kind: 'User', name: 'bob', apiGroup: RBAC };

/** The same rule for several subjects, one after the other, and requests of everybody. */
const whose: fc.Arbitrary<readonly Operation[]> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.tuple(namespaces, oneOf(...SUBJECTS)) },
      { weight: 2, arbitrary: fc.tuple(namespaces, oneOf(...LOCAL_SUBJECTS)) },
      { weight: 2, arbitrary: fc.tuple(fc.constant(''), oneOf(...SUBJECTS)) },
    ),
    { minLength: 3, maxLength: 5 },
  )
  .map((all) => [
    write({ kind: 'ClusterRole', name: 'r1', rules: [readPods] }),
    ...all.flatMap(([home, subject], i): readonly Operation[] => {
      const binding = {
        ...(home === '' ? { kind: 'ClusterRoleBinding' } : { kind: 'RoleBinding', namespace: home }),
        name: `b${i}`,
        roleRef: { kind: 'ClusterRole', name: 'r1' },
        subjects: [subject],
      } as Grant;
      const asking: readonly Caller[] = [...Object.values(callers), certified('builder'), certified('Jane')];
      return [
        write(binding),
        ...asking.map(
          (caller): Operation => ({
            act: 'ask',
            caller,
            question: questionNear(readPods, home, [1, 0, 0, 0]),
          }),
        ),
        {
          act: 'ask',
          caller: callerOf(subject),
          question: questionNear(readPods, home === 'a' ? 'b' : 'a', [1, 0, 0, 0]),
        },
        { act: 'ask', caller: callerOf(subject), question: questionNear(readPods, '', [1, 0, 0, 0]) },
        write(binding, 'delete'),
      ];
    }),
  ]);

/** A Role and a ClusterRole of the same name, or one of them, and a binding to one of them. */
const sameName: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.shuffledSubarray(['Role', 'ClusterRole'] as const, { minLength: 1 }),
    oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
  )
  .map(([present, kind]) => {
    const all: Readonly<Record<'Role' | 'ClusterRole', Grant>> = {
      Role: { kind: 'Role', namespace: 'a', name: 'r1', rules: [readPods] },
      ClusterRole: { kind: 'ClusterRole', name: 'r1', rules: [{ ...readPods, resources: ['secrets'] }] },
    };
    const binding: Grant = {
      kind: 'RoleBinding',
      namespace: 'a',
      name: 'b1',
      roleRef: { kind, name: 'r1' },
      subjects: [jane],
    };
    return [
      ...present.map((each) => write(all[each])),
      write(binding),
      ...['pods', 'secrets'].map((resource): Operation => {
        const question = questionNear({ ...readPods, resources: [resource] }, 'a', [1, 0, 0, 0]);
        return { act: 'ask', caller: callers.jane, question };
      }),
    ];
  });

/** Two roles of one user, each in a namespace or in the cluster, and its lists of rules. */
const ownList: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.array(fc.tuple(oneOf('a', 'b', ''), fc.array(resourceRules, { minLength: 1, maxLength: 2 })), {
      minLength: 2,
      maxLength: 2,
    }),
    fc.array(choices, { minLength: 2, maxLength: 2 }),
  )
  .map(([all, chosen]) => [
    ...all.flatMap(([home, own], i) => [
      write({ kind: 'ClusterRole', name: `r${i}`, rules: own }),
      write({
        ...(home === '' ? { kind: 'ClusterRoleBinding' } : { kind: 'RoleBinding', namespace: home }),
        name: `b${i}`,
        roleRef: { kind: 'ClusterRole', name: `r${i}` },
        subjects: [jane],
      } as Grant),
    ]),
    ...all.flatMap(([home, own], i) =>
      own.map(
        (rule): Operation => ({
          act: 'ask',
          caller: callers.jane,
          question: questionNear(rule, home, [...(chosen[i] ?? []).slice(0, 4), 0, 0]),
        }),
      ),
    ),
    ...['a', 'b', ''].map((namespace): Operation => ({ act: 'rules', caller: callers.jane, namespace })),
  ]);

/** A binding to a missing role beside others, before and after them in the order of names. */
const missingRole: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf('a1', 'z1'),
    fc.boolean(),
    oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
    choices,
    fc.boolean(),
    oneOf(jane, jane, bob),
  )
  .map(([name, isCluster, kind, chosen, isLater, subject]) => {
    const missing: Grant = isCluster
      ? {
          kind: 'ClusterRoleBinding',
          name,
          roleRef: { kind: 'ClusterRole', name: 'missing' },
          subjects: [subject],
        }
      : {
          kind: 'RoleBinding',
          namespace: 'a',
          name,
          roleRef: { kind, name: 'missing' },
          subjects: [subject],
        };
    const question = questionNear(readPods, 'a', [...chosen.slice(0, 4), 0, 0]);
    const role: Grant = { kind: 'Role', namespace: 'a', name: 'r1', rules: [readPods] };
    return [
      write(missing),
      write(role),
      write({
        kind: 'RoleBinding',
        namespace: 'a',
        name: 'm1',
        roleRef: { kind: 'Role', name: 'r1' },
        subjects: [jane],
      }),
      { act: 'ask', caller: callers.jane, question },
      { act: 'ask', caller: callers.jane, question: { ...question, verb: 'create', name: '' } },
      { act: 'rules', caller: callers.jane, namespace: 'a' },
      ...(isLater
        ? [
            write({
              kind: 'ClusterRole',
              name: 'missing',
              rules: [{ ...readPods, verbs: ['create', 'delete'] }],
            }),
            {
              act: 'ask',
              caller: callers.jane,
              question: { ...question, verb: 'create', name: '' },
            } as const,
          ]
        : []),
    ];
  });

/** Roles and bindings that finalizers keep: until they are gone, they count. */
const ending: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
    oneOf<'RoleBinding' | 'ClusterRoleBinding'>('RoleBinding', 'ClusterRoleBinding'),
    oneOf('the role', 'the binding'),
  )
  .map(([kind, bindingKind, what]) => {
    const isLocal = kind === 'Role' || bindingKind === 'RoleBinding';
    const stays = { finalizers: ['example.com/stays'] };
    const role: Grant = {
      kind,
      ...(kind === 'Role' && { namespace: 'a' }),
      name: 'r1',
      rules: [readPods],
      ...stays,
    };
    const binding = {
      ...(isLocal ? { kind: 'RoleBinding', namespace: 'a' } : { kind: 'ClusterRoleBinding' }),
      name: 'b1',
      roleRef: { kind, name: 'r1' },
      subjects: [jane],
      ...stays,
    } as Grant;
    const ended = what === 'the role' ? role : binding;
    const asking: Operation = {
      act: 'ask',
      caller: callers.jane,
      question: questionNear(readPods, 'a', [1, 0, 0, 0]),
    };
    const gone = { ...ended, finalizers: [] };
    return [
      ...[write(role), write(binding), asking],
      ...[write(ended, 'delete'), asking],
      ...[write(gone, 'update'), asking],
    ];
  });

/** A user's list of rules, beside the answers to requests. */
const lists: fc.Arbitrary<readonly Operation[]> = fc
  .tuple(
    fc.array(roles, { minLength: 1, maxLength: 3 }),
    fc.array(bindings, { minLength: 1, maxLength: 4 }),
    fc.array(
      fc.record({ act: fc.constant('rules' as const), caller: users, namespace: oneOf('a', 'b', '') }, plain),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .chain(([some, bound, reviews]) =>
    fc
      .array(asks(rulesOf(some)), { maxLength: 3 })
      .map((own) => [...[...some, ...bound].map((each) => write(each)), ...own, ...reviews]),
  );

const both = oneOf(
  usual,
  { anonymous: true, authorizers: ['Node', 'RBAC'] } as const,
  { anonymous: true, authorizers: ['Node', 'RBAC'] } as const,
  { anonymous: false, authorizers: ['RBAC', 'Node'] } as const,
);

/** The scenario classes about roles and bindings. */
export const roleWorkloads: readonly Workload<AccessScenario>[] = [
  { name: 'roles and bindings', scenarios: scenariosWith(rolesAndBindings, both), runs: 30 },
  { name: 'one rule', scenarios: scenariosWith(oneRule), runs: 40 },
  { name: 'a rule that is easily confused', scenarios: scenariosWith(nearly), runs: 25 },
  { name: 'whose rules', scenarios: scenariosWith(whose), runs: 30 },
  { name: 'roles of the same name', scenarios: scenariosWith(sameName), runs: 30 },
  { name: 'a missing role', scenarios: scenariosWith(missingRole), runs: 8 },
  { name: 'a role or a binding that is being deleted', scenarios: scenariosWith(ending), runs: 6 },
  { name: 'lists of rules', scenarios: scenariosWith(lists), runs: 6 },
  { name: 'the rules of a user', scenarios: scenariosWith(ownList), runs: 10 },
];
