import fc from 'fast-check';
import { schedules, seeds } from '../../../testing/arbitraries/time.ts';
import type { Workload } from '../../../testing/holds.ts';
import { inWords } from '../../../testing/telling.ts';
import { describeScenario } from '../render/scenario.ts';
import { type ReplicaSetScenario, scenarios } from '../scenario.ts';
import * as blind from './blind.ts';
import * as quiet from './quiet.ts';
import * as recipes from './recipes.ts';

/** Options of a scenario besides its recipe. */
interface Circumstances {
  /** Each message takes up to 20 ms. @defaultValue random */
  readonly isSlow?: boolean;
  /** The caches do not report which version they have reached. @defaultValue false */
  readonly isVersionless?: boolean;
  /** The first list can be stale. @defaultValue false */
  readonly hasOldLists?: boolean;
  /** The number of apiservers. @defaultValue 1 */
  readonly replicas?: number;
}

/** Scenarios that consist of one recipe. */
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

const withoutVersions = { isVersionless: true };

/** Random operations, and one workload for each rare situation. */
export const workloads: readonly Workload<ReplicaSetScenario>[] = [
  { name: 'random operations', scenarios, runs: 40 },
  workload('expectations expire', recipes.expired),
  workload('an expectation expires without events', recipes.unheard),
  workload('a restart with a stale cache', recipes.forgetful),
  workload('a lost response', recipes.unanswered),
  workload('a recreated ReplicaSet', recipes.reborn),
  workload('an exhausted quota', recipes.quota),
  workload('a ReplicaSet being deleted', recipes.dying),
  workload('an unobserved deletion', recipes.unawares),
  workload('a choice of pods to delete', recipes.choice),
  workload('pods removed at once', quiet.goneAtOnce, { runs: 6 }),
  workload('failing pods', quiet.failing),
  workload('an orphan that has ended', quiet.endedOrphan, { runs: 2 }),
  workload('pods removed early', quiet.goneEarly, { isSlow: true, runs: 8 }),
  workload('relabeled pods', quiet.strays),
  workload('pods that stop slowly', quiet.slowStops),
  workload('changes of terminating pods', quiet.lastMoments, { runs: 10 }),
  workload('a pod that is never observed', quiet.neverSeen),
  workload('availability without an event', quiet.byTimeAlone),
  workload('rejected deletes', quiet.refusedDeletes),
  workload('rejected creates', quiet.refusedCreates),
  workload('creates rejected for long', quiet.lastingRefusal),
  workload('rejected claims', quiet.refusedClaims),
  workload('a release rejected for seconds', quiet.refusedRelease, { runs: 2 }),
  workload('rejected statuses', quiet.refusedStatus, { runs: 2 }),
  workload('creates rejected in part', quiet.refusedInPart, { isSlow: true, runs: 4 }),
  workload('many pods', quiet.many, { runs: 2 }),
  workload('pods needed again', quiet.wantedAgain, { runs: 6 }),
  workload('two ReplicaSets of one name', quiet.namesakes, { runs: 10 }),
  workload('a stale status of a recreated ReplicaSet', quiet.staleStatus),
  workload('pods of another controller', quiet.strangers),
  workload('created pods that are never observed', quiet.unseen, { runs: 6 }),
  workload('an unobserved orphan', quiet.adoptedUnseen),
  workload('new pods with old names', quiet.sameNames, { runs: 6 }),
  workload('a released orphan', quiet.letGo),
  workload('a pod deleted during an adoption', quiet.goneMeanwhile, { isSlow: true, runs: 10 }),
  workload('a pod marked for deletion during an adoption', quiet.terminatingMeanwhile, {
    isSlow: true,
    runs: 10,
  }),
  workload('ages of one magnitude', blind.ageing, { runs: 5 }),
  workload('deletes without a response', blind.ageingUnheard, { runs: 8 }),
  workload('a failing read after expiry', blind.expiredAndRefused),
  workload('syncs during a delayed watch', blind.wokenBlind),
  workload('a conflicting status', blind.overtaken),
  workload('crowded nodes', blind.crowds),
  workload('related pods on the nodes', blind.related),
  workload('pods in different phases', blind.lessFarOn, { runs: 9 }),
  workload('a pod that becomes ready again', blind.readyAgain),
  workload('deletion costs', blind.prices, { runs: 6 }),
  workload('old pods of one age', blind.elders, { runs: 6 }),
  workload('ages at powers of two', blind.atPowersOfTwo, { runs: 6 }),
  workload('container restarts', blind.restarts, { runs: 16 }),
  workload('restarts of init containers', blind.setupRestarts, { runs: 5 }),
  workload('no events at all', blind.deaf, { isSlow: true, runs: 6 }),
  workload('a restart with a lagging apiserver', quiet.restartedBehind, {
    hasOldLists: true,
    replicas: 2,
    runs: 6,
  }),
  ...[
    workload('expectations expire', recipes.expired, withoutVersions),
    workload('an expectation expires without events', recipes.unheard, withoutVersions),
    workload('created pods that are never observed', quiet.unseen, { ...withoutVersions, runs: 6 }),
    workload('an unobserved orphan', quiet.adoptedUnseen, withoutVersions),
    workload('an adoption that is not observed yet', quiet.adoptedBlind, withoutVersions),
    workload('a lost response during a scaling', blind.resized, { ...withoutVersions, runs: 5 }),
    workload('ages of one magnitude', blind.ageing, withoutVersions),
    workload('a failing read after expiry', blind.expiredAndRefused, { ...withoutVersions, runs: 6 }),
    workload('syncs during a delayed watch', blind.wokenBlind, withoutVersions),
    workload('no events at all', blind.deaf, { ...withoutVersions, isSlow: true, runs: 6 }),
  ].map((known) => ({ ...known, name: `${known.name}, caches without versions` })),
];
