import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import * as blind from './blind-plots.ts';
import * as plots from './plots.ts';
import * as quiet from './quiet-plots.ts';
import { sayScenario } from './say.ts';
import { type ReplicaSetScenario, scenarios } from './scenario.ts';

/** What a life stands on, besides its plot. */
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

/** A life of which all that matters is one plot. */
function life(
  plot: plots.Plot,
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
      before: plots.few.map((replicas) => [
        { do: 'create' as const, set: 'web' as const, replicas, afterMs: 0 },
      ]),
      steps: plot,
    }),
    sayScenario,
  );
}

const road = (
  name: string,
  plot: plots.Plot,
  { runs = 4, ...circumstances }: Circumstances & { readonly runs?: number } = {},
): Road<ReplicaSetScenario> => ({
  name,
  scenarios: life(plot, circumstances),
  runs,
});

const untold = { isVersionless: true };

/** Of all kinds, and of each kind that is rare. */
export const roads: readonly Road<ReplicaSetScenario>[] = [
  { name: 'whatever may happen', scenarios, runs: 40 },
  road('expectations that expire', plots.expired),
  road('an expectation that expires by itself', plots.unheard),
  road('a restart on an old cache', plots.forgetful),
  road('a request that is never answered', plots.unanswered),
  road('a ReplicaSet that is made again', plots.reborn),
  road('a quota that is used up', plots.quota),
  road('a ReplicaSet that is being deleted', plots.dying),
  road('a deletion that it has not heard of', plots.unawares),
  road('pods to choose from', plots.choice),
  road('pods that are gone at once', quiet.goneAtOnce, { runs: 6 }),
  road('pods that fail', quiet.failing),
  road('pods that are gone early', quiet.goneEarly, { isSlow: true, runs: 8 }),
  road('strays', quiet.strays),
  road('pods that stop slowly', quiet.slowStops),
  road('the last moments of pods', quiet.lastMoments, { runs: 10 }),
  road('a pod that is never told of', quiet.neverSeen),
  road('availability by time alone', quiet.byTimeAlone),
  road('deletes that are refused', quiet.refusedDeletes),
  road('creates that are refused', quiet.refusedCreates),
  road('creates that are refused for long', quiet.lastingRefusal),
  road('claims that are refused', quiet.refusedClaims),
  road('many pods', quiet.many, { runs: 2 }),
  road('pods that are wanted again', quiet.wantedAgain, { runs: 6 }),
  road('namesakes', quiet.namesakes, { runs: 10 }),
  road('a status of a ReplicaSet that was made again', quiet.staleStatus),
  road('strangers', quiet.strangers),
  road('pods that it never sees', quiet.unseen, { runs: 6 }),
  road('an orphan that it has not heard of', quiet.adoptedUnseen),
  road('other pods of the same names', quiet.sameNames, { runs: 6 }),
  road('an orphan that it lets go', quiet.letGo),
  road('a pod that is gone while it adopts', quiet.goneMeanwhile, { isSlow: true, runs: 10 }),
  road('pods whose ages become alike', blind.ageing, { runs: 5 }),
  road('deletes that are never answered', blind.ageingUnheard, { runs: 8 }),
  road('a server that cannot be asked', blind.expiredAndRefused),
  road('woken while it is blind', blind.wokenBlind),
  road('a change that overtakes a status', blind.overtaken),
  road('crowded nodes', blind.crowds),
  road('kin on the nodes', blind.kin),
  road('pods that are less far on', blind.lessFarOn, { runs: 6 }),
  road('a pod that is ready again', blind.readyAgain),
  road('prices', blind.prices, { runs: 6 }),
  road('pods of one age', blind.elders, { runs: 6 }),
  road('restarts', blind.restarts, { runs: 16 }),
  road('nothing heard at all', blind.deaf, { isSlow: true, runs: 6 }),
  road('a restart beside an apiserver that is behind', quiet.restartedBehind, {
    hasOldLists: true,
    replicas: 2,
    runs: 6,
  }),
  ...[
    road('expectations that expire', plots.expired, untold),
    road('an expectation that expires by itself', plots.unheard, untold),
    road('pods that it never sees', quiet.unseen, { ...untold, runs: 6 }),
    road('an orphan that it has not heard of', quiet.adoptedUnseen, untold),
    road('an orphan that it has adopted and does not see', quiet.adoptedBlind, untold),
    road('pods whose ages become alike', blind.ageing, untold),
    road('a server that cannot be asked', blind.expiredAndRefused, { ...untold, runs: 6 }),
    road('woken while it is blind', blind.wokenBlind, untold),
    road('nothing heard at all', blind.deaf, { ...untold, isSlow: true, runs: 6 }),
  ].map((known) => ({ ...known, name: `${known.name}, with caches that tell no version` })),
];
