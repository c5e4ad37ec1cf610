import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import * as deeds from './deeds.ts';
import * as plots from './plots.ts';
import { sayScenario } from './say.ts';
import { type Deed, PROCESS, type Step } from './step.ts';

/** What a scheduler is put through: deeds, faults and time, as values that fast-check makes and shrinks. */
export interface SchedulerScenario {
  readonly seed: number;
  /** Who goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  /** How many apiservers. */
  readonly replicas: number;
  /** How long a message travels at most. */
  readonly latencyMs: number;
  /** What is there before the scheduler starts. */
  readonly before: readonly Step[];
  /** What happens before it is left in peace, and has to be right in the end. */
  readonly steps: readonly Step[];
  /** What is done then, one thing after the other, when all is calm. */
  readonly calm: readonly Deed[];
  /** How long nothing is done after that. */
  readonly restMs: number;
}

const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS).map(laterThanItsLastRequest) },
);

/** Nodes and pods that are there when the scheduler starts. */
const before: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(deeds.nodePlans, { minLength: 1, maxLength: 3 }),
    fc.array(deeds.podPlans, { maxLength: 4 }),
    fc.array(deeds.any, { maxLength: 3 }),
  )
  .map(([plans, podPlans, more]) =>
    [
      ...plans.map((as, i): Deed => ({ do: 'add-node', node: i as 0 | 1 | 2, as })),
      ...podPlans.map((pod): Deed => ({ do: 'create', pod })),
      ...more,
    ].map((deed) => ({ afterMs: 0, ...deed })),
  );

const plot: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant([]) },
  ...plots.all.map(weighed),
);

function chapters(most: number): fc.Arbitrary<readonly Step[]> {
  return fc
    .array(
      fc.oneof(
        { withCrossShrink: true },
        { weight: 8, arbitrary: one(deeds.any) },
        { weight: 3, arbitrary: one(faults.map((strike) => ({ strike }))) },
      ),
      { maxLength: most },
    )
    .map((all) => all.flat());
}

/** Histories of a scheduler's life. */
export const scenarios: fc.Arbitrary<SchedulerScenario> = inWords(
  fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    before,
    steps: fc
      .tuple(chapters(2), plot, chapters(2), fc.option(plot, { nil: [], freq: 3 }))
      .map((parts) => parts.flat()),
    calm: fc
      .array(
        fc.oneof({ weight: 4, arbitrary: deeds.any.map((deed) => [deed]) }, ...plots.calm.map(weighed)),
        {
          maxLength: 3,
        },
      )
      .map((scenes): readonly Deed[] => [...scenes.flat(), { do: 'crowd', giants: 1 }]),
    restMs: fc.oneof(
      { weight: 7, arbitrary: fc.constant(60_000) },
      { weight: 1, arbitrary: fc.constant(700_000) },
    ),
  }),
  sayScenario,
);

function weighed<T>(arbitrary: fc.Arbitrary<T>): { weight: number; arbitrary: fc.Arbitrary<T> } {
  return { weight: 1, arbitrary };
}

function one(what: fc.Arbitrary<Deed | { readonly strike: Fault }>): fc.Arbitrary<readonly Step[]> {
  return fc.tuple(pauses, what).map(([afterMs, some]) => [{ afterMs, ...some }]);
}

/** Its last request arrives before it comes back: a lease makes sure of that. */
function laterThanItsLastRequest(fault: Fault): Fault {
  return fault.fault === 'crash' ? { ...fault, restartAfterMs: fault.restartAfterMs + 50 } : fault;
}
