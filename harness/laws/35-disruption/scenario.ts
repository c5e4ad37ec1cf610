import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
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

/** Users evict several pods, in one moment or one after the other. */
const drained = fc
  .tuple(
    mild,
    fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 2, maxLength: 5 }),
    fc.constantFrom(0, 3, 8, 30, 500),
    fc.boolean(),
  )
  .map(([fault, all, pauseMs, isRecorded]) => [
    // The pod is ready, and counts as evicted.
    ...(isRecorded ? [at({ do: 'record', pod: all[0] ?? 0 }, 2_000)] : []),
    ...fault,
    ...all.map((each, i) => at({ do: 'evict', pod: each }, i === 0 ? 2_000 : pauseMs)),
    ...all.slice(0, 2).map((each) => at({ do: 'finish', pod: each }, 200)),
  ]);

/** The status of a pod changes while the controller writes, or just before an eviction. */
const raced = fc
  .tuple(pod, fc.array(fc.constantFrom(0, 2, 5, 9, 15), { minLength: 2, maxLength: 4 }))
  .map(([other, pausesMs]) => [
    at({ do: 'add', pod: 5, owner: 'deployment', ready: false }, 2_000),
    ...pausesMs.flatMap((afterMs, i) => [
      at({ do: i % 2 === 0 ? 'ready' : 'record', pod: 5 }, afterMs),
      at({ do: 'evict', pod: (other + i) % 5 }, afterMs),
    ]),
  ]);

/** An eviction is recorded, or a condition is set, and the pod stays. */
const stayed = fc
  .tuple(
    pod,
    fc.constantFrom<Operation['do']>('record', 'mark'),
    fc.constantFrom('eviction' as const, 'kubelet' as const),
    fc.boolean(),
  )
  .map(([number, how, by, isCrashed]) => [
    at(how === 'mark' ? { do: 'mark', pod: number, by } : { do: 'record', pod: number }, 2_000),
    ...(isCrashed
      ? [strike({ fault: 'crash', process: PROCESS, skip: 0, performed: true, restartAfterMs: 60 }, 100)]
      : []),
    at({ do: 'ready', pod: (number + 1) % 5 }, 20_000),
    at({ do: 'unready', pod: (number + 1) % 5 }, 5_000),
  ]);

/** The expected number of pods changes. */
const scaled = fc
  .tuple(
    fc.array(fc.oneof(scale, add, fc.constant<Operation>({ do: 'orphan' })), { minLength: 1, maxLength: 4 }),
    limit,
  )
  .map(([all, next]) => [...all.map((each) => at(each, 1_000)), at({ do: 'limit', limit: next }, 1_000)]);

function scenariosWith(
  group: fc.Arbitrary<readonly Step[]>,
  maxLength: number,
  limits: fc.Arbitrary<Limit> = limit,
): fc.Arbitrary<DisruptionScenario> {
  const paced = fc
    .tuple(pauses, group)
    .map(([pauseMs, steps]) =>
      steps.map((step, i): Step => (i === 0 ? { ...step, afterMs: step.afterMs + pauseMs } : step)),
    );
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    limit: limits,
    before: fc.integer({ min: maxLength === 1 ? 3 : 0, max: 5 }),
    steps: fc.array(paced, { minLength: 1, maxLength }).map((groups) => groups.flat()),
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
    { name: 'any life', scenarios: scenariosWith(any, 10), runs: 20 },
    { name: 'evictions', scenarios: scenariosWith(drained, 1), runs: 14 },
    { name: 'writes that meet evictions', scenarios: scenariosWith(raced, 1), runs: 8 },
    { name: 'pods that stay', scenarios: scenariosWith(stayed, 1), runs: 8 },
    { name: 'scales that change', scenarios: scenariosWith(scaled, 1), runs: 10 },
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
