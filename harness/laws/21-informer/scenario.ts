import fc from 'fast-check';
import type { Fault } from '../../faults/index.ts';
import { apiFaults } from '../../testing/arbitraries/faults.ts';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import { inWords } from '../../testing/telling.ts';
import * as plots from './plots.ts';
import { sayScenario } from './say.ts';
import { PROCESS, type Step, steps, writes } from './step.ts';

/** Who listens. Everybody but `steady` is optional. */
export type HandlerName = 'steady' | 'slow' | 'throwing' | 'resyncing' | 'late';

/** What an informer is put through: writes, faults and time, as values that fast-check makes and shrinks. */
export interface InformerScenario {
  readonly seed: number;
  /** Who goes first among what happens at the same instant. */
  readonly schedule: readonly number[];
  readonly replicas: number;
  readonly handlers: readonly HandlerName[];
  /** Objects that are there before the informer starts. */
  readonly present: readonly string[];
  /** What happens before it is left in peace, and has to be right in the end. */
  readonly steps: readonly Step[];
  /** What happens after that, until it is stopped: so that it is stopped in the midst of life. */
  readonly ending: readonly Step[];
}

const others: readonly HandlerName[] = ['slow', 'throwing', 'resyncing', 'late'];

/** Histories of an informer's life; `faults` may be narrowed. */
export function scenarios(faults: fc.Arbitrary<Fault> = apiFaults(PROCESS)): fc.Arbitrary<InformerScenario> {
  const strikes = faults.map((fault) => ({ strike: fault }));
  const one = fc
    .oneof({ weight: 3, arbitrary: steps(writes) }, { weight: 2, arbitrary: steps(strikes) })
    .map((step): readonly Step[] => [step]);
  const chapter = fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: one },
    { weight: 2, arbitrary: plots.gap },
    { weight: 2, arbitrary: plots.staleReplica },
    { weight: 1, arbitrary: plots.quiet },
    { weight: 1, arbitrary: plots.storm },
    { weight: 1, arbitrary: plots.outage },
  );
  const lives = fc.record({
    seed: seeds,
    schedule: schedules,
    replicas: fc.constantFrom(1, 2),
    handlers: fc.subarray([...others]).map((some): HandlerName[] => ['steady', ...some]),
    present: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    steps: fc.array(chapter, { maxLength: 8 }).map((chapters) => chapters.flat()),
    ending: endings(strikes),
  });
  return inWords(lives, sayScenario);
}

/** Few things, soon after one another, and then the stop, soon after the last. */
function endings(strikes: fc.Arbitrary<{ readonly strike: Fault }>): fc.Arbitrary<readonly Step[]> {
  const soon = fc.integer({ min: 0, max: 12 });
  const one = fc
    .oneof({ weight: 4, arbitrary: steps(writes, soon) }, { weight: 1, arbitrary: steps(strikes, soon) })
    .map((step): readonly Step[] => [step]);
  const chapter = fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: one },
    { weight: 1, arbitrary: plots.outage },
  );
  const stop = fc
    .oneof({ weight: 3, arbitrary: soon }, { weight: 1, arbitrary: fc.integer({ min: 100, max: 20_000 }) })
    .map((afterMs): Step => ({ afterMs, write: 'nothing' }));
  return fc
    .tuple(fc.array(chapter, { maxLength: 6 }), stop)
    .map(([chapters, last]) => (chapters.length === 0 ? [] : [...chapters.flat(), last]));
}
