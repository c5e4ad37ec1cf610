import fc from 'fast-check';
import { type Fault, sayFault } from '../../faults/index.ts';
import { apiFaults, crashes } from '../../testing/arbitraries/faults.ts';
import { pacedSteps } from '../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords, sayCircumstances, sayHealing, saySteps } from '../../testing/telling.ts';

/** The process of the controller, as faults, trace and journal name it. */
export const PROCESS = 'ttl-after-finished-controller';

/** An event, some time after the event before. */
export type Step = { readonly afterMs: number } & (Operation | { readonly strike: Fault });

/** An operation of a user, or of the Job controller; Jobs have numbers. */
export type Operation =
  /** A Job is created, if it does not exist. */
  | { readonly do: 'create'; readonly job: number; readonly ttl: number | undefined }
  | { readonly do: 'end'; readonly job: number; readonly type: 'Complete' | 'Failed' }
  /** A user changes the seconds, or removes them. */
  | { readonly do: 'set'; readonly job: number; readonly ttl: number | undefined }
  /** A Job is deleted, and another one with its name is created. */
  | { readonly do: 'replace'; readonly job: number; readonly ttl: number | undefined };

/** A scenario for the controller. */
export interface TtlScenario {
  readonly seed: number;
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly latencyMs: number;
  readonly steps: readonly Step[];
}

const at = (operation: Operation, afterMs = 0): Step => ({ afterMs, ...operation });
const strike = (fault: Fault, afterMs = 0): Step => ({ afterMs, strike: fault });
const job = fc.nat({ max: 2 });
const ttl = fc.constantFrom(undefined, 0, 1, 10, 60, 600);
const type = fc.constantFrom('Complete' as const, 'Failed' as const);

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), job, ttl }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), job, type }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('set' as const), job, ttl }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), job, ttl }) },
);

const faults = fc.oneof(
  { weight: 3, arbitrary: apiFaults(PROCESS) },
  { weight: 2, arbitrary: crashes(PROCESS) },
);

const one = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: operations.map((operation) => [at(operation)]) },
  { weight: 2, arbitrary: faults.map((fault) => [strike(fault)]) },
);

/** Shortly before a Job expires, it changes, while the controller sees an old state. */
const changed = fc
  .tuple(
    fc.constantFrom(10, 60),
    fc.constantFrom('set' as const, 'replace' as const),
    fc.constantFrom(undefined, 600),
    fc.integer({ min: 1_200, max: 3_000 }),
    fc.integer({ min: 4_000, max: 30_000 }),
  )
  .map(([first, operation, next, beforeMs, forMs]): readonly Step[] => [
    at({ do: 'create', job: 0, ttl: first }),
    at({ do: 'end', job: 0, type: 'Complete' }, 1_000),
    strike({ fault: 'delay-watches', process: PROCESS, forMs }, first * 1_000 - beforeMs),
    at({ do: operation, job: 0, ttl: next }),
    ...(operation === 'replace' ? [at({ do: 'end', job: 0, type: 'Failed' })] : []),
    at({ do: 'create', job: 1, ttl: 60 }, 3_500),
  ]);

/** The seconds of a Job that ended change. */
const edited = fc
  .tuple(ttl, ttl, type, fc.boolean(), faults)
  .map(([first, next, ended, isHit, fault]): readonly Step[] => [
    at({ do: 'create', job: 1, ttl: first }),
    at({ do: 'end', job: 1, type: ended }, 500),
    at({ do: 'set', job: 1, ttl: next }, 800),
    ...(isHit ? [strike(fault)] : []),
  ]);

function scenariosWith(group: fc.Arbitrary<readonly Step[]>, maxLength: number): fc.Arbitrary<TtlScenario> {
  const all = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    latencyMs: fc.constantFrom(1, 5, 20),
    steps: pacedSteps(group, { minLength: 1, maxLength }),
  });
  return inWords(all, describeScenario);
}

/** Scenarios of Jobs that end. */
export function scenarios(): readonly Workload<TtlScenario>[] {
  return [
    { name: 'any life', scenarios: scenariosWith(one, 12), runs: 30 },
    { name: 'a change in the last moment', scenarios: scenariosWith(changed, 1), runs: 15 },
    { name: 'another number of seconds', scenarios: scenariosWith(edited, 2), runs: 15 },
  ];
}

function describeScenario(scenario: TtlScenario): readonly string[] {
  return [
    ...sayCircumstances(scenario),
    ...saySteps(scenario.steps, (step) => ('strike' in step ? sayFault(step.strike) : say(step))),
    ...sayHealing(scenario.steps),
  ];
}

function say(operation: Operation): string {
  const name = `job-${operation.job}`;
  if (operation.do === 'end') return `${name} ends: ${operation.type}`;
  const limit = operation.ttl === undefined ? 'no limit' : `${operation.ttl} s`;
  if (operation.do === 'create') return `a user creates ${name} with ${limit}`;
  if (operation.do === 'set') return `a user changes the seconds of ${name} to ${limit}`;
  return `a user deletes ${name}, and creates another one with ${limit}`;
}
