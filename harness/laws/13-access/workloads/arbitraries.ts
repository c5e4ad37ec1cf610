import fc from 'fast-check';
import type * as rbac from '#api/rbac/v1';
import { shortened } from '../../../testing/arbitraries/shortened.ts';
import { seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import {
  type AccessScenario,
  ADMIN,
  type Caller,
  type ConfigurationPlan,
  type Grant,
  NAMESPACES,
  type Operation,
  pathRequest,
  type Question,
  RBAC,
  resourceRequest,
  type Step,
} from '../scenario/index.ts';

/** Otherwise fast-check generates some objects without a prototype, which JSON never contains. */
export const plain = { noNullPrototype: true } as const;

/** Generates one of a few values. */
export const oneOf = fc.constantFrom;

/** Generates one of a few lists. */
export const lists = (...all: readonly string[][]): fc.Arbitrary<string[]> => fc.constantFrom(...all);

/** Generates some of a few values, at least one, in any order. */
export const someOf = <T>(values: readonly T[], max = 2): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: max });

/** Returns a step that follows at once. */
export const now = (operation: Operation): Step => ({ afterMs: 0, ...operation });

export const usual: ConfigurationPlan = { anonymous: true, authorizers: ['RBAC'] };

/** Generates scenarios with these steps. A failure shrinks without making a role missing: that is another situation. */
export function scenariosWith(
  steps: fc.Arbitrary<readonly Operation[]>,
  configuration: fc.Arbitrary<ConfigurationPlan> = fc.constant(usual),
): fc.Arbitrary<AccessScenario> {
  const timed = shortened(
    steps.map((all) => all.map(now)),
    keepsRoles,
  );
  return inWords(fc.record({ seed: seeds, configuration, steps: timed }, plain), describeScenario);
}

/** Returns whether each binding of a shorter story refers to a role that this story writes, if the whole story does. */
function keepsRoles(story: readonly Step[], shorter: readonly Step[]): boolean {
  const before = rolesWritten(story);
  const after = rolesWritten(shorter);
  return grantsWritten(shorter).every(({ namespace = '', roleRef }) => {
    if (!roleRef) return true;
    const role = `${roleRef.kind} ${roleRef.kind === 'Role' ? namespace : ''} ${roleRef.name}`;
    return after.has(role) || !before.has(role);
  });
}

const grantsWritten = (steps: readonly Step[]): readonly Grant[] =>
  steps.flatMap((step) => (step.act === 'write' && step.verb !== 'delete' ? [step.grant] : []));

const rolesWritten = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(
    grantsWritten(steps).flatMap(({ kind, namespace = '', name, roleRef }) =>
      roleRef ? [] : [`${kind} ${namespace} ${name}`],
    ),
  );

/** The users, with certificates. */
export const callers = {
  jane: certified('jane', 'dev'),
  bob: certified('bob', 'ops', 'dev'),
  eve: certified('eve'),
  builder: certified('system:serviceaccount:a:builder', 'system:serviceaccounts', 'system:serviceaccounts:a'),
  builderOfB: certified(
    'system:serviceaccount:b:builder',
    'system:serviceaccounts',
    'system:serviceaccounts:b',
  ),
  nobody: {},
} as const;

export function certified(commonName: string, ...organizations: readonly string[]): Caller {
  return { certificate: { commonName, organizations } };
}

/** Generates users. */
export const users: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 6, arbitrary: oneOf<Caller>(callers.jane, callers.bob) },
  { weight: 3, arbitrary: oneOf<Caller>(...Object.values(callers)) },
  { weight: 1, arbitrary: oneOf<Caller>(ADMIN, { header: 'Bearer root-token' }) },
);

const NAMES = ['web', 'db'] as const;
const VERBS = ['get', 'list', 'watch', 'create', 'delete', 'deletecollection'] as const;
const RESOURCES = [
  'pods',
  'pods/log',
  'secrets',
  'deployments',
  'deployments/scale',
  'namespaces',
  'nodes',
] as const;
const URLS = ['/healthz', '/healthz/*', '/healthz*', '/metrics', '/*', '*'] as const;

const verbs: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 6, arbitrary: someOf<string>(VERBS, 3) },
  { weight: 1, arbitrary: lists(['*']) },
  { weight: 1, arbitrary: lists(['GET'], ['get', '*'], ['get*']) },
);
const groups: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 6, arbitrary: lists([''], ['', 'apps'], ['apps', '']) },
  { weight: 3, arbitrary: lists(['*'], ['apps'], ['core'], ['core'], ['stable.example.com', '']) },
);
const resources: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 6, arbitrary: someOf<string>(RESOURCES, 3) },
  { weight: 1, arbitrary: lists(['*']) },
  {
    weight: 2,
    arbitrary: lists(['pods/*'], ['*/scale'], ['*/*'], ['*/log', 'pods'], ['Pods'], ['pods', 'pods/*']),
  },
);

/** Generates rules about resources. */
export const resourceRules: fc.Arbitrary<rbac.PolicyRule> = fc
  .record(
    {
      verbs,
      apiGroups: groups,
      resources,
      resourceNames: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        lists(['web'], ['web', 'db'], []),
      ),
    },
    plain,
  )
  .map(({ resourceNames, ...rule }) => (resourceNames ? { ...rule, resourceNames } : rule));

/** Generates rules about paths. */
const urlRules: fc.Arbitrary<rbac.PolicyRule> = fc.record(
  { verbs: lists(['get'], ['*'], ['get', 'head']), nonResourceURLs: someOf<string>(URLS) },
  plain,
);

export const rules: fc.Arbitrary<rbac.PolicyRule> = fc.oneof(
  { weight: 5, arbitrary: resourceRules },
  { weight: 2, arbitrary: urlRules },
);

const roleRules = fc.array(resourceRules, { minLength: 0, maxLength: 3 });
const clusterRules = fc.array(rules, { minLength: 0, maxLength: 3 });

export const namespaces = oneOf<string>(...NAMESPACES);
const roleNames = oneOf('r1', 'r1', 'r2', 'c1');

/** Generates roles. Some have the name of a role of the other kind, or of another namespace. */
export const roles: fc.Arbitrary<Grant> = fc.oneof(
  fc.record(
    { kind: fc.constant('Role' as const), namespace: namespaces, name: roleNames, rules: roleRules },
    plain,
  ),
  fc.record({ kind: fc.constant('ClusterRole' as const), name: roleNames, rules: clusterRules }, plain),
);

const group = (name: string): rbac.Subject => ({ kind: 'Group', name, apiGroup: RBAC });
const user = (name: string): rbac.Subject => ({ kind: 'User', name, apiGroup: RBAC });
const account = (name: string, namespace?: string): rbac.Subject => ({
  kind: 'ServiceAccount',
  name,
  ...(namespace !== undefined && { namespace }),
});

/** Subjects that are users of {@link callers}, and others that are easily confused with them. */
export const SUBJECTS: readonly rbac.Subject[] = [
  user('jane'),
  group('dev'),
  user('bob'),
  group('ops'),
  account('builder', 'a'),
  account('builder', 'b'),
  user('builder'),
  user('Jane'),
  group('jane'),
  user('dev'),
  user('*'),
  group('*'),
  account('jane', 'a'),
  user('system:serviceaccount:a:builder'),
  group('system:serviceaccounts'),
  group('system:serviceaccounts:a'),
  group('system:authenticated'),
  group('system:unauthenticated'),
  user('system:anonymous'),
];

export const subjects: fc.Arbitrary<rbac.Subject> = fc.oneof(
  { weight: 4, arbitrary: oneOf(user('jane'), group('dev')) },
  { weight: 5, arbitrary: oneOf(...SUBJECTS) },
);
/** Service accounts of the namespace of their binding. */
export const LOCAL_SUBJECTS: readonly rbac.Subject[] = [account('builder'), account('jane')];

const localSubjects = fc.oneof({ weight: 6, arbitrary: subjects }, oneOf(...LOCAL_SUBJECTS));

/** Generates bindings, some to missing roles. */
export const bindings: fc.Arbitrary<Grant> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('RoleBinding' as const),
      namespace: namespaces,
      name: oneOf('b1', 'b2', 'b3'),
      roleRef: fc.record(
        {
          kind: oneOf<'Role' | 'ClusterRole'>('Role', 'ClusterRole'),
          name: oneOf('r1', 'r1', 'r2', 'c1', 'missing'),
        },
        plain,
      ),
      subjects: fc.array(localSubjects, { minLength: 0, maxLength: 3 }),
    },
    plain,
  ),
  fc.record(
    {
      kind: fc.constant('ClusterRoleBinding' as const),
      name: oneOf('b1', 'b2', 'b3'),
      roleRef: fc.record(
        { kind: fc.constant('ClusterRole' as const), name: oneOf('r1', 'r1', 'c1', 'missing') },
        plain,
      ),
      subjects: fc.array(subjects, { minLength: 0, maxLength: 3 }),
    },
    plain,
  ),
);

const pick = <T>(values: readonly T[], at: number): T => values[at % values.length] as T;

/** Values that a careless comparison confuses with an entry of a rule, or that its wildcard includes. */
const RELATED: Readonly<Record<string, readonly string[]>> = {
  'pods/*': ['pods/log', 'pods'],
  '*/scale': ['deployments/scale', 'crontabs/scale', 'deployments'],
  '*/*': ['pods/log', 'pods'],
  '*/log': ['pods/log'],
  Pods: ['pods'],
  '*': ['pods', 'pods/log', 'deployments/scale', 'nodes', 'namespaces'],
  core: ['', 'core'],
  GET: ['get'],
  'get*': ['get'],
};
const NEAR_VERBS: Readonly<Record<string, string>> = {
  delete: 'deletecollection',
  deletecollection: 'delete',
  list: 'watch',
  watch: 'list',
  get: 'list',
  create: 'update',
};
const PATHS = ['/healthz', '/healthz/etcd', '/healthzy', '/metrics', '/', '/metrics/x'] as const;

/** Returns the values of a request that are near an entry of a rule. */
function near(entries: readonly string[] | undefined, all: readonly string[]): readonly string[] {
  const found = (entries ?? []).flatMap((entry) => (entry === '*' ? all : (RELATED[entry] ?? [entry])));
  return found.length > 0 ? found : all;
}

/** Returns a request that a rule matches, or that misses it in one respect. */
export function questionNear(
  rule: rbac.PolicyRule | undefined,
  namespace: string,
  at: readonly number[],
): Question {
  const [verbAt = 0, groupAt = 0, resourceAt = 0, nameAt = 0, miss = 0, placeAt = 0] = at;
  const wanted = pick(near(rule?.verbs, rule?.nonResourceURLs ? ['get', 'head'] : VERBS), verbAt);
  if (rule?.nonResourceURLs || miss === 6)
    return pathRequest(miss === 1 ? 'post' : wanted, pick(PATHS, resourceAt));
  const whole = pick(near(rule?.resources, [...RESOURCES, 'crontabs/scale']), resourceAt);
  const [resource = '', subresource = ''] =
    miss === 1 ? [...whole.split('/').slice(0, 1), 'exec'] : whole.split('/');
  const verb = miss === 2 ? (NEAR_VERBS[wanted] ?? 'patch') : wanted;
  const isCollection =
    ['create', 'deletecollection'].includes(verb) || (['list', 'watch'].includes(verb) && nameAt % 2 === 0);
  const name = isCollection ? '' : pick(NAMES, nameAt >> 1);
  const isCluster = resource === 'nodes' || resource === 'namespaces';
  const place = resource === 'namespaces' ? name && pick(NAMESPACES, placeAt) : isCluster ? '' : namespace;
  return resourceRequest({
    verb,
    apiGroup: miss === 3 ? 'batch' : pick(near(rule?.apiGroups, ['', 'apps']), groupAt),
    resource,
    subresource: miss === 4 ? '' : subresource,
    namespace: miss === 5 && !isCluster ? pick(['a', 'b', ''], placeAt) : place,
    name: resource === 'namespaces' && name ? place : name,
    ...(name !== '' && (verb === 'list' || verb === 'watch') && { fieldSelector: `metadata.name=${name}` }),
  });
}

/** Generates the choices of {@link questionNear}. Half of the requests miss nothing. */
export const choices: fc.Arbitrary<readonly number[]> = fc.tuple(
  fc.nat({ max: 5 }),
  fc.nat({ max: 3 }),
  fc.nat({ max: 7 }),
  fc.nat({ max: 3 }),
  oneOf(0, 0, 0, 0, 0, 1, 2, 2, 3, 4, 5, 6),
  fc.nat({ max: 5 }),
);
