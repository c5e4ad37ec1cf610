/** Level 7 · Affinity to pods. */
import { framework, type Node, type Pod } from '#harness';
import { labelOf } from './label-of.ts';
import { termMatches } from './matching.ts';

const { MAX_NODE_SCORE, podInfoOf, skip, stateKey, success } = framework;

/** How much it counts that a pod is required by one that is there already. */
export const HARD_POD_AFFINITY_WEIGHT = 1;

/** What places have gained and lost: by topology key, then by value. */
type TopologyScore = Map<string, Map<string, number>>;

const topologyScore = stateKey<TopologyScore>('PreScoreInterPodAffinity');

export const interPodAffinity: framework.ScorePlugin = {
  name: 'InterPodAffinity',
  preScore(state, pod, _feasible, snapshot) {
    const { preferredAffinityTerms, preferredAntiAffinityTerms } = podInfoOf(pod);
    const { namespaces } = snapshot;
    const gained: TopologyScore = new Map();
    /** `met`: the pod that the term speaks of, or does not. `node`: where the other pod is. */
    const process = (term: framework.AffinityTerm, met: Pod, node: Node, weight: number): void => {
      const place = labelOf(node.metadata.labels, term.topologyKey);
      if (place === undefined || !termMatches(term, met, namespaces)) return;
      const places = gained.get(term.topologyKey) ?? new Map<string, number>();
      gained.set(term.topologyKey, places.set(place, (places.get(place) ?? 0) + weight));
    };
    // Whoever has no wishes of its own need not look at those who have none, either.
    const hasWishes = preferredAffinityTerms.length + preferredAntiAffinityTerms.length > 0;
    for (const info of hasWishes ? snapshot.nodeInfos : snapshot.havePodsWithAffinity) {
      const { node } = info;
      for (const other of hasWishes ? info.pods : info.podsWithAffinity) {
        for (const term of preferredAffinityTerms) process(term, other.pod, node, term.weight);
        for (const term of preferredAntiAffinityTerms) process(term, other.pod, node, -term.weight);
        for (const term of other.requiredAffinityTerms) process(term, pod, node, HARD_POD_AFFINITY_WEIGHT);
        for (const term of other.preferredAffinityTerms) process(term, pod, node, term.weight);
        for (const term of other.preferredAntiAffinityTerms) process(term, pod, node, -term.weight);
      }
    }
    if (gained.size === 0) return skip;
    state.write(topologyScore, gained);
    return success;
  },
  score(state, _pod, { node }) {
    let sum = 0;
    for (const [key, places] of state.read(topologyScore)) {
      const place = labelOf(node.metadata.labels, key);
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
