import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import * as moments from './moment-plots.ts';
import * as names from './name-plots.ts';
import * as plots from './plots.ts';
import * as quiet from './quiet-plots.ts';
import { sayScenario } from './say.ts';
import { CALM_MS, type GarbageScenario, scenarios } from './scenario.ts';
import type { Step } from './step.ts';

/** A life of which all that matters is one plot. */
function life(plot: quiet.Plot): fc.Arbitrary<GarbageScenario> {
  const lives = fc
    .tuple(seeds, schedules, plot)
    .map(([seed, schedule, { present = [], steps }]): GarbageScenario => {
      const [first, ...more] = steps;
      // The collector has seen what there is.
      const begun: readonly Step[] =
        first && present.length === 0 ? [{ ...first, afterMs: 1_000 }, ...more] : steps;
      return { seed, schedule, replicas: 1, present, steps: begun, calmMs: CALM_MS };
    });
  return inWords(lives, sayScenario);
}

const road = (name: string, plot: quiet.Plot, runs = 4): Road<GarbageScenario> => ({
  name,
  scenarios: life(plot),
  runs,
});

const among = (steps: fc.Arbitrary<readonly Step[]>): quiet.Plot => steps.map((all) => ({ steps: all }));

/** Of all kinds, and of each kind that is rare. */
export const roads: readonly Road<GarbageScenario>[] = [
  { name: 'all may happen', scenarios: scenarios(), runs: 30 },
  road('a family ends', among(plots.familyEndsInPeace)),
  road('a family ends amid a fault', among(plots.familyEnds), 5),
  road('a second deletion', among(plots.secondThoughts)),
  road('a second deletion of what is held', quiet.again, 5),
  road('a rescue', among(plots.rescue)),
  road('a collector comes back', among(plots.comeback), 5),
  road('a name that is used again', among(plots.rebirth), 5),
  road('an owner that is never seen', among(plots.unseen)),
  road('wrong names', among(plots.misnomer), 6),
  road('an owner that cannot be judged', among(plots.verdict)),
  road('two owners', quiet.twoOwners, 8),
  road('an owner that is blocked no more', quiet.unblocked),
  road('dependents that come late', quiet.lateComers, 5),
  road('circles and lines', quiet.rings, 6),
  road('objects that say that their dependents are orphaned', quiet.declared('orphan')),
  road('objects that say that they wait for their dependents', quiet.declared('foregroundDeletion')),
  road('a gap in the watch', quiet.gaps, 5),
  road('an owner that is made again in a gap', quiet.remade),
  road('what a collector finds', quiet.found, 6),
  road('lists that come late', quiet.lateLists, 6),
  road('an owner of many names', names.manyNames, 8),
  road('a rescue at the last moment', moments.lastMoment('rescued', 'rescued late'), 5),
  road('a replacement at the last moment', moments.lastMoment('replaced'), 3),
  road('an object that changes all the time', moments.lastMoment('touched'), 3),
  road('a deletion at the last moment', moments.lastMoment('left'), 4),
  road('orphans', quiet.orphaned, 8),
  road('a reference that changes', names.renamed),
  road('a wrong name that is found first', names.foundWrong),
  road('an owner that is seen late', names.seenLate, 14),
  road('an owner that is never seen, of many names', names.neverSeen, 6),
  road('a second thought at the last moment', moments.otherwise, 6),
  road('an owner that cannot be read', moments.unreadable),
  road('an owner that is held', moments.heldOwner),
  road('a deletion that is not heard of', moments.leftUnheard, 5),
  road('a rescue that is not heard of', moments.rescuedUnheard, 3),
  road('owners of another namespace', names.strangers, 8),
];
