import type { Filtering } from '../../../contracts/framework/index.ts';
import type { Law } from '../../../testing/holds.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { coreLaws } from '../../31-filter/laws/index.ts';
import type { Attempt } from '../../33-bind/history/index.ts';
import { podName } from '../../33-bind/history/reading.ts';
import { SchedulingCluster } from '../../scheduling/simulation.ts';
import type { ClusterHistory } from '../history.ts';
import { decisionsOf, observedProfileOf } from './33-bind.ts';
import type { KataInCluster } from './kata.ts';

/** Returns the cluster in which the scheduler made a decision. */
function clusterOf({ nodeInfos, pod }: Attempt): SchedulingCluster {
  const nodes = nodeInfos.map(({ node }) => node);
  const pods = nodeInfos.flatMap((info) => info.pods.map((each) => each.pod));
  return new SchedulingCluster({ nodes, pods, namespaces: {} }, pod);
}

/** Returns the filters, whose search answers as it answered then. */
function asAnswered(filtering: Filtering, attempt: Attempt): Filtering {
  const { nodeInfos, feasible, diagnosis, nextStartIndex } = attempt;
  const nodes = feasible.flatMap((name) => nodeInfos.filter((info) => info.name === name));
  return { ...filtering, findNodesThatFit: () => ({ feasible: nodes, diagnosis, nextStartIndex }) };
}

/** Judges each decision of the scheduler about a pod without claims. */
function onDecisions<T>(
  law: PureLaw<Filtering, T>,
  inputOf: (cluster: SchedulingCluster, attempt: Attempt) => T,
): Law<ClusterHistory> {
  return (history) => {
    const { profile } = observedProfileOf(history);
    if (!profile) return [];
    return decisionsOf(history).flatMap((attempt) => {
      const message = law.violation(
        asAnswered(profile.filtering, attempt),
        inputOf(clusterOf(attempt), attempt),
      );
      if (message === undefined) return [];
      return [{ atMs: attempt.atMs, message, object: podName(attempt.pod) }];
    });
  };
}

const alone = (cluster: SchedulingCluster): SchedulingCluster => cluster;
const inTurn = (cluster: SchedulingCluster, { startIndex }: Attempt) => ({ cluster, startIndex });

const MADE_UP = 'it judges functions on inputs that only the law makes up';
const LEVELS = 'no pod of a whole cluster has spread constraints or affinity to other pods';

/** The laws of the filters, for the decisions of a whole cluster. */
export const filter: KataInCluster = {
  kata: '31-filter',
  laws: {
    agrees: onDecisions(coreLaws.agrees, alone),
    agreesInTheSum: onDecisions(coreLaws.agreesInTheSum, inTurn),
    namesItsReason: onDecisions(coreLaws.namesItsReason, alone),
    staysUnresolvable: onDecisions(coreLaws.staysUnresolvable, alone),
    diagnosisIsWhole: onDecisions(coreLaws.diagnosisIsWhole, inTurn),
  },
  leftOut: {
    wishesDecideNothing: 'no pod of a whole cluster has preferences',
    neverOvercommits: 'the law of this name in kata 33 judges a whole cluster',
    growingTakesNothingAway: MADE_UP,
    moreRoomStillFits: MADE_UP,
    orderDoesNotMatter: MADE_UP,
    asksEveryPlugin: MADE_UP,
    stopsAtEnough: MADE_UP,
    looksOnly: MADE_UP,
    wakesThePodsItHelps: MADE_UP,
    keepsCyclesApart: MADE_UP,
    spreads: LEVELS,
    saysWhyNotSpread: LEVELS,
    coreWithSpread: LEVELS,
    keepsCompany: LEVELS,
    saysWhyNotTogether: LEVELS,
    keepsPodsApart: LEVELS,
    coreWithCompany: LEVELS,
    coreWithBoth: LEVELS,
  },
};
