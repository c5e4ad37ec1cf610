/** Level 8 ★ · Affinity to pods. */
import { filters } from '#given/32-score';
import { framework, type Pod } from '#harness';

const { labelOf, MAX_NODE_SCORE, podInfoOf, skip, stateKey, success } = framework;

/** The weight of a required affinity term of an existing pod. */
export const HARD_POD_AFFINITY_WEIGHT = 1;

/** The sum of weights in each topology domain. */
const topologyScore = stateKey<framework.TopologyCounts>('PreScoreInterPodAffinity');

export const interPodAffinity: framework.ScorePlugin = {
  name: 'InterPodAffinity',
  preScore(state, pod, _feasible, snapshot) {
    const { preferredAffinityTerms, preferredAntiAffinityTerms } = podInfoOf(pod);
    // A pod without preferences needs to check only the pods that have some.
    const hasWishes = preferredAffinityTerms.length + preferredAntiAffinityTerms.length > 0;
    /** `met`: the pod to which the term may apply. */
    const shares = (term: framework.AffinityTerm, met: Pod, weight: number): framework.Share[] =>
      filters.termMatches(term, met, snapshot.namespaces) ? [[term.topologyKey, weight]] : [];
    const { metadata, spec } = pod;
    const what = `wishes of and for ${JSON.stringify([metadata.namespace, metadata.labels, spec.affinity])}`;
    const sharesOf = ({ pods, podsWithAffinity }: framework.NodeInfo): framework.Share[] =>
      (hasWishes ? pods : podsWithAffinity).flatMap((other) => [
        ...preferredAffinityTerms.flatMap((term) => shares(term, other.pod, term.weight)),
        ...preferredAntiAffinityTerms.flatMap((term) => shares(term, other.pod, -term.weight)),
        ...other.requiredAffinityTerms.flatMap((term) => shares(term, pod, HARD_POD_AFFINITY_WEIGHT)),
        ...other.preferredAffinityTerms.flatMap((term) => shares(term, pod, term.weight)),
        ...other.preferredAntiAffinityTerms.flatMap((term) => shares(term, pod, -term.weight)),
      ]);
    const gained = snapshot.countByTopology(what, sharesOf);
    // Weights that cancel to 0 still count, so they do not cause a Skip.
    const isSilent = (): boolean =>
      snapshot.countByTopology(`${what}, each once`, (info) => sharesOf(info).map(([key]) => [key, 1]))
        .size === 0;
    if (gained.size === 0 && isSilent()) return skip;
    state.write(topologyScore, gained);
    return success;
  },
  score(state, _pod, { node }) {
    let sum = 0;
    for (const [key, places] of state.read(topologyScore)) {
      const place = labelOf(node, key);
      if (place !== undefined) sum += places.get(place) ?? 0;
    }
    return sum;
  },
  normalizeScore(_state, _pod, scores) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (const { score } of scores) {
      least = Math.min(least, score);
      most = Math.max(most, score);
    }
    const range = most - least;
    return scores.map(({ name, score }) => ({
      name,
      score: range > 0 ? Math.trunc(MAX_NODE_SCORE * ((score - least) / range)) : 0,
    }));
  },
};
