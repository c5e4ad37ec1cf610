/** Level 2 · Taints. */
import { framework } from '#harness';
import { toleratesTaint } from './toleration.ts';

export function findMatchingUntoleratedTaint(
  taints: readonly framework.Taint[] | undefined,
  tolerations: readonly framework.Toleration[] | undefined,
): framework.Taint | undefined {
  return taints?.find(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations?.some((toleration) => toleratesTaint(toleration, taint)),
  );
}

const tainted = framework.unresolvable('node(s) had untolerated taint(s)');

export const taintToleration: framework.FilterPlugin = {
  name: 'TaintToleration',
  filter(_state, pod, { node }) {
    return findMatchingUntoleratedTaint(node.spec.taints, pod.spec.tolerations) ? tainted : framework.success;
  },
  eventsToRegister: () => framework.eventsToRegister.taintToleration(findMatchingUntoleratedTaint),
};
