/** Level 3 · Preferred node affinity. */
import { filters } from '#given/32-score';
import { framework, type Node } from '#harness';

const { MAX_NODE_SCORE, skip, stateKey, success } = framework;

export function defaultNormalizeScore(
  maxPriority: number,
  reverse: boolean,
  scores: readonly framework.NodeScore[],
): framework.NodeScore[] {
  let highest = 0;
  for (const { score } of scores) highest = Math.max(highest, score);
  return scores.map(({ name, score }) => {
    const part = highest === 0 ? 0 : Math.trunc((maxPriority * score) / highest);
    return { name, score: reverse ? maxPriority - part : part };
  });
}

/** A parsed preferred term. */
interface PreferredTerm {
  readonly weight: number;
  readonly matches: (node: Node) => boolean;
}

const preferredTerms = stateKey<readonly PreferredTerm[]>('PreScoreNodeAffinity');

export const nodeAffinity: framework.ScorePlugin = {
  name: 'NodeAffinity',
  preScore(state, { spec }) {
    const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.length === 0) return skip;
    state.write(
      preferredTerms,
      terms.map(({ weight, preference }) => ({
        weight,
        matches: filters.nodeSelectorTermMatcher(preference),
      })),
    );
    return success;
  },
  score(state, _pod, { node }) {
    let sum = 0;
    for (const { weight, matches } of state.read(preferredTerms)) if (matches(node)) sum += weight;
    return sum;
  },
  normalizeScore: (_state, _pod, scores) => defaultNormalizeScore(MAX_NODE_SCORE, false, scores),
};
