import fc from 'fast-check';
import type * as meta from '#api/meta/v1';
import type * as rbac from '#api/rbac/v1';
import { type Fault, sayFault } from '../../../faults/index.ts';
import { apiFaults, crashes } from '../../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'clusterrole-aggregation-controller';

export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation of an administrator. */
export type Operation =
  /** Creates the role, or replaces it. */
  | { readonly do: 'put'; readonly role: RolePlan }
  | { readonly do: 'delete'; readonly name: string }
  /** Overwrites the rules of a role, perhaps those of an aggregate. */
  | { readonly do: 'edit'; readonly name: string; readonly rules: readonly rbac.PolicyRule[] };

export interface RolePlan {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules?: readonly rbac.PolicyRule[];
  readonly selectors?: readonly meta.LabelSelector[];
}

/** A scenario of the aggregation controller. */
export interface AggregationScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly latencyMs: number;
  /** The roles that exist before the controller starts. */
  readonly before: readonly RolePlan[];
  readonly steps: readonly Step[];
}

const rule = (verb: string, resource: string): rbac.PolicyRule => ({
  verbs: [verb],
  apiGroups: [''],
  resources: [resource],
});
const RULES = [
  rule('get', 'pods'),
  rule('list', 'pods'),
  rule('get', 'secrets'),
  rule('create', 'pods/exec'),
];
const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 3 });
const labels = fc.constantFrom<Readonly<Record<string, string>> | undefined>(
  undefined,
  { view: 'true' },
  { view: 'true' },
  { edit: 'true' },
  { view: 'true', edit: 'true' },
  { view: 'false' },
);

/**
 * Only the aggregate `b` can be part of another: two that select each other would write forever, as upstream's do,
 * because each compares its rules in order.
 */
const NOT_WHOLE = { key: 'whole', operator: 'DoesNotExist' };

const selectors: fc.Arbitrary<readonly meta.LabelSelector[]> = fc.constantFrom<readonly meta.LabelSelector[]>(
  [{ matchLabels: { view: 'true' } }],
  [{ matchLabels: { view: 'true' } }],
  [{ matchLabels: { view: 'true' } }, { matchLabels: { edit: 'true' } }],
  [{ matchLabels: { edit: 'true' } }, { matchLabels: { view: 'true' } }],
  [{ matchLabels: { view: 'true', edit: 'true' } }],
  [{ matchExpressions: [{ key: 'view', operator: 'Exists' }] }],
  [{ matchExpressions: [{ key: 'view', operator: 'NotIn', values: ['true'] }, NOT_WHOLE] }],
  [{ matchExpressions: [{ key: 'edit', operator: 'DoesNotExist' }, NOT_WHOLE] }],
  [{ matchExpressions: [{ key: 'view', operator: 'In', values: ['true', 'false'] }] }],
);

const names = fc.constantFrom('a', 'b', 'c', 'd');
const parts: fc.Arbitrary<RolePlan> = fc
  .record({ name: names, labels, rules })
  .map(({ labels: own, ...role }) => ({ ...role, ...(own && { labels: own }) }));
const aggregates: fc.Arbitrary<RolePlan> = fc
  .record({ name: fc.constantFrom('c-all', 'a-all', 'b'), labels, selectors })
  .map(({ labels: own, ...role }) => ({
    ...role,
    ...(role.name === 'b' ? own && { labels: own } : { labels: { whole: 'true' } }),
  }));
const plans = fc.oneof({ weight: 3, arbitrary: parts }, { weight: 1, arbitrary: aggregates });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: plans.map((role) => ({ do: 'put' as const, role })) },
  { weight: 4, arbitrary: names.map((name) => ({ do: 'delete' as const, name })) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      name: fc.constantFrom('a', 'b', 'c-all'),
      rules,
    }),
  },
);
const faults = fc.oneof(
  { weight: 2, arbitrary: apiFaults(PROCESS) },
  { weight: 1, arbitrary: crashes(PROCESS) },
);

function scenariosWith(
  step: fc.Arbitrary<Operation | { readonly strike: Fault }>,
): fc.Arbitrary<AggregationScenario> {
  const timed = fc.tuple(pauses, step).map(([afterMs, operation]) => ({ afterMs, ...operation }));
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    latencyMs: fc.constantFrom(1, 20),
    before: fc
      .tuple(aggregates, fc.uniqueArray(parts, { selector: ({ name }) => name, minLength: 1, maxLength: 3 }))
      .map(([one, others]) => [one, ...others.filter(({ name }) => name !== one.name)]),
    steps: fc.array(timed, { minLength: 1, maxLength: 6 }),
  });
  return inWords(all, describeScenario);
}

/** Two selectors, a role for each, and the end of one of them, with nothing after it. */
const ending: fc.Arbitrary<AggregationScenario> = inWords(
  fc.record({
    seed: seeds,
    schedule: schedules,
    latencyMs: fc.constantFrom(1, 20),
    before: fc.shuffledSubarray<RolePlan>(
      [
        { name: 'a', labels: { view: 'true' }, rules: [rule('get', 'pods'), rule('list', 'pods')] },
        { name: 'b', labels: { edit: 'true' }, rules: [rule('list', 'pods'), rule('get', 'secrets')] },
        {
          name: 'c-all',
          labels: { view: 'true' },
          selectors: [{ matchLabels: { view: 'true' } }, { matchLabels: { edit: 'true' } }],
        },
      ],
      { minLength: 3 },
    ),
    steps: fc
      .constantFrom<Operation>(
        { do: 'delete', name: 'a' },
        { do: 'delete', name: 'b' },
        { do: 'edit', name: 'a', rules: [] },
        { do: 'put', role: { name: 'b', labels: { edit: 'false' } } },
      )
      .map((operation) => [{ afterMs: 5_000, ...operation }]),
  }),
  describeScenario,
);

/** ★ The scenario classes of the aggregation controller. */
export const aggregationWorkloads: readonly Workload<AggregationScenario>[] = [
  { name: 'roles that change', scenarios: scenariosWith(operations), runs: 10 },
  { name: 'a role that goes', scenarios: ending, runs: 6 },
  {
    name: 'roles that change, and faults',
    scenarios: scenariosWith(
      fc.oneof(
        { weight: 3, arbitrary: operations },
        { weight: 1, arbitrary: faults.map((strike) => ({ strike })) },
      ),
    ),
    runs: 8,
  },
];

function describeScenario(scenario: AggregationScenario): readonly string[] {
  const { before, steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    `before the controller starts: ${before.map(describeRole).join('; ')}`,
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : describeOperation(step))),
    ...sayHealing(steps),
  ];
}

function describeOperation(operation: Operation): string {
  if (operation.do === 'put') return `put ${describeRole(operation.role)}`;
  if (operation.do === 'delete') return `delete ${operation.name}`;
  return `the rules of ${operation.name} become ${JSON.stringify(operation.rules)}`;
}

function describeRole({ name, labels: own, rules: some, selectors: wanted }: RolePlan): string {
  return [
    name,
    own && JSON.stringify(own),
    some && JSON.stringify(some),
    wanted && `aggregates ${JSON.stringify(wanted)}`,
  ]
    .filter(Boolean)
    .join(' ');
}
