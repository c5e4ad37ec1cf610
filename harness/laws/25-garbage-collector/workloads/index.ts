import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import type { Step } from '../operations.ts';
import { describeScenario } from '../render/scenario.ts';
import { CALM_MS, type GarbageScenario, scenarios } from '../scenario/index.ts';
import * as moments from './moments.ts';
import * as names from './names.ts';
import * as quiet from './quiet.ts';
import * as recipes from './recipes.ts';

/** Generates a scenario around one recipe. */
function scenariosWith(recipe: quiet.Recipe): fc.Arbitrary<GarbageScenario> {
  const drawn = fc
    .tuple(seeds, schedules, recipe)
    .map(([seed, schedule, { present = [], steps }]): GarbageScenario => {
      const [first, ...more] = steps;
      // The collector has observed the existing objects.
      const begun: readonly Step[] =
        first && present.length === 0 ? [{ ...first, afterMs: 1_000 }, ...more] : steps;
      return { seed, schedule, replicas: 1, present, steps: begun, calmMs: CALM_MS };
    });
  return inWords(drawn, describeScenario);
}

const workload = (name: string, recipe: quiet.Recipe, runs = 4): Workload<GarbageScenario> => ({
  name,
  scenarios: scenariosWith(recipe),
  runs,
});

const among = (steps: fc.Arbitrary<readonly Step[]>): quiet.Recipe => steps.map((all) => ({ steps: all }));

/** The workloads: general scenarios, and scenarios for each rare situation. */
export const workloads: readonly Workload<GarbageScenario>[] = [
  { name: 'all may happen', scenarios: scenarios(), runs: 30 },
  workload('a family ends', among(recipes.familyEndsInPeace)),
  workload('a family ends amid a fault', among(recipes.familyEnds), 5),
  workload('a second deletion', among(recipes.secondThoughts)),
  workload('a second deletion of what is held', quiet.again, 5),
  workload('a rescue', among(recipes.rescue)),
  workload('a collector comes back', among(recipes.comeback), 5),
  workload('a name that is used again', among(recipes.rebirth), 5),
  workload('an owner that is never seen', among(recipes.unseen)),
  workload('wrong names', among(recipes.misnomer), 6),
  workload('an owner that cannot be judged', among(recipes.verdict)),
  workload('two owners', quiet.twoOwners, 8),
  workload('an owner that is blocked no more', quiet.unblocked),
  workload('dependents that come late', quiet.lateComers, 5),
  workload('circles and lines', quiet.rings, 6),
  workload('pairs of owners', quiet.pairs, 4),
  workload('objects that say that their dependents are orphaned', quiet.declared('orphan')),
  workload('objects that say that they wait for their dependents', quiet.declared('foregroundDeletion')),
  workload('a gap in the watch', quiet.gaps, 5),
  workload('an owner that is made again in a gap', quiet.remade),
  workload('what a collector finds', quiet.found, 6),
  workload('objects without dependents that are being deleted', quiet.foundAlone, 2),
  workload('lists that come late', quiet.lateLists, 6),
  workload('an owner of many names', names.manyNames, 8),
  workload('a rescue at the last moment', moments.lastMoment('rescued', 'rescued late'), 5),
  workload('a replacement at the last moment', moments.lastMoment('replaced'), 3),
  workload('an object that changes all the time', moments.lastMoment('touched'), 3),
  workload('a deletion at the last moment', moments.lastMoment('left'), 4),
  workload('orphans', quiet.orphaned, 8),
  workload('a reference that changes', names.renamed),
  workload('a wrong name that is found first', names.foundWrong),
  workload('an owner that is seen late', names.seenLate, 14),
  workload('an owner that is never seen, of many names', names.neverSeen, 6),
  workload('a second thought at the last moment', moments.otherwise, 6),
  workload('an owner that cannot be read', moments.unreadable),
  workload('an owner that is held', moments.heldOwner),
  workload('a deletion that is not heard of', moments.leftUnheard, 5),
  workload('a rescue that is not heard of', moments.rescuedUnheard, 3),
  workload('owners of another namespace', names.strangers, 8),
];
