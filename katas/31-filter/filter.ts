/**
 * Kata 31 · Where can a pod run? Read README.md beside this file, then begin at the top: Level 1 is two plugins that look
 * at one field each.
 *
 * Each level is a plugin of the scheduler: one or more decisions on plain objects, and the plugin that asks them for a pod
 * and a node. Level 8 asks all plugins about all nodes, and says in one sentence why none will do. What could make a plugin
 * change its mind stands at the end of the file, written already: kata 33 is about that.
 *
 * A plugin's `filter` is called for every node of the cluster, five thousand times for one pod. What depends on the pod
 * alone, or on all nodes together, is worked out once, in `preFilter`, and handed over in `state`
 * (`framework.stateKey`); `Skip` saves even that. Where a `preFilter` may give `Skip`, `Success` is right as well, if
 * `filter` then lets the pod pass everywhere. Tests ask what a plugin says and not how often it counts: only a cluster of
 * five thousand nodes would tell you. `filter` is called only after the `preFilter` of the same plugin, with the same
 * `state`, gave `Success`.
 *
 * This is the only file that you edit. Signatures are what the tests use; inside, do as you like. Objects that come from
 * a client or a cache are shared and frozen: copy before you change.
 */
import { deepEqual, framework, type KubeObject, type labels, type Node, type Pod, todo } from '#harness';

const KATA = '31-filter';

/** One of a pod's `spec.tolerations`. */
export type Toleration = NonNullable<Pod['spec']['tolerations']>[number];
/** One of a node's `spec.taints`. */
export type Taint = NonNullable<Node['spec']['taints']>[number];

// Level 1 · Name, and whether the node takes anybody

/**
 * A pod that names a node (`spec.nodeName`) can run there and nowhere else. No name, or an empty one, is any node.
 *
 * `filter` gives
 * - `Success` without a name, and on the node of that name
 * - `UnschedulableAndUnresolvable` with `node(s) didn't match the requested node name` on every other
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodename/node_name.go NodeName.Filter
 */
export const nodeName: framework.FilterPlugin = {
  name: 'NodeName',
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'nodeName.filter', 'Level 1');
  },
  eventsToRegister: () => nodeNameEvents,
};

/**
 * Does the toleration let the taint pass?
 *
 * All three must hold:
 * - its `effect` is that of the taint, or it has none (absent or empty): then it is for every effect
 * - its `key` is that of the taint, or it has none (absent or empty): then it is for every key
 * - its `operator` is `Exists`; or it is `Equal`, absent or empty, and its `value` is that of the taint, where an absent
 *   value is an empty one. Any other operator lets nothing pass
 *
 * @see Upstream: kubernetes/api@v0.36.3 core/v1/toleration.go Toleration.ToleratesTaint
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  return todo(KATA, 'toleratesTaint', 'Level 1');
}

/**
 * A node that is cordoned (`kubectl cordon` sets `spec.unschedulable`) takes no new pods, but for those that tolerate the
 * taint that it stands for: key `node.kubernetes.io/unschedulable`, no value, effect `NoSchedule`. What counts is the field:
 * whether the node has that taint as well, another plugin asks.
 *
 * `filter` gives
 * - `Success` on a node that is not cordoned, and for a pod of which any toleration tolerates that taint
 * - `UnschedulableAndUnresolvable` with `node(s) were unschedulable` otherwise
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeunschedulable/node_unschedulable.go
 * NodeUnschedulable.Filter
 */
export const nodeUnschedulable: framework.FilterPlugin = {
  name: 'NodeUnschedulable',
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'nodeUnschedulable.filter', 'Level 1');
  },
  eventsToRegister: () => nodeUnschedulableEvents,
};

// Level 2 · Taints

/**
 * @param taints absent is none
 * @param tolerations absent is none
 * @returns the first taint, in their order, that keeps the pod away: its effect is `NoSchedule` or `NoExecute`, and no
 * toleration tolerates it; `undefined` when there is none. A taint of another effect (`PreferNoSchedule`) keeps nobody away
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/helpers.go FindMatchingUntoleratedTaint;
 * kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/helper/taint.go DoNotScheduleTaintsFilterFunc
 */
export function findMatchingUntoleratedTaint(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined {
  return todo(KATA, 'findMatchingUntoleratedTaint', 'Level 2');
}

/**
 * Nodes say what they will not have: their taints.
 *
 * `filter` gives
 * - `Success` when no taint keeps the pod away ({@link findMatchingUntoleratedTaint})
 * - `UnschedulableAndUnresolvable` with `node(s) had untolerated taint(s)` otherwise, whichever the taint
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go
 * TaintToleration.Filter
 */
export const taintToleration: framework.FilterPlugin = {
  name: 'TaintToleration',
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'taintToleration.filter', 'Level 2');
  },
  eventsToRegister: () => taintTolerationEvents,
};

// Level 3 · Node selector and node affinity

/** One of the terms of a pod's required node affinity. */
export type NodeSelectorTerm = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];

/**
 * Is this a node of which the term speaks?
 *
 * - *All* of its `matchExpressions` must match the node's labels, and all of its `matchFields` its fields.
 * - A term that has neither (absent or empty) matches no node.
 * - `matchExpressions`: operators `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`, as label selectors have them
 *   (`labels.newRequirement` says what each does; it calls them `in`, `notin`, `exists`, `!`, `gt`, `lt`). `NotIn` and
 *   `DoesNotExist` match a node without the label.
 * - `matchFields`: operators `In` and `NotIn`, with exactly one value. The field `metadata.name` is the node's name; every
 *   other field is empty.
 * - A term of which *any* part cannot be understood (an invalid key or value, an unknown operator, a wrong number of values;
 *   `labels.newRequirement` throws `labels.SelectorError`) matches no node, not even with `NotIn`. It does not throw.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go nodeSelectorTerm.match,
 * newNodeSelectorTerm, isEmptyNodeSelectorTerm
 */
export function matchesNodeSelectorTerm(term: NodeSelectorTerm, node: Node): boolean {
  return todo(KATA, 'matchesNodeSelectorTerm', 'Level 3');
}

/**
 * Is the node one that the pod asks for?
 *
 * Both must hold:
 * - `spec.nodeSelector`, if there is one: the node has every label in it, with that value
 * - the required part of `spec.affinity.nodeAffinity`, if there is one: *any* of its terms matches
 *   ({@link matchesNodeSelectorTerm}). One without terms matches no node
 *
 * The preferred part does not count here.
 *
 * @returns true when the pod asks for nothing
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatches(pod: Pod, node: Node): boolean {
  return todo(KATA, 'requiredNodeAffinityMatches', 'Level 3');
}

/**
 * Pods say where they want to be.
 *
 * `preFilter` gives
 * - `Skip` when the pod has neither a `nodeSelector` nor a required node affinity (an empty `nodeSelector` may be taken for
 *   none, or not)
 * - `UnschedulableAndUnresolvable` with `pod affinity terms conflict` when the names that the terms ask for exclude each
 *   other: there are terms, *every* one of them has a `matchFields` requirement `metadata.name` `In`, and in each of them
 *   no name is in the values of all of those
 * - `Success` otherwise
 *
 * `filter` gives
 * - `Success` on a node that the pod asks for ({@link requiredNodeAffinityMatches})
 * - `UnschedulableAndUnresolvable` with `node(s) didn't match Pod's node affinity/selector` on every other
 *
 * It understands selectors once for a pod, not once for a node.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go
 * NodeAffinity.PreFilter, NodeAffinity.Filter
 */
export const nodeAffinity: framework.FilterPlugin = {
  name: 'NodeAffinity',
  preFilter(state, pod) {
    return todo(KATA, 'nodeAffinity.preFilter', 'Level 3');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'nodeAffinity.filter', 'Level 3');
  },
  eventsToRegister: () => nodeAffinityEvents,
};

// Level 4 · Ports of the node

/**
 * Do they want the same port? The same `protocol` and `hostPort`, and an address that overlaps: `0.0.0.0` is every address,
 * others overlap when they are the same text. (`::` is not every address: upstream takes it for an address like any other.)
 *
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go HostPortInfo.CheckConflict
 */
export function portsConflict(a: framework.HostPort, b: framework.HostPort): boolean {
  return todo(KATA, 'portsConflict', 'Level 4');
}

/**
 * A port of the node is had by one pod.
 *
 * `preFilter` gives `Skip` when the pod wants no port of the node (`framework.podInfoOf(pod).hostPorts`), else `Success`.
 *
 * `filter` gives
 * - `Success` when none of them conflicts with one that the node's pods have (`nodeInfo.usedPorts`)
 * - `Unschedulable` with `node(s) didn't have free ports for the requested pod ports` otherwise
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeports/node_ports.go NodePorts.PreFilter,
 * NodePorts.Filter
 */
export const nodePorts: framework.FilterPlugin = {
  name: 'NodePorts',
  preFilter(state, pod) {
    return todo(KATA, 'nodePorts.preFilter', 'Level 4');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'nodePorts.filter', 'Level 4');
  },
  eventsToRegister: () => nodePortsEvents,
};

// Level 5 · Resources

/**
 * What a pod needs of a node. It must be enough for every moment of its life, so of each resource by itself it is the most
 * of these, and then the overhead:
 *
 * - while it runs: the `resources.requests` of all containers, and of all sidecars (init containers whose `restartPolicy` is
 *   `Always`: they stay)
 * - while it starts: init containers run one after another, in their order. Each needs its own requests and those of the
 *   sidecars before it
 *
 * `spec.overhead`, if there is one, is added to that. A container without requests needs nothing; limits do not count.
 *
 * `framework.parseResources` reads a list of the API, and rounds up: so each container's requests are rounded, not their sum.
 * `addResources` and `maxResources` work resource by resource. (The harness has the result as `podInfoOf(pod).requests`, but
 * then you would not have thought of the sidecars.)
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests, AggregateContainerRequests;
 * kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go computePodResourceRequest
 */
export function podRequests(pod: Pod): framework.Resources {
  return todo(KATA, 'podRequests', 'Level 5');
}

/** What there is not enough of. Amounts are those of `framework.Resources`: cpu in thousandths of a core. */
export interface InsufficientResource {
  /** `pods`, `cpu`, `memory`, `ephemeral-storage`, or the name of another. */
  readonly resourceName: string;
  /** `Too many pods`, or `Insufficient <resourceName>`. */
  readonly reason: string;
  /** What the pod asks for; 1 of `pods`. */
  readonly requested: number;
  /** What the pods on the node ask for; of `pods`, how many there are. */
  readonly used: number;
  /** What the node has for pods (`allocatable`), also when they have it already. */
  readonly capacity: number;
  /** True when the pod asks for more than the node has at all, so that it would not help if other pods went. Never for `pods`. */
  readonly unresolvable: boolean;
}

/**
 * What is the node short of?
 *
 * - `pods`: the node has as many pods as it takes (`allocatable.allowedPodNumber`), or more. So has a node that does not say
 *   how many it takes.
 * - Everything else: the pod asks for more than is left (`allocatable` without `requested`). What the pod asks nothing of is
 *   never short, not even when more is in use than there is. A resource that the node does not know it has none of.
 *
 * @param requests what the pod asks for: {@link podRequests}
 * @returns all of it: `pods`, `cpu`, `memory`, `ephemeral-storage`, in this order, and then the others, in any; empty when
 * the pod fits
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest,
 * InsufficientResource
 */
export function insufficientResources(
  requests: framework.Resources,
  nodeInfo: framework.NodeInfo,
): readonly InsufficientResource[] {
  return todo(KATA, 'insufficientResources', 'Level 5');
}

/**
 * A pod runs only where there is room for it.
 *
 * `preFilter` gives `Success`, for every pod: one that asks for nothing is still one pod more.
 *
 * `filter` gives
 * - `Success` when nothing is short ({@link insufficientResources})
 * - `UnschedulableAndUnresolvable` with all reasons, in that order, when any of it is unresolvable
 * - `Unschedulable` with all reasons, in that order, otherwise
 *
 * It adds up a pod's requests once for a pod, not once for a node.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go Fit.PreFilter, Fit.Filter
 */
export const nodeResourcesFit: framework.FilterPlugin = {
  name: 'NodeResourcesFit',
  preFilter(state, pod) {
    return todo(KATA, 'nodeResourcesFit.preFilter', 'Level 5');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'nodeResourcesFit.filter', 'Level 5');
  },
  eventsToRegister: () => nodeResourcesFitEvents,
};

// Level 6 · Spread

/**
 * A constraint on how pods are spread, read once.
 *
 * Nodes that have the same value for the label {@link topologyKey} are one *domain*: a zone, or a single node.
 */
export interface SpreadConstraint {
  /** By how many pods the fullest domain may be ahead of the emptiest. */
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** Which pods are counted, by their labels. */
  readonly selector: labels.Selector;
  /** With fewer domains than that, the emptiest counts as empty. 1 when the pod does not say. */
  readonly minDomains: number;
  /** Whether a node that the pod does not ask for is left out of the count. `Honor` when the pod does not say. */
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  /** Whether a node whose taints keep the pod away is left out of the count. `Ignore` when the pod does not say. */
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

/**
 * @returns those of `spec.topologySpreadConstraints` that say `whenUnsatisfiable: DoNotSchedule`, in their order; the others
 * are wishes. `selector` is the `labelSelector` (`labels.labelSelectorAsSelector`: without one it matches no pod, an empty
 * one every pod); and, for each of `matchLabelKeys` that the pod has as a label, also that label with the pod's value. One
 * that matches nothing goes on matching nothing
 * @throws labels.SelectorError for a `labelSelector` that cannot be understood; the server lets none pass
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * filterTopologySpreadConstraints
 */
export function hardConstraints(pod: Pod): readonly SpreadConstraint[] {
  return todo(KATA, 'hardConstraints', 'Level 6');
}

/**
 * Does the node count, for this constraint? Not when `nodeAffinityPolicy` is `Honor` and the pod does not ask for it
 * ({@link requiredNodeAffinityMatches}), nor when `nodeTaintsPolicy` is `Honor` and a taint keeps the pod away
 * ({@link findMatchingUntoleratedTaint}).
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * topologySpreadConstraint.matchNodeInclusionPolicies
 */
export function matchesNodeInclusionPolicies(constraint: SpreadConstraint, pod: Pod, node: Node): boolean {
  return todo(KATA, 'matchesNodeInclusionPolicies', 'Level 6');
}

/**
 * How many of these pods are counted? Those of this namespace that the selector matches, and that are not being deleted
 * (`deletionTimestamp`). But a selector that matches every pod (`selector.empty`) counts none.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * countPodsMatchSelector
 */
export function countPodsMatchSelector(
  pods: readonly framework.PodInfo[],
  selector: labels.Selector,
  namespace: string,
): number {
  return todo(KATA, 'countPodsMatchSelector', 'Level 6');
}

/**
 * How many pods are counted in each domain?
 *
 * - A node that lacks the label of *any* of the constraints is in no domain, of none of them.
 * - A node that does not count for a constraint ({@link matchesNodeInclusionPolicies}) is left out of that one.
 * - A domain whose nodes have no pods of the kind is there, with 0; it is a domain all the same.
 *
 * @param pod whose constraints they are; pods of its namespace are counted ({@link countPodsMatchSelector})
 * @returns for each constraint, in their order: the number of pods by the value of the label
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * calPreFilterState
 */
export function countPodsInDomains(
  constraints: readonly SpreadConstraint[],
  pod: Pod,
  nodeInfos: readonly framework.NodeInfo[],
): readonly ReadonlyMap<string, number>[] {
  return todo(KATA, 'countPodsInDomains', 'Level 6');
}

/**
 * The number of pods in the emptiest domain.
 *
 * @param counts of one constraint: {@link countPodsInDomains}
 * @returns 0 when there are fewer domains than `minDomains`, so also when there are none
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * preFilterState.minMatchNum
 */
export function minMatchNum(counts: ReadonlyMap<string, number>, minDomains: number): number {
  return todo(KATA, 'minMatchNum', 'Level 6');
}

/**
 * Pods are spread over zones, or nodes: no domain may get too far ahead of the emptiest.
 *
 * `preFilter` gives `Skip` when the pod has no hard constraints, else `Success`.
 *
 * `filter` looks at the constraints in their order; the first that is not met decides:
 * - `UnschedulableAndUnresolvable` with `node(s) didn't match pod topology spread constraints (missing required label)` when
 *   the node lacks the label
 * - `Unschedulable` with `node(s) didn't match pod topology spread constraints` when, with this pod, the node's domain would
 *   be ahead of the emptiest ({@link minMatchNum}) by more than `maxSkew`. The pod itself counts for one if the selector
 *   matches its labels, else for none. A domain that was not counted, because its nodes do not count, has 0 pods,
 *   and so always room
 * - `Success` when all are met
 *
 * It counts once for a pod, not once for a node.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * PodTopologySpread.PreFilter, PodTopologySpread.Filter
 */
export const podTopologySpread: framework.FilterPlugin = {
  name: 'PodTopologySpread',
  preFilter(state, pod, snapshot) {
    return todo(KATA, 'podTopologySpread.preFilter', 'Level 6');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'podTopologySpread.filter', 'Level 6');
  },
  eventsToRegister: () => podTopologySpreadEvents,
};

// Level 7 · Affinity and anti-affinity to pods

/**
 * Is this a pod of which the term speaks? Its labels must match `term.selector`; and its namespace must be one of
 * `term.namespaces`, or one whose labels match `term.namespaceSelector`.
 *
 * @param namespaces the labels of each namespace (`snapshot.namespaces`); one that is not there has no labels
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go AffinityTerm.Matches
 */
export function termMatches(
  term: framework.AffinityTerm,
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  return todo(KATA, 'termMatches', 'Level 7');
}

/**
 * @returns true when *every* term matches the pod ({@link termMatches}); false when there are no terms
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * podMatchesAllAffinityTerms
 */
export function podMatchesAllAffinityTerms(
  terms: readonly framework.AffinityTerm[],
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  return todo(KATA, 'podMatchesAllAffinityTerms', 'Level 7');
}

/** Numbers by a label of nodes, and by its value. A label, or a value, with the number 0 is not there. */
export type TopologyCounts = framework.TopologyCounts;

/**
 * Where are pods that this one wants to be with?
 *
 * @returns for each pod on a node that matches *all* of the required affinity terms of `pod`, and for each term whose
 * `topologyKey` its node has as a label: one, at that key and its node's value. A pod that matches some of the terms counts
 * nowhere
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getIncomingAffinityAntiAffinityCounts, topologyToMatchedTermCount.updateWithAffinityTerms
 */
export function affinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  return todo(KATA, 'affinityCounts', 'Level 7');
}

/**
 * Where are pods that this one wants to be away from?
 *
 * @returns for each required anti-affinity term of `pod`, and for each pod that matches *it* on a node that has its
 * `topologyKey` as a label: one, at that key and its node's value
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getIncomingAffinityAntiAffinityCounts, topologyToMatchedTermCount.updateWithAntiAffinityTerms
 */
export function antiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  return todo(KATA, 'antiAffinityCounts', 'Level 7');
}

/**
 * Where are pods that want to be away from this one? To be apart takes two: who was there first keeps the other out.
 *
 * @returns for each pod on a node, and for each of *its* required anti-affinity terms that matches `pod` and whose
 * `topologyKey` its node has as a label: one, at that key and its node's value.
 * `snapshot.havePodsWithRequiredAntiAffinity` saves looking at every node, and `podsWithRequiredAntiAffinity` at every pod.
 * `snapshot.countByTopology` keeps all three counts for the next pod, and then asks only nodes that have changed
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getExistingAntiAffinityCounts
 */
export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): TopologyCounts {
  return todo(KATA, 'existingAntiAffinityCounts', 'Level 7');
}

/**
 * Pods run beside some and apart from others. The terms of a pod, read already, are in `framework.podInfoOf(pod)`; the
 * preferred ones do not count here.
 *
 * `preFilter` gives `Skip` when the pod has neither required affinity nor required anti-affinity, and
 * {@link existingAntiAffinityCounts} is empty; else `Success`.
 *
 * `filter` asks in this order; the first that is not met decides:
 * - *Affinity*: for every required affinity term the node has the label `topologyKey`, and at its value there is a pod that
 *   matches all terms ({@link affinityCounts}). The first of a group that wants to be together finds nobody, and must
 *   not wait for ever: it passes wherever the node has all the labels, if there is nobody anywhere (`affinityCounts` is
 *   empty) and the pod matches all of its own terms. Otherwise `UnschedulableAndUnresolvable` with
 *   `node(s) didn't match pod affinity rules`
 * - *Anti-affinity*: for no required anti-affinity term there is a pod at the node's value for its `topologyKey`
 *   ({@link antiAffinityCounts}). A node without the label is near to nobody. Otherwise `Unschedulable` with
 *   `node(s) didn't match pod anti-affinity rules`
 * - *The anti-affinity of others*: for none of the node's labels there is a pod that wants to be away from this one
 *   ({@link existingAntiAffinityCounts}). Otherwise `Unschedulable` with
 *   `node(s) didn't satisfy existing pods anti-affinity rules`
 * - `Success` when all are met
 *
 * It counts once for a pod, not once for a node.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * InterPodAffinity.PreFilter, InterPodAffinity.Filter, satisfyPodAffinity, satisfyPodAntiAffinity,
 * satisfyExistingPodsAntiAffinity
 */
export const interPodAffinity: framework.FilterPlugin = {
  name: 'InterPodAffinity',
  preFilter(state, pod, snapshot) {
    return todo(KATA, 'interPodAffinity.preFilter', 'Level 7');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'interPodAffinity.filter', 'Level 7');
  },
  eventsToRegister: () => interPodAffinityEvents,
};

// Level 8 · The sum

/**
 * In a large cluster it is not worth looking for every node that could do.
 *
 * @param percentage of all nodes, 0 to 100; 0 is 50 less one for every full 125 nodes, but at least 5
 * @returns how many nodes that can do are enough: that part of all, rounded down, but at least 100; all, if there are fewer
 * than 100
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.numFeasibleNodesToFind
 */
export function numFeasibleNodesToFind(percentage: number, numAllNodes: number): number {
  return todo(KATA, 'numFeasibleNodesToFind', 'Level 8');
}

/**
 * The nodes on which the pod can run, and what the others were told.
 *
 * First every plugin's `preFilter` is asked, in their order, if it has one:
 * - `Skip`: the plugin has nothing to say. It is added to `state.skipFilterPlugins`, and its `filter` is not asked.
 * - `UnschedulableAndUnresolvable`: no node can do, and that is that: nobody else is asked.
 * - `Unschedulable`: no node can do, but the rest are asked, too. One that gives `UnschedulableAndUnresolvable` then counts;
 *   otherwise the last that gave `Unschedulable` counts.
 *
 * When no node can do, nothing was looked at: `feasible` and `nodeToStatus` are empty, `preFilterMsg` is the reasons, joined by
 * `, `, `unschedulablePlugins` is the one plugin that counts, and `nextStartIndex` is the `startIndex` given.
 *
 * Otherwise node after node is looked at, beginning at `startIndex` and going round, until as many can do as are enough
 * ({@link numFeasibleNodesToFind}) or all were looked at. On each the plugins are asked in their order, until one turns the
 * pod away: that is what `nodeToStatus` has for the node, and its name goes into `unschedulablePlugins`. `preFilterMsg` is empty.
 * `nextStartIndex` is where this one stopped: as far behind `startIndex` as nodes were looked at, going round; 0 without
 * nodes. A `startIndex` of the number of nodes or more goes round, too: there were more nodes before.
 *
 * A plugin that throws is not caught.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go findNodesThatFitPod, findNodesThatPassFilters;
 * pkg/scheduler/framework/runtime/framework.go RunPreFilterPlugins, RunFilterPlugins
 */
export function findNodesThatFit(request: framework.FindNodes): framework.NodesThatFit {
  return todo(KATA, 'findNodesThatFit', 'Level 8');
}

/**
 * Why the pod can run nowhere, in the words of `kubectl describe pod`.
 *
 * @returns `0/<numAllNodes> nodes are available:`, and then
 * - if there is a `preFilterMsg`: a space, it, and a full stop; the nodes do not count then
 * - else, if any node was told any reason: a space; for each reason on how many nodes it was told, as `<number> <reason>`,
 *   joined by `, `; and a full stop. In the order of their text (`<`), so that `10 …` comes before `2 …`. A node that was
 *   told several reasons counts for each
 * - else nothing
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go FitError.Error
 */
export function fitErrorMessage(numAllNodes: number, diagnosis: framework.Diagnosis): string {
  return todo(KATA, 'fitErrorMessage', 'Level 8');
}

/**
 * All of the above, in upstream's order: NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts,
 * NodeResourcesFit, PodTopologySpread, InterPodAffinity. The first that turns a pod away is the one that is heard.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
export const filterPlugins: readonly framework.FilterPlugin[] = [];

/** This half of a scheduler, for kata 33. */
export const filtering: framework.Filtering = {
  plugins: filterPlugins,
  findNodesThatFit,
  fitErrorMessage,
};

// Given · What wakes a pod. Kata 33 keeps pods that were turned away until something happens that could help them; here
// each plugin says what that is. The hints ask the functions above.

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodename/node_name.go EventsToRegister */
const nodeNameEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' } },
];

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
  const cordoned: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const tolerations = (newObject as Pod).spec.tolerations ?? [];
  return queueIf(isSame(pod, newObject) && tolerations.some((each) => toleratesTaint(each, cordoned)));
}

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

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go EventsToRegister */
const nodeAffinityEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterLabelsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterLabelsOfNode },
];

/** A node that the pod asks for, and that is new or that it did not ask for before. */
function afterLabelsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const asked = (node: KubeObject | undefined): boolean => requiredNodeAffinityMatches(pod, node as Node);
  return queueIf(asked(newObject) && !(oldObject && asked(oldObject)));
}

/**
 * Differs: upstream also hears of pods without a node, for those that were promised one (`nominatedNodeName`). Here nobody
 * is: that is preemption.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeports/node_ports.go EventsToRegister
 */
const nodePortsEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterPortsOfPod },
  { event: { resource: 'Node', actionType: 'Add' } },
];

/** A pod that had a port that the pod wants. */
function afterPortsOfPod(pod: Pod, oldObject: KubeObject | undefined): framework.QueueingHint {
  const freed = framework.podInfoOf(oldObject as Pod).hostPorts;
  const wanted = framework.podInfoOf(pod).hostPorts;
  return queueIf(wanted.some((port) => freed.some((other) => portsConflict(port, other))));
}

/**
 * Differs: as for ports, of pods without a node it hears only when they change themselves.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go EventsToRegister
 */
const nodeResourcesFitEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Delete' } },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodScaleDown' }, queueingHintFn: afterScaleDown },
  { event: { resource: 'Pod', actionType: 'UpdatePodScaleDown' }, queueingHintFn: afterScaleDown },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterResourcesOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeAllocatable' }, queueingHintFn: afterResourcesOfNode },
];

/** The pod itself; or one on a node that leaves something of what the pod asks for. */
function afterScaleDown(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  if (isSame(pod, newObject)) return 'Queue';
  const [before, after] = [podRequests(oldObject as Pod), podRequests(newObject as Pod)];
  return queueIf(!!(newObject as Pod).spec.nodeName && isMoreOfWhatIsAsked(podRequests(pod), after, before));
}

/** A node on which the pod would fit if it were empty, and that is new or has more of what the pod asks for. */
function afterResourcesOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const requests = podRequests(pod);
  const node = framework.NodeInfo.of(newObject as Node);
  if (insufficientResources(requests, node).length > 0) return 'QueueSkip';
  if (!oldObject) return 'Queue';
  const [before, after] = [framework.NodeInfo.of(oldObject as Node).allocatable, node.allocatable];
  const takesMorePods = after.allowedPodNumber > before.allowedPodNumber;
  return queueIf(takesMorePods || isMoreOfWhatIsAsked(requests, before, after));
}

/** Has `b` more than `a` of anything that is asked for? */
function isMoreOfWhatIsAsked(
  asked: framework.Resources,
  a: framework.Resources,
  b: framework.Resources,
): boolean {
  return (
    (asked.milliCPU > 0 && b.milliCPU > a.milliCPU) ||
    (asked.memory > 0 && b.memory > a.memory) ||
    (asked.ephemeralStorage > 0 && b.ephemeralStorage > a.ephemeralStorage) ||
    [...asked.scalar].some(([name, n]) => n > 0 && (b.scalar.get(name) ?? 0) > (a.scalar.get(name) ?? 0))
  );
}

/**
 * Differs: upstream does not see that a node begins to count because the pod's node selector matches it now, nor that
 * other pods are counted because a label of the pod changed that `matchLabelKeys` names; and it wakes pods for taints that
 * do not matter to them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/plugin.go EventsToRegister
 */
const podTopologySpreadEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Add' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterSpreadOfPods },
  { event: { resource: 'Pod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterLabelsOfSpread },
  { event: { resource: 'Pod', actionType: 'UpdatePodToleration' }, queueingHintFn: afterTolerationOfSpread },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'Delete' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterDomainsOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeTaint' }, queueingHintFn: afterDomainsOfNode },
];

/** A pod of the same namespace that is counted now and was not before, or the other way round. */
function afterSpreadOfPods(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  if ((newObject ?? oldObject)?.metadata.namespace !== pod.metadata.namespace) return 'QueueSkip';
  return queueIf(
    hardConstraints(pod).some(({ selector }) => {
      const isCounted = (other: KubeObject | undefined): boolean =>
        other !== undefined && selector.matches(other.metadata.labels);
      return isCounted(oldObject) !== isCounted(newObject);
    }),
  );
}

/** The pod itself, if other pods are counted for its labels (`matchLabelKeys`), or it is counted itself, or no longer. */
function afterLabelsOfSpread(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const counted = (itself: KubeObject | undefined): readonly string[] =>
    hardConstraints(itself as Pod).map(
      ({ selector }) => `${selector} ${selector.matches(itself?.metadata.labels)}`,
    );
  return queueIf(isSame(pod, newObject) && !deepEqual(counted(oldObject), counted(newObject)));
}

/** The pod itself, if it matters to a constraint what it tolerates. */
function afterTolerationOfSpread(
  pod: Pod,
  _oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const matters = hardConstraints(pod).some(({ nodeTaintsPolicy }) => nodeTaintsPolicy === 'Honor');
  return queueIf(isSame(pod, newObject) && matters);
}

/** A node that is in other domains than before, or counts for other constraints; one that is new, or was there. */
function afterDomainsOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const constraints = hardConstraints(pod);
  const counted = (node: Node | undefined): readonly string[] | undefined => {
    if (!node || constraints.some(({ topologyKey }) => labelOf(node, topologyKey) === undefined)) return;
    return constraints.map(
      (each) => `${labelOf(node, each.topologyKey)} ${matchesNodeInclusionPolicies(each, pod, node)}`,
    );
  };
  return queueIf(!deepEqual(counted(oldObject as Node | undefined), counted(newObject as Node | undefined)));
}

/**
 * Differs: where a pod has several anti-affinity terms, upstream asks only after pods that *all* of them match
 * (kubernetes/kubernetes pull request 139161), and not whether the last of its group has gone (#141354). A pod that waits for such
 * an event waits for five minutes there.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/plugin.go EventsToRegister
 */
const interPodAffinityEvents: readonly framework.ClusterEventWithHint[] = [
  { event: { resource: 'AssignedPod', actionType: 'Add' }, queueingHintFn: afterOtherPods },
  { event: { resource: 'AssignedPod', actionType: 'UpdatePodLabel' }, queueingHintFn: afterOtherPods },
  { event: { resource: 'AssignedPod', actionType: 'Delete' }, queueingHintFn: afterOtherPods },
  {
    event: { resource: 'Pod', actionType: 'UpdatePodLabel' },
    queueingHintFn: (pod, _oldObject, newObject) => queueIf(isSame(pod, newObject)),
  },
  { event: { resource: 'Node', actionType: 'Add' }, queueingHintFn: afterPlacesOfNode },
  { event: { resource: 'Node', actionType: 'UpdateNodeLabel' }, queueingHintFn: afterPlacesOfNode },
];

/** A pod that matches all affinity terms now, or was the last that did; or that kept the pod away and does no longer. */
function afterOtherPods(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const [before, after] = [oldObject, newObject] as readonly (Pod | undefined)[];
  const { requiredAffinityTerms, requiredAntiAffinityTerms } = framework.podInfoOf(pod);
  const isSought = (other: Pod | undefined): boolean =>
    requiredAffinityTerms.length > 0 && requiredAffinityTerms.every((term) => couldMatch(term, other));
  if (!isSought(before) && isSought(after)) return 'Queue';
  // Where the last of a group has gone, the pod may be the first again.
  if (isSought(before) && !isSought(after) && isSought(pod)) return 'Queue';
  const avoidedIt = before && !after ? framework.podInfoOf(before).requiredAntiAffinityTerms : [];
  return queueIf(
    avoidedIt.some((term) => couldMatch(term, pod)) ||
      requiredAntiAffinityTerms.some((term) => couldMatch(term, before) && !couldMatch(term, after)),
  );
}

/** A hint does not know the labels of namespaces: a term that goes by them could match any. */
function couldMatch(term: framework.AffinityTerm, other: Pod | undefined): boolean {
  if (!other) return false;
  return term.namespaceSelector.selectable
    ? term.selector.matches(other.metadata.labels)
    : termMatches(term, other, new Map());
}

/**
 * A node that comes into a place of any affinity term; without such a term the pod could be anywhere that others kept it out
 * of. A node whose labels change may take the pods that keep this one out elsewhere: which ones, a hint does not know.
 */
function afterPlacesOfNode(
  pod: Pod,
  oldObject: KubeObject | undefined,
  newObject: KubeObject | undefined,
): framework.QueueingHint {
  const terms = framework.podInfoOf(pod).requiredAffinityTerms;
  const isPlace = (node: KubeObject | undefined): boolean =>
    node !== undefined && terms.some(({ topologyKey }) => labelOf(node, topologyKey) !== undefined);
  return queueIf(terms.length === 0 || oldObject !== undefined || isPlace(newObject));
}

function queueIf(could: boolean): framework.QueueingHint {
  return could ? 'Queue' : 'QueueSkip';
}

function isSame(pod: Pod, other: KubeObject | undefined): boolean {
  return pod.metadata.uid === other?.metadata.uid;
}

/** "constructor" is a valid name of a label, so only own properties are labels. */
function labelOf({ metadata: { labels } }: KubeObject, key: string): string | undefined {
  return labels && Object.hasOwn(labels, key) ? labels[key] : undefined;
}
