import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/index.ts';
import type { HookPlan } from '../scenario/hooks.ts';
import type {
  AdmissionScenario,
  Change,
  Facts,
  ObjectPlan,
  PodPlan,
  QuotaPlan,
  Step,
} from '../scenario/index.ts';
import { allowing, breaking, denying, hooks, patching, wideRules } from './hooks.ts';
import { accounts, classes, containers, labels, maybe, PLAIN, ranges, stepsOf } from './objects.ts';

const ALL: readonly ObjectPlan['kind'][] = [
  ...([
    'pod',
    'pod',
    'configmap',
    'secret',
    'service',
    'claim',
    'deployment',
    'namespace',
    'node',
    'class',
    'hooks',
  ] as const),
];
const MAIN: readonly ObjectPlan['kind'][] = ['pod', 'pod', 'configmap', 'service'];

/** Facts with two namespaces and nothing else. */
const plainFacts: fc.Arbitrary<Facts> = fc
  .tuple(labels, labels)
  .map((namespaces) => ({ namespaces, ranges: [], classes: [], accounts: [], quotas: [], hooks: [] }));

const withHooks = (arbitrary: fc.Arbitrary<readonly HookPlan[]>): fc.Arbitrary<Facts> =>
  fc.tuple(plainFacts, arbitrary).map(([facts, own]) => ({ ...facts, hooks: own }));

const podFacts: fc.Arbitrary<Facts> = fc
  .tuple(plainFacts, ranges(2), classes, accounts(2))
  .map(([facts, own, ownClasses, ownAccounts]) => ({
    ...facts,
    ranges: own,
    classes: ownClasses,
    accounts: ownAccounts,
  }));

/** Pods that nothing refuses. */
const plainPods: fc.Arbitrary<PodPlan> = fc
  .tuple(fc.array(containers, { minLength: 1, maxLength: 2 }), maybe(fc.constant(60)))
  .map(([own, deadline]) => ({ containers: own, ...(deadline ? { deadline } : {}) }));

interface Parts {
  readonly facts: fc.Arbitrary<Facts>;
  readonly group: fc.Arbitrary<readonly Step[]>;
  readonly max: number;
  readonly replicas?: fc.Arbitrary<number>;
}

/** Scenarios of groups of steps. */
export function scenariosOf({
  facts,
  group,
  max,
  replicas = fc.constantFrom(1, 2),
}: Parts): fc.Arbitrary<AdmissionScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas,
    latencyMs: fc.constantFrom(1, 5),
    facts,
    steps: fc.array(group, { minLength: 1, maxLength: max }).map((groups) => groups.flat()),
  });
  return inWords(all, describeScenario);
}

const change = (afterMs: number, of: Change): Step => ({ afterMs, do: 'change', change: of });

/** Anything may answer anything. */
const anyAnswer = (phase: HookPlan['phase']) =>
  fc.oneof(
    { weight: 4, arbitrary: allowing },
    { weight: phase === 'mutating' ? 6 : 0, arbitrary: patching },
    { weight: 1, arbitrary: denying },
    { weight: 1, arbitrary: breaking(phase) },
  );

const quotas: fc.Arbitrary<readonly QuotaPlan[]> = fc.array(
  fc.constantFrom<QuotaPlan>(
    { namespace: 0, hard: { pods: '2' } },
    { namespace: 0, hard: { 'count/pods': '3', 'requests.cpu': '300m' } },
    { namespace: 0, hard: { 'requests.cpu': '1', 'limits.cpu': '3' } },
    { namespace: 0, hard: { cpu: '1', memory: '1Gi' } },
    { namespace: 0, hard: { pods: '9', 'requests.cpu': '1' }, used: { 'requests.cpu': '3' } },
    { namespace: 0, hard: { configmaps: '2', 'count/secrets': '1' } },
    { namespace: 0, hard: { services: '2', 'services.nodeports': '1', 'services.loadbalancers': '1' } },
    { namespace: 0, hard: { persistentvolumeclaims: '2', 'requests.storage': '6Gi' } },
    { namespace: 0, hard: { 'slow.storageclass.storage.k8s.io/requests.storage': '4Gi' } },
    { namespace: 0, hard: { 'count/deployments.apps': '1' } },
    { namespace: 0, hard: { pods: '1', configmaps: '9', services: '9' }, used: { pods: '3' } },
    { namespace: 0, hard: { pods: '1' }, scopes: ['Terminating'] },
    { namespace: 0, hard: { pods: '1' }, scopes: ['NotTerminating'] },
    { namespace: 0, hard: { pods: '1' }, scopes: ['BestEffort'] },
    { namespace: 0, hard: { pods: '2', 'requests.cpu': '500m' }, scopes: ['NotBestEffort'] },
    {
      namespace: 0,
      hard: { pods: '1' },
      selector: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }],
    },
    {
      namespace: 0,
      hard: { pods: '1' },
      selector: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }],
    },
    { namespace: 0, hard: { pods: '1' }, selector: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
  ),
  { minLength: 1, maxLength: 2 },
);

const quotaFacts: fc.Arbitrary<Facts> = fc.tuple(plainFacts, quotas).map(([facts, own]) => ({
  ...facts,
  quotas: own,
  classes: [{ name: 'high', value: 100, isDefault: false }],
}));

const quotaPods: fc.Arbitrary<PodPlan> = fc
  .record({
    requests: maybe(
      fc.constantFrom({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '1Gi' }, { cpu: '300m' }),
      6,
    ),
    limits: maybe(fc.constantFrom({ cpu: '1', memory: '1Gi' }), 4),
    twice: fc.boolean(),
    init: maybe(fc.constantFrom({ cpu: '1', memory: '64Mi' })),
    deadline: maybe(fc.constant(60)),
    priorityClassName: maybe(fc.constant('high')),
  })
  .map(({ requests, limits, twice, init, deadline, priorityClassName }) => {
    const container = { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) };
    return {
      containers: twice ? [container, container] : [container],
      ...(init ? { inits: [{ requests: init, ...(limits ? { limits } : {}) }] } : {}),
      ...(deadline ? { deadline } : {}),
      ...(priorityClassName ? { priorityClassName } : {}),
    };
  });

const quotaKinds: readonly ObjectPlan['kind'][] = [
  'pod',
  'pod',
  'pod',
  'configmap',
  'secret',
  'service',
  'claim',
  'deployment',
];

/** A quota with room for one or two objects, and several creates at once at two apiservers. */
const race: fc.Arbitrary<AdmissionScenario> = scenariosOf({
  facts: fc
    .tuple(
      plainFacts,
      fc.constantFrom<readonly QuotaPlan[]>(
        [{ namespace: 0, hard: { configmaps: '1' } }],
        [{ namespace: 0, hard: { configmaps: '2' } }],
        [
          { namespace: 0, hard: { configmaps: '2' } },
          { namespace: 0, hard: { 'count/configmaps': '1' } },
        ],
        [
          { namespace: 0, hard: { configmaps: '4' } },
          { namespace: 0, hard: { 'count/configmaps': '5' } },
        ],
      ),
    )
    .map(([facts, own]) => ({ ...facts, quotas: own })),
  group: fc
    .array(fc.tuple(fc.nat({ max: 1 }), fc.constantFrom('a', 'b', 'c', 'd', 'g-'), fc.nat({ max: 3 })), {
      minLength: 2,
      maxLength: 5,
    })
    .map((all) =>
      all.map(
        ([server, name, afterMs]): Step => ({
          afterMs,
          do: 'request',
          server,
          verb: 'create',
          object: { kind: 'configmap', namespace: 0, name },
        }),
      ),
    ),
  max: 2,
  replicas: fc.constant(2),
});

/** Namespaces end, disappear and come back, while objects are created. */
const endings: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom('end', 'user', 'removal', 'missing', 'return', 'hold', 'release') as fc.Arbitrary<string>,
    fc.constantFrom(0, 1, 40, 800, 40_000),
    stepsOf({
      kinds: ['pod', 'configmap', 'configmap', 'namespace'],
      namespaces: 2,
      pods: fc.constant(PLAIN),
    }),
    fc.nat({ max: 1 }),
  )
  .map(([how, afterMs, requests, server]): readonly Step[] => {
    const gone: Step[] = [
      change(afterMs, { of: 'end', namespace: 0 }),
      change(1, { of: 'removal', namespace: 0 }),
    ];
    const remove: Step = {
      afterMs,
      do: 'request',
      server,
      verb: 'delete',
      object: { kind: 'namespace', name: 'ns-0' },
    };
    const create: Step = {
      afterMs: 10_000,
      do: 'request',
      server,
      verb: 'create',
      object: { kind: 'configmap', namespace: 0, name: 'late' },
    };
    const by: Readonly<Record<string, readonly Step[]>> = {
      end: [change(afterMs, { of: 'end', namespace: 0 })],
      user: [remove],
      removal: gone,
      missing: [...gone, change(1, { of: 'return', namespace: 0 })],
      return: [change(afterMs, { of: 'return', namespace: 0 })],
      hold: [{ afterMs, do: 'hold', server }, remove, create],
      release: [{ afterMs, do: 'hold', server }, ...gone, change(30, { of: 'return', namespace: 0 })],
    };
    return [...(by[how] ?? []), ...requests];
  });

/** The cache of an apiserver stops, and the facts change. */
const behind: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.constantFrom<Change>(
      { of: 'account', plan: { namespace: 0, name: 'robot' } },
      { of: 'no account', namespace: 0, name: 'robot' },
      { of: 'no account', namespace: 0, name: 'default' },
      { of: 'no ranges' },
      { of: 'range', range: { namespace: 0, limits: [{ type: 'Container', default: { cpu: '1' } }] } },
      { of: 'class', plan: { name: 'low', value: 7, isDefault: true } },
      { of: 'no class', name: 'high' },
      { of: 'labels', namespace: 0, labels: { a: 'x' } },
      { of: 'no config', phase: 'mutating', config: 'config-a' },
      { of: 'no config', phase: 'validating', config: 'config-a' },
    ),
    fc.nat({ max: 1 }),
    fc.constantFrom(0, 3, 500),
    stepsOf({
      kinds: ['pod', 'pod', 'configmap'],
      namespaces: 1,
      pods: fc.constantFrom<PodPlan>(PLAIN, { containers: [{}], serviceAccountName: 'robot' }),
    }),
    fc.boolean(),
  )
  .map(([of, server, afterMs, requests, holds]) => [
    ...(holds ? [{ afterMs, do: 'hold', server } as const] : []),
    change(afterMs, of),
    ...requests,
    ...(holds ? [{ afterMs: 300, do: 'release', server } as const] : []),
  ]);

/** The account `default` comes some time after its namespace. */
const newNamespace: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.constantFrom(1, 80, 300, 700), fc.constantFrom('a', 'b'))
  .map(([afterMs, name]) => [
    change(500, { of: 'no account', namespace: 0, name: 'default' }),
    {
      afterMs: 10,
      do: 'request',
      server: 0,
      verb: 'create',
      object: { kind: 'pod', namespace: 0, name, pod: PLAIN },
    },
    change(afterMs, { of: 'account', plan: { namespace: 0, name: 'default' } }),
  ]);

/** Two clients change one object at once, and webhooks take time. */
const conflicts: fc.Arbitrary<readonly Step[]> = stepsOf(
  {
    kinds: ['configmap', 'service'],
    namespaces: 1,
    verbs: ['create', 'patch', 'apply', 'update', 'replace', 'delete'],
  },
  fc.constantFrom(0, 1, 5, 20),
);

/** The classes of scenarios. */
export const workloads: readonly Workload<AdmissionScenario>[] = [
  {
    name: 'webhooks of every kind',
    scenarios: scenariosOf({
      facts: withHooks(hooks({ answers: anyAnswer })),
      group: stepsOf({ kinds: ALL, namespaces: 2, pods: plainPods }),
      max: 4,
    }),
    runs: 40,
  },
  {
    name: 'webhooks that change the object in turn',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: (phase) => (phase === 'mutating' ? patching : allowing),
          rules: wideRules,
          phases: ['mutating', 'mutating', 'mutating', 'validating'],
          min: 2,
          max: 4,
        }),
      ),
      group: stepsOf({ kinds: MAIN, namespaces: 2, pods: plainPods }),
      max: 2,
    }),
    runs: 30,
  },
  {
    name: 'webhooks that fail',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: (phase) => fc.oneof(breaking(phase), breaking(phase), denying, allowing),
          rules: wideRules,
          selects: false,
        }),
      ),
      group: stepsOf({ kinds: MAIN, namespaces: 1, pods: fc.constant(PLAIN) }),
      max: 2,
    }),
    runs: 24,
  },
  {
    name: 'webhooks that do not answer in time',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: () =>
            fc.oneof(
              fc.constant({ is: 'hang' as const }),
              allowing,
              fc.constantFrom(
                { is: 'allow' as const, afterMs: 1_500 },
                { is: 'deny' as const, afterMs: 5_000 },
              ),
            ),
          timeouts: maybe(fc.constantFrom(1, 2, 29, 30), 3),
          rules: wideRules,
          selects: false,
          max: 4,
        }),
      ),
      group: stepsOf({ kinds: MAIN, namespaces: 1, pods: fc.constant(PLAIN) }),
      max: 1,
    }),
    runs: 16,
  },
  {
    name: 'pods that plugins complete',
    scenarios: scenariosOf({
      facts: podFacts,
      group: stepsOf({ kinds: ['pod', 'pod', 'pod', 'claim', 'class'], namespaces: 2 }),
      max: 4,
    }),
    runs: 40,
  },
  {
    name: 'pods that webhooks change',
    scenarios: scenariosOf({
      facts: fc
        .tuple(
          podFacts,
          hooks({ answers: () => patching, phases: ['mutating'], rules: wideRules, selects: false, max: 2 }),
        )
        .map(([facts, own]) => ({ ...facts, hooks: own })),
      group: stepsOf({ kinds: ['pod'], namespaces: 2 }),
      max: 2,
    }),
    runs: 16,
  },
  { name: 'a race for the last place', scenarios: race, runs: 16 },
  {
    name: 'quotas',
    scenarios: scenariosOf({
      facts: quotaFacts,
      group: stepsOf(
        { kinds: quotaKinds, namespaces: 1, pods: quotaPods, dryRuns: 2 },
        fc.constantFrom(0, 500, 500),
      ),
      max: 5,
    }),
    runs: 40,
  },
  {
    name: 'quotas and webhooks',
    scenarios: scenariosOf({
      facts: fc
        .tuple(
          quotaFacts,
          hooks({
            answers: () => fc.oneof(allowing, denying),
            phases: ['validating'],
            rules: fc.constant([
              { operations: ['CREATE', 'UPDATE'], resources: ['pods', 'configmaps', 'services'] },
            ]),
            max: 1,
          }),
        )
        .map(([facts, own]) => ({ ...facts, hooks: own })),
      group: stepsOf(
        { kinds: ['pod', 'configmap', 'service'], namespaces: 1, pods: quotaPods, dryRuns: 2 },
        fc.constantFrom(0, 500),
      ),
      max: 3,
    }),
    runs: 10,
  },
  {
    name: 'namespaces that end',
    scenarios: scenariosOf({ facts: plainFacts, group: endings, max: 3 }),
    runs: 30,
  },
  {
    name: 'caches that are behind',
    scenarios: scenariosOf({
      facts: fc
        .tuple(podFacts, maybe(hooks({ answers: () => allowing, rules: wideRules, max: 2 })))
        .map(([facts, own = []]) => ({ ...facts, hooks: own })),
      group: fc.oneof({ weight: 4, arbitrary: behind }, { weight: 1, arbitrary: newNamespace }),
      max: 3,
    }),
    runs: 16,
  },
  {
    name: 'changes at once',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({ answers: (phase) => (phase === 'mutating' ? patching : allowing), rules: wideRules, max: 2 }),
      ),
      group: conflicts,
      max: 3,
    }),
    runs: 12,
  },
];
