import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'disruption-controller';

/** The controller of a pod. A `missing` one was deleted. */
export type Owner = 'deployment' | 'old' | 'set' | 'none' | 'missing';

/** The limit of a budget. */
export type Limit = { readonly minAvailable: number | string } | { readonly maxUnavailable: number | string };

/** An operation; pods have numbers. */
export type Operation =
  | { readonly do: 'add'; readonly pod: number; readonly owner: Owner; readonly ready: boolean }
  | { readonly do: 'evict' | 'delete' | 'finish' | 'ready' | 'unready' | 'fail'; readonly pod: number }
  /** The apiserver records an eviction in the budget, and crashes before it deletes the pod. */
  | { readonly do: 'record'; readonly pod: number }
  /** The pod of a recorded eviction is deleted. */
  | { readonly do: 'complete'; readonly pod: number }
  /** The condition DisruptionTarget of a pod becomes True, and the pod is not deleted. */
  | { readonly do: 'mark'; readonly pod: number; readonly by: 'eviction' | 'kubelet' }
  | { readonly do: 'relabel'; readonly pod: number; readonly isCovered: boolean }
  | { readonly do: 'scale'; readonly owner: 'deployment' | 'set'; readonly replicas: number }
  /** The Deployment is deleted; its ReplicaSets stay. */
  | { readonly do: 'orphan' }
  | { readonly do: 'limit'; readonly limit: Limit };

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** A scenario for the controller. */
export interface DisruptionScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly limit: Limit;
  /** The number of ready pods of the Deployment before the controller starts. */
  readonly before: number;
  readonly steps: readonly Step[];
}

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });

const pod = fc.nat({ max: 5 });
const limit = fc.constantFrom<Limit>(
  { minAvailable: 1 },
  { minAvailable: 2 },
  { minAvailable: '50%' },
  { maxUnavailable: 1 },
  { maxUnavailable: 5 },
  { maxUnavailable: '34%' },
);
const owner = fc.constantFrom<Owner>('deployment', 'deployment', 'old', 'set', 'none', 'missing');
const add = fc.record({ do: fc.constant('add' as const), pod, owner, ready: fc.boolean() });
const scale = fc.record({
  do: fc.constant('scale' as const),
  owner: fc.constantFrom('deployment' as const, 'set' as const),
  replicas: fc.nat({ max: 6 }),
});

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: add },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('evict', 'evict', 'delete', 'finish', 'ready', 'unready', 'fail', 'record'),
      pod,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('mark' as const),
      pod,
      by: fc.constantFrom('eviction' as const, 'kubelet' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('relabel' as const), pod, isCovered: fc.boolean() }),
  },
  { weight: 2, arbitrary: scale },
  { weight: 1, arbitrary: fc.constant<Operation>({ do: 'orphan' }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('limit' as const), limit }) },
);

const faults = fc.oneof(
  { weight: 3, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS) },
);

/** A fault after which the caches are still current. */
const mild: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom<Fault | undefined>(
    undefined,
    undefined,
    { fault: 'refuse', process: PROCESS, reason: 'Conflict', requests: 2, verb: 'update' },
    { fault: 'refuse', process: PROCESS, reason: 'InternalError', requests: 1, verb: 'update' },
    { fault: 'time-out', process: PROCESS, performed: true, verb: 'update' },
    { fault: 'crash', process: PROCESS, skip: 0, performed: true, restartAfterMs: 300 },
  )
  .map((fault) => (fault ? [strike(fault)] : []));

/**
 * An eviction is recorded while the controller writes. Users evict other pods, and at last the recorded pod is deleted.
 */
const drained = fc
  .tuple(
    mild,
    fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
    fc.constantFrom(0, 1, 2, 4, 7, 12),
    fc.constantFrom(8, 30, 500, 500),
  )
  .map(([fault, [recorded = 0, ...others], raceMs, pauseMs]) => [
    ...(raceMs > 0 ? [at({ do: 'add', pod: 5, owner: 'deployment', ready: true }, 2_000)] : fault),
    at({ do: 'record', pod: recorded }, raceMs > 0 ? raceMs : 2_000),
    ...others.map((each) => at({ do: 'evict', pod: each }, pauseMs)),
    at({ do: 'complete', pod: recorded }, 500),
  ]);

/** A condition is set, or an eviction is recorded, and the pod stays. */
const stayed = (how: fc.Arbitrary<'record' | 'eviction' | 'kubelet'>): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(fc.nat({ max: 2 }), how, fc.boolean())
    .map(([number, by, isCrashed]) => [
      at(by === 'record' ? { do: 'record', pod: number } : { do: 'mark', pod: number, by }, 2_000),
      ...(isCrashed
        ? [strike({ fault: 'crash', process: PROCESS, skip: 0, performed: true, restartAfterMs: 60 }, 100)]
        : []),
      at({ do: 'unready', pod: 3 }, 20_000),
    ]);

/** A pod leaves the budget. */
const left = (last: Operation['do'] & ('relabel' | 'finish')): fc.Arbitrary<readonly Step[]> =>
  fc
    .nat({ max: 2 })
    .map((number) =>
      last === 'relabel'
        ? [at({ do: 'relabel', pod: number, isCovered: false }, 2_000)]
        : [at({ do: 'delete', pod: number }, 2_000), at({ do: 'finish', pod: number }, 2_000)],
    );

/** A pod of another controller appears. */
const joined = (from: Owner): fc.Arbitrary<readonly Step[]> =>
  fc.constant([at({ do: 'add', pod: 5, owner: from, ready: true }, 2_000)]);

/** The Deployment is scaled, and nothing else changes. */
const scaled = fc
  .constantFrom(0, 0, 2, 3, 6)
  .map((replicas) => [at({ do: 'scale', owner: 'deployment', replicas }, 2_000)]);

const relative = fc.constantFrom<Limit>(
  { minAvailable: '50%' },
  { maxUnavailable: 3 },
  { maxUnavailable: '34%' },
);
const integers = fc.constantFrom<Limit>({ minAvailable: 1 }, { minAvailable: 2 });
const marks = fc.constantFrom('eviction' as const, 'eviction' as const, 'kubelet' as const);
const tight = fc.constantFrom<Limit>({ minAvailable: 2 }, { minAvailable: '50%' }, { maxUnavailable: 2 });

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
  limits: fc.Arbitrary<Limit> = limit,
): fc.Arbitrary<DisruptionScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    limit: limits,
    before: fc.integer({ min: maxLength === 1 ? 4 : 0, max: 5 }),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

const any = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Scenarios of a budget and its pods. */
export function scenarios(): readonly Workload<DisruptionScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(any, 10), runs: 16 },
    { name: 'evictions', scenarios: scenariosWith(drained, 1, tight), runs: 16 },
    { name: 'evicted pods that stay', scenarios: scenariosWith(stayed(fc.constant('record')), 1), runs: 4 },
    { name: 'marked pods that stay', scenarios: scenariosWith(stayed(marks), 1), runs: 5 },
    { name: 'pods that lose their label', scenarios: scenariosWith(left('relabel'), 1), runs: 3 },
    { name: 'pods that end', scenarios: scenariosWith(left('finish'), 1, integers), runs: 3 },
    { name: 'rollouts', scenarios: scenariosWith(joined('old'), 1, relative), runs: 3 },
    { name: 'lost controllers', scenarios: scenariosWith(joined('missing'), 1, relative), runs: 3 },
    { name: 'pods without a controller', scenarios: scenariosWith(joined('none'), 1, relative), runs: 2 },
    { name: 'scales that change', scenarios: scenariosWith(scaled, 1, relative), runs: 5 },
  ];
}

function describeScenario(scenario: DisruptionScenario): readonly string[] {
  const { before, steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    `the budget has ${JSON.stringify(scenario.limit)}, and the Deployment has ${before} ready pods`,
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : say(step))),
    ...sayHealing(steps),
  ];
}

function say(operation: Operation): string {
  switch (operation.do) {
    case 'add':
      return `add pod ${operation.pod} of ${operation.owner}, ${operation.ready ? '' : 'not '}ready`;
    case 'record':
      return `the eviction of pod ${operation.pod} is recorded, but the pod stays`;
    case 'complete':
      return `pod ${operation.pod} is deleted if its eviction was recorded`;
    case 'mark':
      return `the ${operation.by} sets DisruptionTarget of pod ${operation.pod}`;
    case 'relabel':
      return `the budget ${operation.isCovered ? 'covers' : 'no longer covers'} pod ${operation.pod}`;
    case 'scale':
      return `scale the ${operation.owner} to ${operation.replicas}`;
    case 'orphan':
      return 'delete the Deployment, but not its ReplicaSets';
    case 'limit':
      return `the budget gets ${JSON.stringify(operation.limit)}`;
    default:
      return `${operation.do} pod ${operation.pod}`;
  }
}
