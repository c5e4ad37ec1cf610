import fc from 'fast-check';
import { schedules, seeds } from '../../testing/arbitraries/time.ts';
import type { Road } from '../../testing/holds.ts';
import { inWords } from '../../testing/telling.ts';
import * as blind from './blind-plots.ts';
import * as plots from './plots.ts';
import * as quiet from './quiet-plots.ts';
import { sayScenario } from './say.ts';
import { type ReplicaSetScenario, scenarios } from './scenario.ts';

/** A life of which all that matters is one plot. */
function life(plot: plots.Plot, isSlow = false): fc.Arbitrary<ReplicaSetScenario> {
  return inWords(
    fc.record({
      seed: seeds,
      schedule: schedules,
      replicas: fc.constant(1),
      latencyMs: isSlow ? fc.constant(20) : fc.constantFrom(1, 5, 20),
      before: plots.few.map((replicas) => [
        { do: 'create' as const, set: 'web' as const, replicas, afterMs: 0 },
      ]),
      steps: plot,
    }),
    sayScenario,
  );
}

const road = (name: string, plot: plots.Plot, runs = 4): Road<ReplicaSetScenario> => ({
  name,
  scenarios: life(plot),
  runs,
});

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
  road('pods that are gone at once', quiet.goneAtOnce, 6),
  road('pods that fail', quiet.failing),
  { name: 'pods that are gone early', scenarios: life(quiet.goneEarly, true), runs: 8 },
  road('strays', quiet.strays),
  road('pods that stop slowly', quiet.slowStops),
  road('availability by time alone', quiet.byTimeAlone),
  road('deletes that are refused', quiet.refusedDeletes),
  road('creates that are refused', quiet.refusedCreates),
  road('claims that are refused', quiet.refusedClaims),
  road('many pods', quiet.many, 2),
  road('pods that are wanted again', quiet.wantedAgain, 6),
  road('namesakes', quiet.namesakes, 10),
  road('strangers', quiet.strangers),
  road('pods that it never sees', quiet.unseen, 6),
  road('an orphan that it has not heard of', quiet.adoptedUnseen),
  road('pods whose ages become alike', blind.ageing, 5),
  road('deletes that are never answered', blind.ageingUnheard, 8),
  road('a server that cannot be asked', blind.expiredAndRefused),
  road('woken while it is blind', blind.wokenBlind),
  road('a change that overtakes a status', blind.overtaken),
  road('crowded nodes', blind.crowds),
  road('prices', blind.prices, 6),
  road('pods of one age', blind.elders, 6),
  road('restarts', blind.restarts, 8),
];
