/** Level 2 · Taints. */
import { framework, type KubeObject, type Node, type Pod } from '#harness';
import { isSame, queueIf } from './queueing-hints.ts';
import { type Taint, type Toleration, toleratesTaint } from './toleration.ts';

export function findMatchingUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
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
  eventsToRegister: () => taintTolerationEvents,
};

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go EventsToRegister */
const taintTolerationEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterTaintsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterTaintsOfNode },
  {
    event: { resource: 'Pod', actionType: 'UpdatePodToleration' },
    queueingHintFn: (pod, _oldObject, newObject) => queueIf(isSame(pod, newObject)),
  },
];

/** A node whose taints let the pod in, and that is new or whose taints did not before. */
function afterTaintsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const kept = (node: KubeObject | undefined): boolean =>
    findMatchingUntoleratedTaint((node as Node).spec.taints, pod.spec.tolerations) !== undefined;
  return queueIf(!kept(newObject) && (!oldObject || kept(oldObject)));
}
