import fc from 'fast-check';
import { pacedSteps } from '../../../testing/arbitraries/paced-steps.ts';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import { inWords } from '../../../testing/telling.ts';
import { type Operation, operations, policies, puts, type Step } from '../operations.ts';
import { describeScenario } from '../render/scenario.ts';
import * as recipes from '../workloads/recipes.ts';

/** A scenario for the garbage collector, as a value: objects that own each other, deletions, faults and time. */
export interface GarbageScenario {
  readonly seed: number;
  /** The order of simultaneous events. */
  readonly schedule: readonly number[];
  readonly replicas: number;
  /** Objects that were created or deleted before the collector starts. */
  readonly present: readonly Operation[];
  readonly steps: readonly Step[];
  /** The quiescent time after the steps, before all foreign finalizers are removed. */
  readonly calmMs: number;
}

/** Long enough for a law to check pending obligations. */
export const CALM_MS = 70_000;

/** General scenarios: anything can happen. */
export function scenarios(): fc.Arbitrary<GarbageScenario> {
  const chapter = fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: operations.map((operation): readonly Step[] => [{ afterMs: 0, ...operation }]) },
    { weight: 6, arbitrary: recipes.familyEnds },
    { weight: 2, arbitrary: recipes.secondThoughts },
    { weight: 2, arbitrary: recipes.rescue },
    { weight: 3, arbitrary: recipes.comeback },
    { weight: 2, arbitrary: recipes.rebirth },
    { weight: 3, arbitrary: recipes.unseen },
    { weight: 3, arbitrary: recipes.misnomer },
    { weight: 1, arbitrary: recipes.verdict },
  );
  const drawn = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    present: beginnings,
    steps: pacedSteps(chapter, { maxLength: 6 }),
    calmMs: fc.constantFrom(0, CALM_MS),
  });
  return inWords(drawn, describeScenario);
}

/** A few objects, or a family with a member that is already being deleted. */
const beginnings: fc.Arbitrary<readonly Operation[]> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.array(puts, { maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(recipes.family, policies)
      .map(([members, policy]) => [
        ...members,
        ...members
          .slice(0, 1)
          .flatMap((operation): Operation[] =>
            'put' in operation ? [{ delete: operation.put, policy }] : [],
          ),
      ]),
  },
);
