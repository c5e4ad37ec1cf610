import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import { type Operation, PROCESS, type Step } from './operations.ts';
import { describeScenario } from './render.ts';
import * as operations from './workloads/plans.ts';
import * as recipes from './workloads/recipes.ts';
import * as snapshots from './workloads/snapshots.ts';

/** A generated scenario: operations, faults and times. */
export interface SchedulerScenario {
  readonly seed: number;
  /** The order of events at the same instant. */
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  /** The highest latency of a message. */
  readonly latencyMs: number;
  /** Operations before the scheduler starts. */
  readonly before: readonly Step[];
  /** Operations and faults, after which every pod that fits must get a node. */
  readonly steps: readonly Step[];
  /** Operations without faults, each after a quiet period. */
  readonly calm: readonly Operation[];
  /** The final period without operations. */
  readonly restMs: number;
}

/** Long enough for all pending work to end. */
const REST_MS = 60_000;
/** More than twice the five minutes after which a pod is retried in any case. */
const LONG_REST_MS = 700_000;

const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS).map(laterThanItsLastRequest) },
);

/** Creates nodes and pods before the scheduler starts. */
const before: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(operations.nodePlans, { minLength: 1, maxLength: 3 }),
    fc.array(operations.podPlans, { maxLength: 4 }),
    fc.array(operations.any, { maxLength: 3 }),
  )
  .map(([plans, podPlans, more]) =>
    [
      ...plans.map((as, i): Operation => ({ do: 'add-node', node: i as 0 | 1 | 2, as })),
      ...podPlans.map((pod): Operation => ({ do: 'create', pod })),
      ...more,
    ].map((operation) => ({ afterMs: 0, ...operation })),
  );

function chapters(most: number): fc.Arbitrary<readonly Step[]> {
  return fc
    .array(
      fc.oneof(
        { withCrossShrink: true },
        { weight: 8, arbitrary: one(operations.any) },
        { weight: 3, arbitrary: one(faults.map((strike) => ({ strike }))) },
      ),
      { maxLength: most },
    )
    .map((all) => all.flat());
}

/** Scenarios with random steps before and after a recipe. */
function scenariosWith(
  recipe: fc.Arbitrary<readonly Step[]>,
  most: number,
  restMs: number,
  isSlow = false,
): fc.Arbitrary<SchedulerScenario> {
  return inWords(
    fc
      .record({
        seed: seeds,
        schedule: schedules,
        replicas: fc.constantFrom(1, 2),
        latencyMs: isSlow ? fc.constant(20) : fc.constantFrom(1, 5, 20),
        before,
        steps: fc.tuple(chapters(most), recipe, chapters(most)).map((parts) => parts.flat()),
        calm: fc
          .array(
            fc.oneof(
              { weight: 4, arbitrary: operations.any.map((operation) => [operation]) },
              ...snapshots.all.map((arbitrary) => ({ weight: 1, arbitrary })),
            ),
            { maxLength: 3 },
          )
          .map((all): readonly Operation[] => [...all.flat(), { do: 'crowd', giants: 1 }]),
        restMs: fc.constant(restMs),
      })
      .map(withWhim),
    describeScenario,
  );
}

/** The workloads of all laws. */
export const workloads: readonly Workload<SchedulerScenario>[] = [
  { name: 'anything', scenarios: scenariosWith(fc.constant([]), 4, REST_MS), runs: 24 },
  { name: 'a long rest', scenarios: scenariosWith(fc.constant([]), 1, LONG_REST_MS), runs: 8 },
  ...recipes.all.map(({ name, recipe, runs, isSlow }) => ({
    name,
    scenarios: scenariosWith(recipe, 1, REST_MS, isSlow),
    runs,
  })),
];

/** Adds a pod that no event wakes if the final period is long enough to retry it. */
function withWhim(scenario: SchedulerScenario): SchedulerScenario {
  const { calm, restMs } = scenario;
  return restMs < LONG_REST_MS ? scenario : { ...scenario, calm: [...calm, { do: 'whim', whim: 'deaf' }] };
}

function one(what: fc.Arbitrary<Operation | { readonly strike: Fault }>): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(pauses, what).map(([afterMs, some]) => [{ afterMs, ...some }]);
}

/** Delays the restart until the last request has arrived, as a lease would. */
function laterThanItsLastRequest(fault: Fault): Fault {
  return fault.fault === 'crash' ? { ...fault, restartAfterMs: fault.restartAfterMs + 50 } : fault;
}
