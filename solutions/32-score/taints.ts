/** Level 4 · Taints that would rather not. */
import { filters } from '#given/32-score';
import { framework } from '#harness';
import { defaultNormalizeScore } from './node-affinity.ts';

const { MAX_NODE_SCORE } = framework;

export function countIntolerableTaintsPreferNoSchedule(
  taints: readonly framework.Taint[] | undefined,
  tolerations: readonly framework.Toleration[] | undefined,
): number {
  let count = 0;
  for (const taint of taints ?? []) {
    if (taint.effect !== 'PreferNoSchedule') continue;
    if (!tolerations?.some((toleration) => filters.toleratesTaint(toleration, taint))) count++;
  }
  return count;
}

export const taintToleration: framework.ScorePlugin = {
  name: 'TaintToleration',
  score: (_state, pod, { node }) =>
    countIntolerableTaintsPreferNoSchedule(node.spec.taints, pod.spec.tolerations),
  normalizeScore: (_state, _pod, scores) => defaultNormalizeScore(MAX_NODE_SCORE, true, scores),
};
