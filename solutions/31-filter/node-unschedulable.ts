/** Level 1 · Whether the node takes anybody. */
import { framework, type KubeObject, type Node, type Pod } from '#harness';
import { isSame, queueIf } from './queueing-hints.ts';
import { type Taint, toleratesTaint } from './toleration.ts';

/** What a cordoned node stands for. */
const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const isCordoned = framework.unresolvable('node(s) were unschedulable');

export const nodeUnschedulable: framework.FilterPlugin = {
  name: 'NodeUnschedulable',
  filter(_state, pod, { node }) {
    return node.spec.unschedulable && !toleratesCordon(pod) ? isCordoned : framework.success;
  },
  eventsToRegister: () => nodeUnschedulableEvents,
};

function toleratesCordon({ spec: { tolerations = [] } }: Pod): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, cordoned));
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go EventsToRegister */
const nodeUnschedulableEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterUncordon },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterUncordon },
  { event: { resource: 'Pod', actionType: 'UpdatePodToleration' }, queueingHintFn: afterTolerationOfCordon },
];

/** A node that takes pods, and is new or did not before. */
function afterUncordon(
  _pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const [before, after] = [oldObject, newObject] as readonly (Node | undefined)[];
  return queueIf(!after?.spec.unschedulable && (!before || before.spec.unschedulable === true));
}

/** The pod itself, when it tolerates cordoned nodes now. */
function afterTolerationOfCordon(
  pod: Pod,
  _oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  return queueIf(isSame(pod, newObject) && toleratesCordon(newObject as Pod));
}
