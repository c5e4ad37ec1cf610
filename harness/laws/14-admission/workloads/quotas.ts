import fc from 'fast-check';
import type { AdmissionScenario, Facts, ObjectPlan, PodPlan, QuotaPlan, Step } from '../scenario/index.ts';
import { maybe, PLAIN, pausesBetween, stepsOf } from './objects.ts';
import { change, plainFacts, request, scenariosOf } from './parts.ts';

const quota = (hard: QuotaPlan['hard'], more: Partial<QuotaPlan> = {}): QuotaPlan => ({
  namespace: 0,
  hard,
  ...more,
});
const ofClass = (operator: string, values?: string[]): Partial<QuotaPlan> => ({
  selector: [{ scopeName: 'PriorityClass', operator, ...(values ? { values } : {}) }],
});

/** Quotas by the kind of objects that they are about. */
const QUOTAS: readonly {
  readonly kinds: readonly ObjectPlan['kind'][];
  readonly all: readonly QuotaPlan[];
}[] = [
  {
    kinds: ['pod'],
    all: [
      quota({ pods: '2' }),
      quota({ 'count/pods': '3', 'requests.cpu': '300m' }),
      quota({ 'requests.cpu': '1', 'limits.cpu': '3' }),
      quota({ cpu: '1', memory: '1Gi' }),
      quota({ 'limits.memory': '2Gi', pods: '9' }),
      quota({ pods: '9', 'requests.cpu': '1' }, { used: { 'requests.cpu': '3' } }),
      quota({ pods: '1' }, { scopes: ['BestEffort'] }),
      quota({ pods: '2', 'requests.cpu': '500m' }, { scopes: ['NotBestEffort'] }),
      quota({ pods: '1' }, ofClass('In', ['high'])),
      quota({ pods: '1' }, ofClass('NotIn', ['high'])),
      quota({ pods: '1' }, ofClass('Exists')),
      quota({ pods: '1' }, ofClass('DoesNotExist')),
    ],
  },
  {
    kinds: ['pod'],
    all: [
      quota({ pods: '1' }, { scopes: ['Terminating'] }),
      quota({ pods: '2' }, { scopes: ['Terminating'] }),
      quota({ pods: '1' }, { scopes: ['NotTerminating'] }),
      quota({ pods: '1' }, { scopes: ['Terminating', 'NotBestEffort'] }),
    ],
  },
  {
    kinds: ['claim'],
    all: [
      quota({ persistentvolumeclaims: '2', 'requests.storage': '6Gi' }),
      quota({ 'requests.storage': '9Gi' }),
      quota({
        'slow.storageclass.storage.k8s.io/requests.storage': '6Gi',
        'count/persistentvolumeclaims': '2',
      }),
    ],
  },
  {
    kinds: ['service'],
    all: [
      quota({ services: '2', 'services.nodeports': '1', 'services.loadbalancers': '1' }),
      quota({ 'services.nodeports': '2', 'count/services': '9' }),
    ],
  },
  {
    kinds: ['configmap', 'secret', 'deployment', 'pod'],
    all: [
      quota({ configmaps: '2', 'count/secrets': '1' }),
      quota({ 'count/deployments.apps': '1' }),
      quota({ pods: '1', configmaps: '9', services: '9' }, { used: { pods: '3' } }),
      quota({ configmaps: '3', pods: '3' }, { used: { pods: '5' } }),
    ],
  },
];

/** Facts with one or two quotas, and the kinds that they are about. */
const quotaFacts: fc.Arbitrary<{ readonly facts: Facts; readonly kinds: readonly ObjectPlan['kind'][] }> = fc
  .constantFrom(...QUOTAS)
  .chain(({ kinds, all }) =>
    fc
      .tuple(plainFacts, fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 3 }))
      .map(([facts, quotas]) => ({
        kinds,
        facts: { ...facts, quotas, classes: [{ name: 'high', value: 100, isDefault: false }] },
      })),
  );

const quotaPods: fc.Arbitrary<PodPlan> = fc
  .record({
    requests: maybe(
      fc.constantFrom({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '1Gi' }, {
        cpu: '300m',
      } as Readonly<Record<string, string>>),
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

/** Requests about one quota, one after the other or at once. */
export const quotaScenarios: fc.Arbitrary<AdmissionScenario> = quotaFacts.chain(({ facts, kinds }) =>
  scenariosOf({
    facts: fc.constant(facts),
    group: stepsOf(
      {
        kinds,
        namespaces: 1,
        pods: quotaPods,
        dryRuns: 2,
        verbs: ['create', 'update', 'replace', 'apply', 'delete'],
      },
      fc.constantFrom(0, 500, 500, 500),
    ),
    max: 5,
  }),
);

/** Requests about one quota that webhooks refuse or allow. */
export const quotaHookScenarios = (hooks: fc.Arbitrary<Facts['hooks']>): fc.Arbitrary<AdmissionScenario> =>
  quotaFacts.chain(({ facts, kinds }) =>
    scenariosOf({
      facts: hooks.map((own) => ({ ...facts, hooks: own })),
      group: stepsOf({ kinds, namespaces: 1, pods: quotaPods, dryRuns: 2 }, pausesBetween),
      max: 3,
    }),
  );

/** A quota with room for some objects, and several creates at once at two apiservers. */
export const race: fc.Arbitrary<AdmissionScenario> = scenariosOf({
  facts: fc
    .tuple(
      plainFacts,
      fc.constantFrom<readonly QuotaPlan[]>(
        [quota({ configmaps: '1' })],
        [quota({ configmaps: '2' })],
        [quota({ configmaps: '9' })],
        [quota({ configmaps: '2' }), quota({ 'count/configmaps': '1' })],
        [quota({ configmaps: '4' }), quota({ 'count/configmaps': '5' })],
        ...Array<readonly QuotaPlan[]>(3).fill([
          quota({ configmaps: '9' }),
          quota({ 'count/configmaps': '9' }),
        ]),
        ...Array<readonly QuotaPlan[]>(3).fill([
          quota({ configmaps: '9' }),
          quota({ 'count/configmaps': '9' }),
          quota({ configmaps: '8' }),
        ]),
      ),
    )
    .map(([facts, quotas]) => ({ ...facts, quotas })),
  group: fc
    .array(fc.tuple(fc.nat({ max: 1 }), fc.constantFrom('a', 'b', 'c', 'd', 'g-'), fc.nat({ max: 3 })), {
      minLength: 2,
      maxLength: 5,
    })
    .chain((all) => {
      const requests = all.map(
        ([server, name, afterMs]): Step =>
          request(afterMs, 'create', { kind: 'configmap', namespace: 0, name }, server),
      );
      // The quota is deleted while a request charges it.
      const removal = fc
        .tuple(fc.integer({ min: 1, max: 25 }), fc.nat({ max: 1 }))
        .map(([afterMs, index]) => [...requests, change(afterMs, { of: 'no quota', namespace: 0, index })]);
      // Other writes of the quota come between each read and each write of a request.
      const contention = fc
        .tuple(fc.constantFrom(20, 150, 400), fc.constantFrom(1, requests.length))
        .map(([forMs, count]) => [
          change(500, { of: 'busy quota', namespace: 0, index: 0, forMs }),
          ...requests.slice(0, count),
        ]);
      const fault = fc
        .tuple(fc.constantFrom(10, 400), fc.constantFrom(1, requests.length))
        .map(([forMs, count]) => [change(500, { of: 'quota fault', forMs }), ...requests.slice(0, count)]);
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant(requests) },
        { weight: 2, arbitrary: removal },
        { weight: 2, arbitrary: contention },
        { weight: 2, arbitrary: fault },
      );
    }),
  max: 2,
  replicas: fc.constant(2),
  latencyMs: fc.constant(5),
});

/** A pod gets a deadline, and so enters the scope of a quota. */
export const entering: fc.Arbitrary<AdmissionScenario> = scenariosOf({
  facts: fc
    .tuple(plainFacts, fc.constantFrom('1', '2', '3'))
    .map(([facts, pods]) => ({ ...facts, quotas: [quota({ pods }, { scopes: ['Terminating'] })] })),
  group: fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('update', 'replace'))
    .map(([name, verb]) => {
      const pod = { kind: 'pod', namespace: 0, name } as const;
      return [
        request(500, 'create', { ...pod, pod: PLAIN }),
        request(500, verb, { ...pod, pod: { ...PLAIN, deadline: 60 } }),
      ];
    }),
  max: 3,
});
