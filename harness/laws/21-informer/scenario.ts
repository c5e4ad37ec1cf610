import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults } from '../../testing/arbitraries/faults.ts';
import { shortened } from '../../testing/arbitraries/shortened.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import { type Name, names, PROCESS, type Step, steps, tricks, writes } from './operations.ts';
import { describeScenario } from './render/scenario.ts';
import * as recipes from './workloads/recipes.ts';

/** The handlers. All except `steady` are optional. */
export type HandlerName = 'steady' | 'slow' | 'throwing' | 'resyncing' | 'seldom' | 'late' | 'leaving';

/**
 * How the server answers a list with a limit. `whole`: in one answer, as from its watch cache. `small`: in pages of two
 * objects, as without a watch cache. `expiring`: in pages, each of which expires before the request of the next.
 */
export type Pages = 'whole' | 'small' | 'expiring';

/** A scenario: writes, faults and time, as values that fast-check generates and shrinks. */
export interface InformerScenario {
  readonly seed: number;
  /** The choices of the scheduler among events at the same instant. */
  readonly schedule: readonly number[];
  readonly replicas: number;
  /** Whether each apiserver serves streaming lists. @defaultValue true for each that is missing */
  readonly streamingLists: readonly boolean[];
  readonly pages: Pages;
  readonly handlers: readonly HandlerName[];
  /** The time when the late handler joins, in virtual ms. */
  readonly lateMs: number;
  /** Objects that exist before the informer starts. */
  readonly present: readonly Name[];
  /** The steps before the faults end and the informer must converge. */
  readonly steps: readonly Step[];
  /** The steps after that, until the abort: so the abort comes while the informer is busy. */
  readonly ending: readonly Step[];
}

const others: readonly HandlerName[] = ['slow', 'throwing', 'resyncing', 'seldom', 'late', 'leaving'];

/** Generates up to five handlers, `steady` among them. */
export const someHandlers: fc.Arbitrary<readonly HandlerName[]> = fc
  .subarray([...others], { maxLength: 4 })
  .map((some) => ['steady', ...some]);

/** Generates any set of objects. */
export const someNames: fc.Arbitrary<readonly Name[]> = fc.subarray([...names]);

/** Generates which apiservers serve streaming lists: mostly all. */
export const streamingLists: fc.Arbitrary<readonly boolean[]> = fc.constantFrom(
  [],
  [],
  [],
  [false, false],
  [false, true],
  [true, false],
);

/** Generates scenarios in which anything can happen. */
export function scenarios(): fc.Arbitrary<InformerScenario> {
  const strikes = apiFaults(PROCESS).map((fault) => ({ strike: fault }));
  const one = fc
    .oneof(
      { weight: 6, arbitrary: steps(writes) },
      { weight: 4, arbitrary: steps(strikes) },
      { weight: 1, arbitrary: steps(tricks) },
    )
    .map((step): readonly Step[] => [step]);
  const chapter = fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: one },
    { weight: 2, arbitrary: recipes.gap },
    { weight: 2, arbitrary: recipes.staleReplica },
    { weight: 1, arbitrary: recipes.quiet },
    { weight: 1, arbitrary: recipes.storm },
    { weight: 1, arbitrary: recipes.outage },
  );
  const drawn = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    streamingLists,
    pages: fc.constantFrom<Pages>('whole', 'whole', 'whole', 'small'),
    handlers: someHandlers,
    lateMs: fc.constantFrom(4_000, 2, 60_000),
    present: someNames,
    steps: shortened(fc.array(chapter, { maxLength: 8 }).map((chapters) => chapters.flat())),
    ending: shortened(endings(strikes)),
  });
  return inWords(drawn, describeScenario);
}

/** Generates a few steps in quick succession, and then the abort. */
function endings(strikes: fc.Arbitrary<{ readonly strike: Fault }>): fc.Arbitrary<readonly Step[]> {
  const soon = fc.integer({ min: 0, max: 12 });
  const one = fc
    .oneof({ weight: 4, arbitrary: steps(writes, soon) }, { weight: 1, arbitrary: steps(strikes, soon) })
    .map((step): readonly Step[] => [step]);
  const chapter = fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: one },
    { weight: 1, arbitrary: recipes.outage },
  );
  return fc
    .tuple(fc.array(chapter, { maxLength: 6 }), stops)
    .map(([chapters, last]) => (chapters.length === 0 ? [] : [...chapters.flat(), last]));
}

/** Generates the wait between the last step and the abort: mostly short. */
const stops: fc.Arbitrary<Step> = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 12 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 20_000 }) },
  )
  .map((afterMs): Step => ({ afterMs, wait: true }));

/** Generates the beginning of a recipe, and then the abort. */
export function cutShort(recipe: fc.Arbitrary<readonly Step[]>): fc.Arbitrary<readonly Step[]> {
  return fc
    .tuple(recipe, fc.nat({ max: 8 }), stops)
    .map(([all, length, last]) => [...all.slice(0, Math.max(1, all.length - length)), last]);
}
