import fc from 'fast-check';
import { sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pauses, schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import type { Step } from '../../testing/rig/play.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process that the controller runs in. Faults, trace and journal use this name. */
export const PROCESS = 'node-lifecycle';

/** One operation of a user. AUTHOR: everything that users, nodes and other controllers do. */
export type Operation =
  /** Creates the ConfigMap of this number, or replaces its data by this many keys. */
  | { readonly do: 'put'; readonly configMap: number; readonly keys: number }
  | { readonly do: 'delete'; readonly configMap: number };

/** The input of one run. AUTHOR: only what fast-check generates. */
export interface Scenario {
  readonly seed: number;
  /** The order of events that are due at the same instant. */
  readonly schedule: readonly number[];
  /** The number of apiservers. */
  readonly replicas: number;
  /** The longest latency of a message. */
  readonly latencyMs: number;
  /** Operations and faults, each some time after the step before. */
  readonly steps: readonly Step<Operation>[];
}

const configMap = fc.nat({ max: 3 });

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('put' as const), configMap, keys: fc.nat({ max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), configMap }) },
);

const faults = fc.oneof(
  { weight: 3, arbitrary: apiFaults(PROCESS) },
  { weight: 1, arbitrary: crashes(PROCESS) },
);

const steps: fc.Arbitrary<Step<Operation>> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: after(operations) },
  { weight: 1, arbitrary: after(faults.map((strike) => ({ strike }))) },
);

/** Scenario classes. AUTHOR: a class of its own for each situation that a random run seldom reaches. */
export const scenarios: readonly Workload<Scenario>[] = [
  {
    name: 'any run',
    scenarios: inWords(
      fc.record({
        seed: seeds,
        schedule: schedules,
        replicas: fc.constantFrom(1, 2),
        latencyMs: fc.constantFrom(1, 5, 20),
        steps: fc.array(steps, { minLength: 1, maxLength: 10 }),
      }),
      sayScenario,
    ),
    runs: 100,
  },
];

function after<S extends object>(steps: fc.Arbitrary<S>): fc.Arbitrary<S & { readonly afterMs: number }> {
  return fc.tuple(pauses, steps).map(([afterMs, step]) => ({ afterMs, ...step }));
}

/** The lines of a counterexample. */
function sayScenario(scenario: Scenario): readonly string[] {
  const { steps } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...saySteps(steps, (step) => ('strike' in step ? sayFault(step.strike) : sayOperation(step))),
    ...sayHealing(steps),
  ];
}

function sayOperation(operation: Operation): string {
  const name = `config-${operation.configMap}`;
  return operation.do === 'put' ? `${name} gets ${operation.keys} keys` : `${name} is deleted`;
}
