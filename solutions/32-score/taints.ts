/** Level 4 · Taints that would rather not. */
import { framework, type Node, type Pod } from '#harness';
import { toleratesTaint } from './matching.ts';
import { defaultNormalizeScore } from './node-affinity.ts';

const { MAX_NODE_SCORE } = framework;

/** A taint of a node. */
export type Taint = NonNullable<Node['spec']['taints']>[number];

/** A toleration of a pod. */
export type Toleration = NonNullable<Pod['spec']['tolerations']>[number];

export function countIntolerableTaintsPreferNoSchedule(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): number {
  let count = 0;
  for (const taint of taints ?? []) {
    if (taint.effect !== 'PreferNoSchedule') continue;
    if (!tolerations?.some((toleration) => toleratesTaint(toleration, taint))) count++;
  }
  return count;
}

export const taintToleration: framework.ScorePlugin = {
  name: 'TaintToleration',
  score: (_state, pod, { node }) =>
    countIntolerableTaintsPreferNoSchedule(node.spec.taints, pod.spec.tolerations),
  normalizeScore: (_state, _pod, scores) => defaultNormalizeScore(MAX_NODE_SCORE, true, scores),
};
