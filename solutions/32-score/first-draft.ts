/** The functions of the short way, as a first draft: a pod does not change, so its sums are computed once for the pod. */
import { filters } from '#given/32-score';
import { framework, type Pod } from '#harness';
import { defaultNormalizeScore } from './node-affinity.ts';

/** The sum of the weights on each node, by its name. */
const sumsOf = new WeakMap<Pod, ReadonlyMap<string, number>>();

export const nodeAffinity: framework.ScorePlugin = {
  name: 'NodeAffinity',
  preScore(_state, pod, feasible) {
    const terms = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.length === 0) return framework.skip;
    if (sumsOf.has(pod)) return framework.success;
    const sums = new Map<string, number>();
    for (const { weight, preference } of terms) {
      const matches = filters.nodeSelectorTermMatcher(preference);
      for (const { name, node } of feasible)
        sums.set(name, (sums.get(name) ?? 0) + (matches(node) ? weight : 0));
    }
    sumsOf.set(pod, sums);
    return framework.success;
  },
  score: (_state, pod, { name }) => sumsOf.get(pod)?.get(name) ?? 0,
  normalizeScore: (_state, _pod, scores) => defaultNormalizeScore(framework.MAX_NODE_SCORE, false, scores),
};
