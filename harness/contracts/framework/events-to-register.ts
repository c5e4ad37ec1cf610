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
 * Could it help the pod? `before` is absent if the object is new, `after` if it is gone.
 *
 * This file says what wakes a pod that a filter turned away: for each plugin of upstream the events after which it could change its
 * mind, each with a hint that looks closer. A plugin hands over the decisions of its own that the hints ask.
 */
type CouldHelp = (pod: Pod, before: KubeObject | undefined, after: KubeObject | undefined) => boolean;

/** A new node may have the name. Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodename/node_name.go EventsToRegister */
export function nodeName(): readonly ClusterEventWithHint[] {
  return [on('Node', 'Add')];
}

/**
 * A node that takes pods, and is new or did not before; the pod itself, if it tolerates cordoned nodes now.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go EventsToRegister
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
 * A node whose taints let the pod in, and that is new or did not before; the pod itself, if it tolerates more.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go EventsToRegister
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
 * A node that the pod asks for, and that is new or that it did not ask for before.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go EventsToRegister
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
 * A pod that had a port that the pod wants, and is gone; a new node.
 *
 * Differs: upstream also hears of pods without a node, for those that were promised one (`nominatedNodeName`). Here no pod is:
 * that is preemption.
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
 * A pod that is gone, or asks for less of what the pod asks for; a node on which the pod would fit if it were empty, and that is
 * new or has more of what the pod asks for; the pod itself, if it asks for less.
 *
 * Differs: as for ports, of pods without a node it hears only if they change themselves.
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
 * A pod of the same namespace that is counted now and was not before, or the other way round; a node that is in other domains than
 * before, or counts for other constraints; the pod itself, if other pods are counted for it now, or it tolerates more and that
 * matters to a constraint.
 *
 * Differs: upstream does not see that a node begins to count because the pod's node selector matches it now, nor that
 * other pods are counted because a label of the pod changed that `matchLabelKeys` names; and it wakes pods for taints that
 * do not matter to them.
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
 * A pod that matches all affinity terms now, or was the last that did; or that kept the pod away and does no longer. A node that
 * comes into a place of any affinity term; without such a term the pod could be anywhere that others kept it out of. A node whose
 * labels change may take the pods that keep this one out elsewhere: which ones, a hint does not know.
 *
 * Differs: if a pod has several anti-affinity terms, upstream asks only after pods that *all* of them match
 * (kubernetes/kubernetes pull request 139161), and not whether the last of its group has gone (#141354). A pod that waits for such
 * an event waits for five minutes there.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/plugin.go EventsToRegister
 */
export function interPodAffinity(
  termMatches: (term: AffinityTerm, pod: Pod, namespaces: ReadonlyMap<string, Labels>) => boolean,
): readonly ClusterEventWithHint[] {
  // A hint does not know the labels of namespaces: a term that goes by them could match any.
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
    // If the last of a group has gone, the pod may be the first again.
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

/** Is it the pod itself? */
function isItself(pod: Pod, other: KubeObject | undefined): other is Pod {
  return pod.metadata.uid === other?.metadata.uid;
}

/** Did it happen to the pod itself? */
const happensToItself: CouldHelp = (pod, _before, after) => isItself(pod, after);

/** Has `b` more than `a` of anything that is asked for? */
function hasMoreOf(asked: Resources, a: Resources, b: Resources): boolean {
  return (
    (asked.milliCPU > 0 && b.milliCPU > a.milliCPU) ||
    (asked.memory > 0 && b.memory > a.memory) ||
    (asked.ephemeralStorage > 0 && b.ephemeralStorage > a.ephemeralStorage) ||
    [...asked.scalar].some(([name, n]) => n > 0 && (b.scalar.get(name) ?? 0) > (a.scalar.get(name) ?? 0))
  );
}
