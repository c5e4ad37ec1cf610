import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Workload } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import * as blind from './blind-recipes.ts';
import { describeScenario } from './describe.ts';
import * as quiet from './quiet-recipes.ts';
import * as recipes from './recipes.ts';
import { type ReplicaSetScenario, scenarios } from './scenario.ts';

/** What a life stands on, besides its recipe. */
interface Circumstances {
  /** Each message takes up to 20 ms. @defaultValue a draw */
  readonly isSlow?: boolean;
  /** Its caches do not tell which version they have reached. @defaultValue they do, if its informers can */
  readonly isVersionless?: boolean;
  /** What it lists first may be old. @defaultValue false */
  readonly hasOldLists?: boolean;
  /** How many apiservers. @defaultValue 1 */
  readonly replicas?: number;
}

/** A life of which all that matters is one recipe. */
function scenariosWith(
  recipe: recipes.Recipe,
  { isSlow = false, isVersionless = false, hasOldLists = false, replicas = 1 }: Circumstances,
): fc.Arbitrary<ReplicaSetScenario> {
  return inWords(
    fc.record({
      seed: seeds,
      schedule: schedules,
      replicas: fc.constant(replicas),
      latencyMs: isSlow ? fc.constant(20) : fc.constantFrom(1, 5, 20),
      isVersionless: fc.constant(isVersionless),
      hasOldLists: fc.constant(hasOldLists),
      before: recipes.few.map((replicas) => [
        { do: 'create' as const, set: 'web' as const, replicas, afterMs: 0 },
      ]),
      steps: recipe,
    }),
    describeScenario,
  );
}

const workload = (
  name: string,
  recipe: recipes.Recipe,
  { runs = 4, ...circumstances }: Circumstances & { readonly runs?: number } = {},
): Workload<ReplicaSetScenario> => ({
  name,
  scenarios: scenariosWith(recipe, circumstances),
  runs,
});

const untold = { isVersionless: true };

/** Of all kinds, and of each kind that is rare. */
export const workloads: readonly Workload<ReplicaSetScenario>[] = [
  { name: 'whatever may happen', scenarios, runs: 40 },
  workload('expectations that expire', recipes.expired),
  workload('an expectation that expires by itself', recipes.unheard),
  workload('a restart on an old cache', recipes.forgetful),
  workload('a request that is never answered', recipes.unanswered),
  workload('a ReplicaSet that is made again', recipes.reborn),
  workload('a quota that is used up', recipes.quota),
  workload('a ReplicaSet that is being deleted', recipes.dying),
  workload('a deletion that it has not heard of', recipes.unawares),
  workload('pods to choose from', recipes.choice),
  workload('pods that are gone at once', quiet.goneAtOnce, { runs: 6 }),
  workload('pods that fail', quiet.failing),
  workload('pods that are gone early', quiet.goneEarly, { isSlow: true, runs: 8 }),
  workload('strays', quiet.strays),
  workload('pods that stop slowly', quiet.slowStops),
  workload('the last moments of pods', quiet.lastMoments, { runs: 10 }),
  workload('a pod that is never told of', quiet.neverSeen),
  workload('availability by time alone', quiet.byTimeAlone),
  workload('deletes that are refused', quiet.refusedDeletes),
  workload('creates that are refused', quiet.refusedCreates),
  workload('creates that are refused for long', quiet.lastingRefusal),
  workload('claims that are refused', quiet.refusedClaims),
  workload('many pods', quiet.many, { runs: 2 }),
  workload('pods that are wanted again', quiet.wantedAgain, { runs: 6 }),
  workload('namesakes', quiet.namesakes, { runs: 10 }),
  workload('a status of a ReplicaSet that was made again', quiet.staleStatus),
  workload('strangers', quiet.strangers),
  workload('pods that it never sees', quiet.unseen, { runs: 6 }),
  workload('an orphan that it has not heard of', quiet.adoptedUnseen),
  workload('other pods of the same names', quiet.sameNames, { runs: 6 }),
  workload('an orphan that it lets go', quiet.letGo),
  workload('a pod that is gone while it adopts', quiet.goneMeanwhile, { isSlow: true, runs: 10 }),
  workload('pods whose ages become alike', blind.ageing, { runs: 5 }),
  workload('deletes that are never answered', blind.ageingUnheard, { runs: 8 }),
  workload('a server that cannot be asked', blind.expiredAndRefused),
  workload('woken while it is blind', blind.wokenBlind),
  workload('a change that overtakes a status', blind.overtaken),
  workload('crowded nodes', blind.crowds),
  workload('kin on the nodes', blind.kin),
  workload('pods that are less far on', blind.lessFarOn, { runs: 6 }),
  workload('a pod that is ready again', blind.readyAgain),
  workload('prices', blind.prices, { runs: 6 }),
  workload('pods of one age', blind.elders, { runs: 6 }),
  workload('restarts', blind.restarts, { runs: 16 }),
  workload('nothing heard at all', blind.deaf, { isSlow: true, runs: 6 }),
  workload('a restart beside an apiserver that is behind', quiet.restartedBehind, {
    hasOldLists: true,
    replicas: 2,
    runs: 6,
  }),
  ...[
    workload('expectations that expire', recipes.expired, untold),
    workload('an expectation that expires by itself', recipes.unheard, untold),
    workload('pods that it never sees', quiet.unseen, { ...untold, runs: 6 }),
    workload('an orphan that it has not heard of', quiet.adoptedUnseen, untold),
    workload('an orphan that it has adopted and does not see', quiet.adoptedBlind, untold),
    workload('pods whose ages become alike', blind.ageing, untold),
    workload('a server that cannot be asked', blind.expiredAndRefused, { ...untold, runs: 6 }),
    workload('woken while it is blind', blind.wokenBlind, untold),
    workload('nothing heard at all', blind.deaf, { ...untold, isSlow: true, runs: 6 }),
  ].map((known) => ({ ...known, name: `${known.name}, with caches that tell no version` })),
];
