import type * as core from '#api/core/v1';
import { deepEqual } from '../../api/freeze.ts';
import type { Labels } from '../../api/label-selector.ts';
import type { KubeObject, Node, Pod } from '../../api/objects.ts';
import type { ActionType, ClusterEventWithHint, EventResource } from './cluster-event.ts';
import { labelOf } from './label-of.ts';
import { NodeInfo } from './node-info.ts';
import { type AffinityTerm, type HostPort, podInfoOf } from './pod-info.ts';
import type { Resources } from './resources.ts';
import { hardConstraints, type SpreadConstraint } from './spread-constraint.ts';

/**
 * Returns whether an event could help the pod. `before` is absent if the object is new, `after` if it was deleted.
 *
 * This file lists the events that wake a pod that a filter rejected: for each upstream plugin, the events that could
 * change its decision. Most events have a hint that inspects them. A plugin passes in its own checks, which the hints
 * call.
 */
type CouldHelp = (pod: Pod, before: KubeObject | undefined, after: KubeObject | undefined) => boolean;

/**
 * Wakes the pod for a new node, which may have the name. Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/scheduler/framework/plugins/nodename/node_name.go EventsToRegister
 */
export function nodeName(): readonly ClusterEventWithHint[] {
  return [on('Node', 'Add')];
}

/**
 * Wakes the pod for a schedulable node that is new or was unschedulable before, and for the pod itself if it now
 * tolerates unschedulable nodes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go
 * EventsToRegister
 */
export function nodeUnschedulable(
  toleratesTaint: (toleration: core.Toleration, taint: core.Taint) => boolean,
): readonly ClusterEventWithHint[] {
  const cordoned: core.Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const takesPods: CouldHelp = (_pod, before, after) =>
    !(after as Node).spec.unschedulable && (!before || (before as Node).spec.unschedulable === true);
  const tolerates: CouldHelp = (pod, _before, after) =>
    isItself(pod, after) &&
    (after.spec.tolerations ?? []).some((toleration) => toleratesTaint(toleration, cordoned));
  return [
    on('Node', 'Add', takesPods),
    on('Node', 'UpdateNodeTaint', takesPods),
    on('Pod', 'UpdatePodToleration', tolerates),
  ];
}

/**
 * Wakes the pod for a node whose taints it tolerates, if the node is new or had taints before that the pod does not
 * tolerate. Also for the pod itself, if its tolerations change.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go
 * EventsToRegister
 */
export function taintToleration(
  findMatchingUntoleratedTaint: (
    taints: readonly core.Taint[] | undefined,
    tolerations: readonly core.Toleration[] | undefined,
  ) => core.Taint | undefined,
): readonly ClusterEventWithHint[] {
  const isKeptAway = (pod: Pod, node: KubeObject): boolean =>
    findMatchingUntoleratedTaint((node as Node).spec.taints, pod.spec.tolerations) !== undefined;
  const letsIn: CouldHelp = (pod, before, after) =>
    !isKeptAway(pod, after as Node) && (!before || isKeptAway(pod, before));
  return [
    on('Node', 'Add', letsIn),
    on('Node', 'UpdateNodeTaint', letsIn),
    on('Pod', 'UpdatePodToleration', happensToItself),
  ];
}

/**
 * Wakes the pod for a node that matches its node affinity, if the node is new or did not match before.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go
 * EventsToRegister
 */
export function nodeAffinity(
  requiredNodeAffinityMatches: (pod: Pod, node: Node) => boolean,
): readonly ClusterEventWithHint[] {
  const isAskedFor: CouldHelp = (pod, before, after) =>
    requiredNodeAffinityMatches(pod, after as Node) &&
    !(before && requiredNodeAffinityMatches(pod, before as Node));
  return [on('Node', 'Add', isAskedFor), on('Node', 'UpdateNodeLabel', isAskedFor)];
}

/**
 * Wakes the pod for a deleted pod that used one of its host ports, and for a new node.
 *
 * Differs: upstream also registers for unscheduled pods with a `nominatedNodeName`. Only preemption nominates nodes,
 * and it does not exist here.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeports/node_ports.go EventsToRegister
 */
export function nodePorts(
  portsConflict: (a: HostPort, b: HostPort) => boolean,
): readonly ClusterEventWithHint[] {
  const freesPort: CouldHelp = (pod, before) => {
    const freed = podInfoOf(before as Pod).hostPorts;
    return podInfoOf(pod).hostPorts.some((port) => freed.some((other) => portsConflict(port, other)));
  };
  return [on('AssignedPod', 'Delete', freesPort), on('Node', 'Add')];
}

/**
 * Wakes the pod for a deleted pod, and for a pod that reduces its request for a resource that this pod needs. Also for
 * a node that could run the pod if it were empty, if the node is new or gained a needed resource; and for the pod
 * itself if it reduces its requests.
 *
 * Differs: as for ports, unscheduled pods count only if the pod itself changes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go EventsToRegister
 */
export function nodeResourcesFit(
  podRequests: (pod: Pod) => Resources,
  insufficientResources: (requests: Resources, nodeInfo: NodeInfo) => readonly unknown[],
): readonly ClusterEventWithHint[] {
  const asksForLess: CouldHelp = (pod, before, after) =>
    isItself(pod, after) ||
    (!!(after as Pod).spec.nodeName &&
      hasMoreOf(podRequests(pod), podRequests(after as Pod), podRequests(before as Pod)));
  const hasRoom: CouldHelp = (pod, before, after) => {
    const requests = podRequests(pod);
    const node = NodeInfo.of(after as Node);
    if (insufficientResources(requests, node).length > 0) return false;
    if (!before) return true;
    const { allocatable } = NodeInfo.of(before as Node);
    const takesMorePods = node.allocatable.allowedPodNumber > allocatable.allowedPodNumber;
    return takesMorePods || hasMoreOf(requests, allocatable, node.allocatable);
  };
  return [
    on('AssignedPod', 'Delete'),
    on('AssignedPod', 'UpdatePodScaleDown', asksForLess),
    on('Pod', 'UpdatePodScaleDown', asksForLess),
    on('Node', 'Add', hasRoom),
    on('Node', 'UpdateNodeAllocatable', hasRoom),
  ];
}

/**
 * Wakes the pod in these cases:
 *
 * - A pod of its namespace starts or stops matching a constraint.
 * - A node joins or leaves a domain, or starts or stops counting for a constraint.
 * - The pod's own labels change so that its constraints match other pods.
 * - The pod's own tolerations change, and a constraint honors taints.
 *
 * Differs: upstream misses two events: a node that starts to match the pod's node selector, and a change of a pod label
 * that `matchLabelKeys` names. It also wakes pods for taints that do not affect them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/plugin.go EventsToRegister
 */
export function podTopologySpread(
  matchesNodeInclusionPolicies: (constraint: SpreadConstraint, pod: Pod, node: Node) => boolean,
): readonly ClusterEventWithHint[] {
  const isCountedOtherwise: CouldHelp = (pod, before, after) =>
    (after ?? before)?.metadata.namespace === pod.metadata.namespace &&
    hardConstraints(pod).some(({ selector }) => {
      const isCounted = (other: KubeObject | undefined): boolean =>
        other !== undefined && selector.matches(other.metadata.labels);
      return isCounted(before) !== isCounted(after);
    });
  const selects = (pod: Pod): readonly string[] =>
    hardConstraints(pod).map(({ selector }) => `${selector} ${selector.matches(pod.metadata.labels)}`);
  const countsOthers: CouldHelp = (pod, before, after) =>
    isItself(pod, after) && !deepEqual(selects(before as Pod), selects(after));
  const toleratesMore: CouldHelp = (pod, _before, after) =>
    isItself(pod, after) && hardConstraints(pod).some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === 'Honor');
  const isOtherDomain: CouldHelp = (pod, before, after) => {
    const constraints = hardConstraints(pod);
    const domainsOf = (node: Node | undefined): readonly string[] | undefined => {
      if (!node || constraints.some(({ topologyKey }) => labelOf(node, topologyKey) === undefined)) return;
      return constraints.map(
        (each) => `${labelOf(node, each.topologyKey)} ${matchesNodeInclusionPolicies(each, pod, node)}`,
      );
    };
    return !deepEqual(domainsOf(before as Node | undefined), domainsOf(after as Node | undefined));
  };
  return [
    ...(['Add', 'UpdatePodLabel', 'Delete'] as const).map((type) =>
      on('AssignedPod', type, isCountedOtherwise),
    ),
    on('Pod', 'UpdatePodLabel', countsOthers),
    on('Pod', 'UpdatePodToleration', toleratesMore),
    ...(['Add', 'Delete', 'UpdateNodeLabel', 'UpdateNodeTaint'] as const).map((type) =>
      on('Node', type, isOtherDomain),
    ),
  ];
}

/**
 * Wakes the pod in these cases:
 *
 * - A pod starts to match all affinity terms, or was the last match.
 * - A pod that kept this pod away no longer does.
 * - A new node has the topology label of an affinity term. Without affinity terms every new node counts.
 * - The labels of a node change. They may move pods that keep this pod away to another domain, and a hint does not know
 *   those pods.
 * - The pod's own labels change.
 *
 * Differs: for a pod with several anti-affinity terms, upstream considers only pods that *all* of them match
 * (kubernetes/kubernetes pull request 139161). It does not check whether the last pod of a group was deleted (#141354).
 * Its hints treat every namespace as one without labels. So `namespaceSelector: {matchLabels: {team: shop}}` never
 * matches there (#141953). A pod that waits for such an event waits for five minutes there.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/plugin.go EventsToRegister
 */
export function interPodAffinity(
  termMatches: (term: AffinityTerm, pod: Pod, namespaces: ReadonlyMap<string, Labels>) => boolean,
): readonly ClusterEventWithHint[] {
  // A hint does not know the labels of namespaces, so a term with a namespace selector could match any namespace.
  const couldMatch = (term: AffinityTerm, other: Pod): boolean =>
    term.namespaceSelector.selectable
      ? term.selector.matches(other.metadata.labels)
      : termMatches(term, other, new Map());
  const afterPod: CouldHelp = (pod, old, now) => {
    const [before, after] = [old, now] as readonly (Pod | undefined)[];
    const { requiredAffinityTerms, requiredAntiAffinityTerms } = podInfoOf(pod);
    const isSought = (other: Pod | undefined): boolean =>
      other !== undefined &&
      requiredAffinityTerms.length > 0 &&
      requiredAffinityTerms.every((term) => couldMatch(term, other));
    if (!isSought(before) && isSought(after)) return true;
    // If the last pod of a group was deleted, this pod may start the group again.
    if (isSought(before) && !isSought(after) && isSought(pod)) return true;
    if (!before) return false;
    const avoidedIt = after ? [] : podInfoOf(before).requiredAntiAffinityTerms;
    return (
      avoidedIt.some((term) => couldMatch(term, pod)) ||
      requiredAntiAffinityTerms.some(
        (term) => couldMatch(term, before) && !(after && couldMatch(term, after)),
      )
    );
  };
  const isPlace: CouldHelp = (pod, before, after) => {
    const terms = podInfoOf(pod).requiredAffinityTerms;
    if (terms.length === 0 || before !== undefined) return true;
    return terms.some(({ topologyKey }) => labelOf(after as Node, topologyKey) !== undefined);
  };
  return [
    ...(['Add', 'UpdatePodLabel', 'Delete'] as const).map((type) => on('AssignedPod', type, afterPod)),
    on('Pod', 'UpdatePodLabel', happensToItself),
    on('Node', 'Add', isPlace),
    on('Node', 'UpdateNodeLabel', isPlace),
  ];
}

function on(resource: EventResource, actionType: ActionType, couldHelp?: CouldHelp): ClusterEventWithHint {
  const event = { resource, actionType };
  if (!couldHelp) return { event };
  return {
    event,
    queueingHintFn: (pod, before, after) => (couldHelp(pod, before, after) ? 'Queue' : 'QueueSkip'),
  };
}

/** Returns whether the object is the pod itself. */
function isItself(pod: Pod, other: KubeObject | undefined): other is Pod {
  return pod.metadata.uid === other?.metadata.uid;
}

/** Whether the event is about the pod itself. */
const happensToItself: CouldHelp = (pod, _before, after) => isItself(pod, after);

/** Returns whether `b` has more than `a` of any requested resource. */
function hasMoreOf(asked: Resources, a: Resources, b: Resources): boolean {
  return (
    (asked.milliCPU > 0 && b.milliCPU > a.milliCPU) ||
    (asked.memory > 0 && b.memory > a.memory) ||
    (asked.ephemeralStorage > 0 && b.ephemeralStorage > a.ephemeralStorage) ||
    [...asked.scalar].some(([name, n]) => n > 0 && (b.scalar.get(name) ?? 0) > (a.scalar.get(name) ?? 0))
  );
}
