import type { Node, Pod } from '../../../api/objects.ts';
import type { Scoring } from '../../../contracts/framework/index.ts';
import type { Law } from '../../../testing/holds.ts';
import type { PureLaw } from '../../../testing/obeys.ts';
import { coreLaws } from '../../32-score/laws/index.ts';
import type { ScoreScenario } from '../../32-score/scenario/index.ts';
import type { Attempt } from '../../33-bind/history/index.ts';
import { podName } from '../../33-bind/history/reading.ts';
import type { ClusterHistory } from '../history.ts';
import { decisionsOf, observedProfileOf } from './33-bind.ts';
import type { KataInCluster } from './kata.ts';

/** Returns the cluster in which the scheduler chose one of several nodes, in the kata's form. */
function scenarioOf({ nodeInfos, pod, feasible }: Attempt): ScoreScenario {
  const there = nodeInfos.flatMap((info) => info.pods.map((each) => partsOf(each.pod)));
  return {
    nodes: nodeInfos.map(({ node }) => nodePartsOf(node)),
    there,
    pod: partsOf(pod),
    other: { ...partsOf(pod), name: 'other', uid: 'other' },
    feasible,
  };
}

function nodePartsOf({ metadata, spec, status }: Node): ScoreScenario['nodes'][number] {
  const { taints, unschedulable } = spec;
  const { allocatable = {}, images } = status;
  return {
    name: metadata.name,
    labels: metadata.labels ?? {},
    allocatable,
    ...(taints && { taints }),
    ...(unschedulable !== undefined && { unschedulable }),
    ...(images && { images }),
  };
}

function partsOf({ metadata, spec }: Pod): ScoreScenario['pod'] {
  const { name, namespace = '', uid, labels = {}, deletionTimestamp } = metadata;
  return { name, namespace, uid, labels, spec, deleted: deletionTimestamp !== undefined };
}

/** Judges each choice of the scheduler between several nodes. */
function onChoices(law: PureLaw<Scoring, ScoreScenario>): Law<ClusterHistory> {
  return (history) => {
    const { profile } = observedProfileOf(history);
    if (!profile) return [];
    return decisionsOf(history).flatMap((attempt) => {
      if (attempt.feasible.length < 2) return [];
      const message = law.violation(profile.scoring, scenarioOf(attempt));
      if (message === undefined) return [];
      return [{ atMs: attempt.atMs, message, object: podName(attempt.pod) }];
    });
  };
}

const MADE_UP = 'it judges functions on inputs that only the law makes up';
const LEVELS = 'no pod of a whole cluster has spread constraints or affinity to other pods';

/** The laws of the scores, for the choices of a whole cluster. */
export const score: KataInCluster = {
  kata: '32-score',
  laws: {
    wholeNumbers: onChoices(coreLaws.wholeNumbers),
    byItsFormula: onChoices(coreLaws.byItsFormula),
    addsUp: onChoices(coreLaws.addsUp),
  },
  leftOut: {
    loadCounts: MADE_UP,
    moreWeight: MADE_UP,
    asksEveryPlugin: MADE_UP,
    orderIsIrrelevant: MADE_UP,
    askedTwice: MADE_UP,
    changesNothing: MADE_UP,
    bestWins: 'the law `goesWhereItIsBest` of kata 33 judges a whole cluster',
    countsImages: 'the law `byItsFormula` judges the core levels alone, which every learner has',
    coreWithImages: 'the law `byItsFormula` judges the core levels alone, which every learner has',
    spreads: LEVELS,
    coreWithSpread: LEVELS,
    keepsCompany: LEVELS,
    coreWithCompany: LEVELS,
    coreWithAll: LEVELS,
  },
};
