import fc from 'fast-check';
import type { Workload } from '../../../testing/holds.ts';
import type { AnswerPlan, HookPlan } from '../scenario/hooks.ts';
import type { AdmissionScenario, ObjectPlan } from '../scenario/index.ts';
import { behind, conflicts, endings, newNamespace } from './changes.ts';
import {
  connecting,
  dryDelete,
  guards,
  insisting,
  lastingDelete,
  namespaceChanges,
  relabelled,
} from './groups.ts';
import { allowing, breaking, denying, hooks, injecting, patching, relabelling, wideRules } from './hooks.ts';
import { maybe, PLAIN, stepsOf } from './objects.ts';
import { plainPods, podFacts, request, scenariosOf, withHooks } from './parts.ts';
import { entering, quotaHookScenarios, quotaScenarios, race } from './quotas.ts';

const ALL: readonly ObjectPlan['kind'][] = [
  ...(['pod', 'pod', 'configmap', 'secret', 'service', 'claim'] as const),
  ...(['deployment', 'namespace', 'node', 'class', 'hooks', 'event', 'lease'] as const),
];
const EVERYTHING = [{ operations: ['*'], resources: ['*/*'] }];
const MAIN: readonly ObjectPlan['kind'][] = ['pod', 'pod', 'configmap', 'service'];
const plainOnes = fc.constant(PLAIN);

/** Answers of every kind. */
const anyAnswer = (phase: HookPlan['phase']): fc.Arbitrary<AnswerPlan> =>
  fc.oneof(
    { weight: 4, arbitrary: allowing },
    { weight: phase === 'mutating' ? 6 : 0, arbitrary: patching },
    { weight: 1, arbitrary: denying },
    { weight: 1, arbitrary: breaking(phase) },
  );

const HANGS = fc.constant<AnswerPlan>({ is: 'hang' });
const LATE = fc.constantFrom<AnswerPlan>({ is: 'allow', afterMs: 1_500 }, { is: 'deny', afterMs: 5_000 });

/** Mutating webhooks that hang one after the other, for longer than a request may take. */
const queue: fc.Arbitrary<readonly HookPlan[]> = fc
  .tuple(
    fc.array(fc.constantFrom(30, 29, 25, 10), { minLength: 2, maxLength: 3 }),
    fc.constantFrom('Fail' as const, 'Ignore' as const),
    fc.constantFrom(1_500, 500, 700),
    fc.constantFrom('mutating' as const, 'validating' as const),
  )
  .map(([timeouts, failurePolicy, afterMs, phase]) => {
    const rules = [{ operations: ['*'], resources: ['*'] }];
    const hook = { phase: 'mutating', config: 'config-a', rules } as const;
    return [
      { ...hook, failurePolicy: 'Ignore', answer: { is: 'allow', afterMs } },
      ...timeouts.map(
        (timeoutSeconds): HookPlan => ({
          ...hook,
          failurePolicy: 'Ignore',
          timeoutSeconds,
          answer: { is: 'hang' },
        }),
      ),
      { ...hook, phase, failurePolicy, timeoutSeconds: 30, answer: { is: 'hang' } },
    ];
  });

/** Mutating webhooks leave a pod a few milliseconds, and the plugins that check it take longer. */
const lastMoment: fc.Arbitrary<AdmissionScenario> = scenariosOf({
  facts: withHooks(
    fc
      .tuple(
        fc.constantFrom(992, 993, 994),
        fc.constantFrom('Fail' as const, 'Ignore' as const),
        allowing,
        fc.constantFrom('*', 'nodes'),
      )
      .map(([afterMs, failurePolicy, answer, resource]): readonly HookPlan[] => {
        const rules = [{ operations: ['*'], resources: ['*'] }];
        const hook = { phase: 'mutating', config: 'config-a', rules, failurePolicy: 'Ignore' } as const;
        return [
          { ...hook, timeoutSeconds: 30, answer: { is: 'hang' } },
          { ...hook, timeoutSeconds: 29, answer: { is: 'hang' } },
          { ...hook, answer: { is: 'allow', afterMs } },
          {
            ...hook,
            ...{ phase: 'validating', failurePolicy, answer },
            rules: [{ operations: ['*'], resources: [resource] }],
          },
        ];
      }),
  ),
  group: fc
    .array(fc.nat({ max: 1 }), { minLength: 3, maxLength: 4 })
    .map((servers) =>
      servers.map((server, i) =>
        request(0, 'create', { kind: 'pod', namespace: 0, name: `p${i}`, pod: PLAIN }, server),
      ),
    ),
  max: 1,
  latencyMs: fc.constant(5),
});

/** Most answers have a patch; some are useless. */
const patchingOrBroken = fc.oneof(
  { weight: 6, arbitrary: patching },
  { weight: 1, arbitrary: fc.constant<AnswerPlan>({ is: 'broken', how: 'status 500' }) },
);

/** Webhooks without a valid answer do not end a request, and are called again if needed. */
const lettingFail = (hooks: readonly HookPlan[]): readonly HookPlan[] =>
  hooks.map((hook) =>
    hook.answer.is === 'broken' ? { ...hook, failurePolicy: 'Ignore', reinvocationPolicy: 'IfNeeded' } : hook,
  );

/** Webhooks that select by the labels of namespaces and objects, also by labels that other webhooks set. */
const selecting = withHooks(
  hooks({
    answers: (phase) => (phase === 'mutating' ? fc.oneof(relabelling, relabelling, allowing) : allowing),
    rules: fc.constantFrom(
      [{ operations: ['*'], resources: ['*/*'] }],
      [{ operations: ['*'], resources: ['*'] }],
      [{ operations: ['*'], resources: ['*'], scope: 'Namespaced' }],
      [{ operations: ['*'], resources: ['*'], scope: 'Cluster' }],
    ),
    selectors: 'both',
    phases: ['mutating', 'mutating', 'validating'],
    min: 2,
    sideEffects: fc.constant(undefined),
  }),
);

const aboutHooks: readonly Workload<AdmissionScenario>[] = [
  {
    name: 'webhooks of every kind',
    scenarios: scenariosOf({
      facts: withHooks(hooks({ answers: anyAnswer })),
      group: fc.oneof(
        { weight: 9, arbitrary: stepsOf({ kinds: ALL, namespaces: 2, pods: plainPods, dryRuns: 3 }) },
        { weight: 1, arbitrary: dryDelete },
      ),
      max: 4,
    }),
    runs: 60,
  },
  {
    name: 'webhooks that select by labels',
    scenarios: scenariosOf({
      facts: selecting,
      group: fc.oneof(
        { weight: 3, arbitrary: namespaceChanges },
        { weight: 1, arbitrary: relabelled },
        {
          weight: 4,
          arbitrary: stepsOf({
            kinds: ['namespace', 'configmap', 'configmap', 'pod', 'node', 'hooks'],
            namespaces: 2,
            pods: plainOnes,
            dryRuns: 0,
          }),
        },
      ),
      max: 3,
    }),
    runs: 80,
  },
  {
    name: 'namespaces whose labels change',
    scenarios: scenariosOf({
      facts: selecting,
      group: fc.oneof({ weight: 2, arbitrary: relabelled }, { weight: 1, arbitrary: namespaceChanges }),
      max: 2,
    }),
    runs: 40,
  },
  {
    name: 'webhooks that select by labels of other webhooks',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: () => relabelling,
          rules: fc.constant([{ operations: ['*'], resources: ['*'] }]),
          phases: ['mutating'],
          selectors: 'object',
          min: 2,
          sideEffects: fc.constant(undefined),
        }),
      ),
      group: stepsOf({
        kinds: ['configmap', 'pod', 'service'],
        namespaces: 1,
        pods: plainOnes,
        dryRuns: 0,
        verbs: ['create', 'update', 'replace', 'patch', 'apply'],
      }),
      max: 2,
    }),
    runs: 20,
  },
  {
    name: 'webhooks that change the object in turn',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: (phase) => (phase === 'mutating' ? patchingOrBroken : allowing),
          rules: wideRules,
          phases: ['mutating', 'mutating', 'mutating', 'validating'],
          sideEffects: fc.constant(undefined),
          selectors: 'none',
          min: 2,
          max: 4,
        }).map(lettingFail),
      ),
      group: stepsOf({ kinds: MAIN, namespaces: 2, pods: plainPods }),
      max: 2,
    }),
    runs: 36,
  },
  {
    name: 'webhooks that fail',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: (phase) =>
            fc.oneof(
              { weight: 4, arbitrary: breaking(phase) },
              { weight: 1, arbitrary: denying },
              { weight: 1, arbitrary: allowing },
            ),
          rules: fc.constantFrom(EVERYTHING, EVERYTHING, EVERYTHING, [
            { operations: ['*'], resources: ['nodes'] },
          ]),
          selectors: 'none',
          max: 3,
        }),
      ),
      group: fc.oneof(
        { weight: 9, arbitrary: stepsOf({ kinds: MAIN, namespaces: 1, pods: plainOnes }) },
        { weight: 1, arbitrary: insisting },
      ),
      max: 2,
    }),
    runs: 62,
  },
  {
    name: 'connections to pods',
    scenarios: scenariosOf({ facts: withHooks(guards), group: connecting, max: 4 }),
    runs: 14,
  },
  {
    name: 'webhooks that disagree',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: () => fc.oneof(allowing, denying),
          rules: wideRules,
          phases: ['validating'],
          sideEffects: fc.constant(undefined),
          selectors: 'none',
          min: 2,
        }),
      ),
      group: stepsOf({ kinds: MAIN, namespaces: 1, pods: plainOnes }),
      max: 1,
    }),
    runs: 8,
  },
  {
    name: 'webhooks that do not answer in time',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: () => fc.oneof(HANGS, allowing, LATE),
          timeouts: maybe(fc.constantFrom(1, 2, 29, 30), 3),
          rules: wideRules,
          selectors: 'none',
          max: 4,
        }),
      ),
      group: stepsOf({ kinds: MAIN, namespaces: 1, pods: plainOnes }),
      max: 1,
    }),
    runs: 16,
  },
  {
    name: 'webhooks that hang one after the other',
    scenarios: scenariosOf({
      facts: withHooks(queue),
      group: stepsOf({ kinds: MAIN, namespaces: 1, pods: plainOnes, dryRuns: 0 }),
      max: 1,
    }),
    runs: 10,
  },
  { name: 'requests whose time ends between two webhooks', scenarios: lastMoment, runs: 10 },
  {
    name: 'changes at once',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: (phase) => (phase === 'mutating' ? patching : allowing),
          rules: wideRules,
          max: 2,
        }),
      ),
      group: conflicts,
      max: 3,
    }),
    runs: 12,
  },
];

const aboutPlugins: readonly Workload<AdmissionScenario>[] = [
  {
    name: 'pods that plugins complete',
    scenarios: scenariosOf({
      facts: podFacts,
      group: stepsOf({ kinds: ['pod', 'pod', 'pod', 'pod', 'claim', 'class'], namespaces: 2 }),
      max: 4,
    }),
    runs: 54,
  },
  {
    name: 'namespaces that end',
    scenarios: scenariosOf({ facts: withHooks(fc.constant([])), group: endings, max: 3 }),
    runs: 46,
  },
  {
    name: 'deletes of namespaces that must stay',
    scenarios: scenariosOf({ facts: withHooks(fc.constant([])), group: lastingDelete, max: 2 }),
    runs: 6,
  },
];

const aboutBoth: readonly Workload<AdmissionScenario>[] = [
  {
    name: 'pods that webhooks change',
    scenarios: scenariosOf({
      facts: withHooks(
        hooks({
          answers: () => fc.oneof(injecting, patching),
          phases: ['mutating'],
          rules: wideRules,
          selectors: 'none',
          max: 2,
        }),
        podFacts,
      ),
      group: stepsOf({ kinds: ['pod'], namespaces: 2 }),
      max: 2,
    }),
    runs: 36,
  },
  {
    name: 'caches that are behind',
    scenarios: scenariosOf({
      facts: withHooks(
        fc.oneof(fc.constant([]), hooks({ answers: () => allowing, rules: wideRules, max: 2 })),
        podFacts,
      ),
      group: fc.oneof({ weight: 4, arbitrary: behind }, { weight: 1, arbitrary: newNamespace }),
      max: 3,
    }),
    runs: 20,
  },
];

/** Scenarios for the laws of webhooks. */
export const webhookWorkloads: readonly Workload<AdmissionScenario>[] = [...aboutHooks, ...aboutBoth];

/** Scenarios for the laws of plugins. */
export const pluginWorkloads: readonly Workload<AdmissionScenario>[] = [...aboutPlugins, ...aboutBoth];

/** Scenarios for the laws of quotas. */
export const quotaWorkloads: readonly Workload<AdmissionScenario>[] = [
  { name: 'a race for the last place', scenarios: race, runs: 32 },
  { name: 'quotas', scenarios: quotaScenarios, runs: 170 },
  { name: 'pods that enter the scope of a quota', scenarios: entering, runs: 6 },
  {
    name: 'quotas and webhooks',
    scenarios: quotaHookScenarios(
      hooks({
        answers: () => fc.oneof(allowing, denying),
        phases: ['validating'],
        rules: fc.constant([{ operations: ['CREATE', 'UPDATE'], resources: ['*'] }]),
        selectors: 'none',
        sideEffects: fc.constant(undefined),
        max: 1,
      }),
    ),
    runs: 16,
  },
];

/** All scenarios. Together they have no more runs than the laws remember, which is five times the default. */
export const workloads: readonly Workload<AdmissionScenario>[] = [
  ...aboutHooks,
  ...aboutPlugins,
  ...aboutBoth,
  ...quotaWorkloads,
];
