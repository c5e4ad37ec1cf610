import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import { type Operation, PROCESS, type SetName, type Step } from './operations.ts';
import { describeScenario } from './render/scenario.ts';
import * as recipes from './workloads/recipes.ts';

/** A scenario: operations, faults and times, as values that fast-check generates and shrinks. */
export interface ReplicaSetScenario {
  readonly seed: number;
  /** The order of tasks at the same instant. */
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  /** The longest latency of a message. */
  readonly latencyMs: number;
  /** Whether the caches do not report which version they have reached. */
  readonly isVersionless: boolean;
  /** Whether the apiservers serve no streaming lists, so that the first list can be stale. */
  readonly hasOldLists: boolean;
  /** Steps before the controller starts. */
  readonly before: readonly Step[];
  /** Steps after the controller starts; then no fault or operation follows. */
  readonly steps: readonly Step[];
}

const sets: fc.Arbitrary<SetName> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('web' as const) },
  { weight: 1, arbitrary: fc.constant('canary' as const) },
);
const counts = fc.nat({ max: 5 });
const anyPod = fc.nat({ max: 7 });

/** Operations of the environment; common operations have higher weights. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('scale' as const), set: sets, replicas: counts }) },
  { weight: 4, arbitrary: fc.constant({ do: 'run' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('kill' as const), pod: anyPod }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('flip' as const), pod: anyPod }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), pod: anyPod }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reap' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('relabel' as const),
      pod: anyPod,
      to: fc.constantFrom('nothing' as const, 'web' as const, 'canary' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('free' as const), pod: anyPod }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('orphan' as const), of: sets }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stranger' as const), of: sets }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('price' as const), pod: anyPod, cost: fc.constantFrom(-1, 5) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      set: sets,
      how: fc.constantFrom('Background' as const, 'Foreground' as const, 'Orphan' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), set: sets, replicas: counts }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('collect' as const), pods: fc.nat({ max: 3 }) }) },
);

const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: apiFaults(PROCESS) },
  {
    weight: 2,
    arbitrary: crashes(PROCESS).map(laterThanItsLastRequest),
  },
);

/** Random scenarios. */
export const scenarios: fc.Arbitrary<ReplicaSetScenario> = inWords(
  fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    isVersionless: fc.boolean(),
    hasOldLists: fc.boolean(),
    before: fc.tuple(counts, fc.array(operations, { maxLength: 4 })).map(([replicas, more]) =>
      [{ do: 'create' as const, set: 'web' as const, replicas }, ...more].map((operation) => ({
        afterMs: 0,
        ...operation,
      })),
    ),
    steps: fc
      .array(
        fc.oneof(
          { withCrossShrink: true },
          { weight: 8, arbitrary: one(operations) },
          { weight: 3, arbitrary: one(faults.map((strike) => ({ strike }))) },
          ...recipes.all.map((arbitrary) => ({ weight: 1, arbitrary })),
        ),
        { maxLength: 8 },
      )
      .map((groups) => groups.flat()),
  }),
  describeScenario,
);

function one(what: fc.Arbitrary<Operation | { readonly strike: Fault }>): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(pauses, what).map(([afterMs, some]) => [{ afterMs, ...some }]);
}

/** Delays a restart until the last request has arrived, as a kubelet or a lease ensures. */
function laterThanItsLastRequest(fault: Fault): Fault {
  return fault.fault === 'crash' ? { ...fault, restartAfterMs: fault.restartAfterMs + 50 } : fault;
}
