/**
 * Kata 31 · Where can a pod run? Read README.md beside this file, then begin at the top: Level 1 is two plugins that look
 * at one field each.
 *
 * Levels 1 to 5 are plugins of the scheduler: decisions on plain objects, and the plugin that asks them for a pod and a node.
 * Level 6 asks all plugins about all nodes, and says in one sentence why none is left. The levels marked ★ are two more plugins,
 * which look at other pods.
 *
 * To go your own way, write {@link filtering} in any shape: its contract stands at `framework.Filtering` and
 * `framework.FilterPlugin`, and here at each plugin. The laws ask for no more.
 *
 * Everything is a pure function of what it is given: no client, no clock, nothing to wait for. Pods, nodes and `NodeInfo`s are
 * shared and frozen.
 */
import { framework, type labels, type Node, type Pod, todo } from '#harness';

const KATA = '31-filter';

// Level 1 · Name and unschedulable

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
  eventsToRegister: () => framework.eventsToRegister.nodeName(),
};

/**
 * Does the toleration let the taint pass? All three must hold:
 * - its `effect` is that of the taint, or it has none: then it is for every effect
 * - its `key` is that of the taint, or it has none: then it is for every key
 * - its `operator` is `Exists`; or it is `Equal`, or it has none, and the values are the same. Any other operator lets nothing pass
 *
 * A field that is empty and one that is absent are the same, in the toleration and in the taint.
 *
 * @example
 * `{ key: 'gpu' }` tolerates the taint `gpu=:NoSchedule`, which has no value, and not `gpu=a100:NoSchedule`.
 *
 * @see Upstream: kubernetes/api@v0.36.3 core/v1/toleration.go Toleration.ToleratesTaint
 */
export function toleratesTaint(toleration: framework.Toleration, taint: framework.Taint): boolean {
  return todo(KATA, 'toleratesTaint', 'Level 1');
}

/**
 * A node that is cordoned (`kubectl cordon` sets `spec.unschedulable`) takes no new pods, except those that tolerate the taint
 * that it stands for: key `node.kubernetes.io/unschedulable`, no value, effect `NoSchedule`. What counts is the field; taints are
 * another plugin's.
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
  eventsToRegister: () => framework.eventsToRegister.nodeUnschedulable(toleratesTaint),
};

// Level 2 · Taints

/**
 * @param taints absent is none
 * @param tolerations absent is none
 * @returns the first taint that keeps the pod away: its effect is `NoSchedule` or `NoExecute`, and no toleration tolerates it;
 * `undefined` if there is none. A taint of another effect (`PreferNoSchedule`) keeps no pod away
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/helpers.go FindMatchingUntoleratedTaint;
 * kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/helper/taint.go DoNotScheduleTaintsFilterFunc
 */
export function findMatchingUntoleratedTaint(
  taints: readonly framework.Taint[] | undefined,
  tolerations: readonly framework.Toleration[] | undefined,
): framework.Taint | undefined {
  return todo(KATA, 'findMatchingUntoleratedTaint', 'Level 2');
}

/**
 * Nodes say which pods they do not want: their taints.
 *
 * `filter` gives
 * - `Success` if no taint keeps the pod away ({@link findMatchingUntoleratedTaint})
 * - `UnschedulableAndUnresolvable` with `node(s) had untolerated taint(s)` otherwise, the same for every taint
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go
 * TaintToleration.Filter
 */
export const taintToleration: framework.FilterPlugin = {
  name: 'TaintToleration',
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'taintToleration.filter', 'Level 2');
  },
  eventsToRegister: () => framework.eventsToRegister.taintToleration(findMatchingUntoleratedTaint),
};

// Level 3 · Node selector and node affinity

/**
 * Does the term match the node? *All* of its `matchExpressions` must match the node's labels, and all of its `matchFields` its
 * fields. A term that has neither (absent or empty) matches no node.
 *
 * - `matchExpressions`: operators `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`. `labels.newRequirement` knows them as
 *   `in`, `notin`, `exists`, `!`, `gt`, `lt`. `NotIn` and `DoesNotExist` match a node that lacks the label.
 * - `matchFields`: operators `In` and `NotIn`, with exactly one value. The field `metadata.name` is the node's name; every
 *   other field is empty.
 *
 * A term of which *any* part cannot be understood (an invalid key or value, an unknown operator, a wrong number of values;
 * `labels.newRequirement` throws `labels.SelectorError`) matches no node, not even with `NotIn`. It does not throw.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go nodeSelectorTerm.match,
 * newNodeSelectorTerm, isEmptyNodeSelectorTerm
 */
export function matchesNodeSelectorTerm(term: framework.NodeSelectorTerm, node: Node): boolean {
  return todo(KATA, 'matchesNodeSelectorTerm', 'Level 3');
}

/**
 * Is the node one that the pod asks for? Both must hold:
 * - `spec.nodeSelector`, if there is one: the node has every label in it, with that value
 * - the required part of `spec.affinity.nodeAffinity`, if there is one: *any* of its terms matches
 *   ({@link matchesNodeSelectorTerm}). One without terms matches no node
 *
 * The preferred part does not count here.
 *
 * @returns true if the pod asks for nothing
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatches(pod: Pod, node: Node): boolean {
  return todo(KATA, 'requiredNodeAffinityMatches', 'Level 3');
}

/**
 * Pods say which nodes they want.
 *
 * `preFilter` gives
 * - `UnschedulableAndUnresolvable` with `pod affinity terms conflict` if the names of nodes that the required terms ask for
 *   exclude each other (`framework.namesConflict`)
 * - `Skip` or `Success` if the pod asks for nothing
 * - `Success` otherwise
 *
 * `filter` gives
 * - `Success` on a node that the pod asks for ({@link requiredNodeAffinityMatches})
 * - `UnschedulableAndUnresolvable` with `node(s) didn't match Pod's node affinity/selector` on every other
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
  eventsToRegister: () => framework.eventsToRegister.nodeAffinity(requiredNodeAffinityMatches),
};

// Level 4 · Ports of the node

/**
 * Do the two ports exclude each other? They do if `protocol` and `hostPort` are the same, and the addresses overlap: `0.0.0.0` is
 * every address, others overlap if they are the same text. `::` is an address like any other.
 *
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go HostPortInfo.CheckConflict
 */
export function portsConflict(a: framework.HostPort, b: framework.HostPort): boolean {
  return todo(KATA, 'portsConflict', 'Level 4');
}

/**
 * A port of the node belongs to one pod.
 *
 * `preFilter` gives `Skip` or `Success` if the pod wants no port of the node (`framework.podInfoOf(pod).hostPorts`), else `Success`.
 *
 * `filter` gives
 * - `Success` if none of them conflicts with one that the node's pods have (`nodeInfo.usedPorts`)
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
  eventsToRegister: () => framework.eventsToRegister.nodePorts(portsConflict),
};

// Level 5 · Resources

/**
 * What a pod needs of a node: enough for every moment of its life. Of each resource by itself it is the most of these:
 * - while it runs: the `resources.requests` of all containers, and of all sidecars (init containers with `restartPolicy: Always`)
 * - while it starts: init containers run one after another, in their order. Each needs its own requests and those of the
 *   sidecars before it
 *
 * Two more things count. What the pod asks for as a whole (`spec.resources.requests`) replaces that number, for `cpu`, `memory` and
 * resources whose name begins with `hugepages-`. And `spec.overhead` is added at last. A container without requests needs nothing;
 * limits do not count.
 *
 * `framework.parseResources` reads a list of the API and rounds up, so each container is rounded, and not the sum.
 * `framework.addResources` and `maxResources` work resource by resource. The harness has the result as
 * `framework.podInfoOf(pod).requests`; to write it yourself is this level.
 *
 * @example
 * Init containers, in this order: a sidecar with 1 cpu, a plain one with 3, a sidecar with 2. The container has 1. The pod needs 4
 * cpu: 1 + 3 while the plain one runs, and 1 + 2 + 1 later.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests, AggregateContainerRequests;
 * kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go computePodResourceRequest
 */
export function podRequests(pod: Pod): framework.Resources {
  return todo(KATA, 'podRequests', 'Level 5');
}

/**
 * What is the node short of?
 *
 * - `pods`: the node has as many pods as it takes (`allocatable.allowedPodNumber`), or more. So has a node that does not say
 *   how many it takes.
 * - Everything else: the pod asks for more than is left (`allocatable` without `requested`). What the pod asks nothing of is
 *   never short, not even if more is in use than there is. A resource that the node does not know it has none of.
 *
 * @param requests what the pod asks for: {@link podRequests}
 * @returns all of it: `pods`, `cpu`, `memory`, `ephemeral-storage`, in this order, and then the others, in any; empty if
 * the pod fits
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go fitsRequest,
 * InsufficientResource
 */
export function insufficientResources(
  requests: framework.Resources,
  nodeInfo: framework.NodeInfo,
): readonly framework.InsufficientResource[] {
  return todo(KATA, 'insufficientResources', 'Level 5');
}

/**
 * A pod runs only where there is room for it.
 *
 * `preFilter` gives `Success`, for every pod: one that asks for nothing is still one pod more.
 *
 * `filter` gives
 * - `Success` if nothing is short ({@link insufficientResources})
 * - `UnschedulableAndUnresolvable` with all reasons, in that order, if any of it is unresolvable
 * - `Unschedulable` with all reasons, in that order, otherwise
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
  eventsToRegister: () => framework.eventsToRegister.nodeResourcesFit(podRequests, insufficientResources),
};

// Level 6 · The sum

/**
 * In a large cluster it is not worth looking for every node on which the pod can run.
 *
 * @param percentage of all nodes, 0 to 100; 0 is 50 less one for every full 125 nodes, but at least 5
 * @returns how many nodes are enough: that part of all, rounded down, but at least 100; all, if there are fewer than 100
 * @example
 * Of 5,000 nodes, 0 % are 10 %: 500. Of 200 nodes, 30 % are 60, and so 100.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.numFeasibleNodesToFind
 */
export function numFeasibleNodesToFind(percentage: number, numAllNodes: number): number {
  return todo(KATA, 'numFeasibleNodesToFind', 'Level 6');
}

/**
 * The nodes on which the pod can run, and what the others were told.
 *
 * First the `preFilter` of each plugin that has one is asked, in the order of the plugins:
 * - `Skip`: the plugin is added to `state.skipFilterPlugins`, and its `filter` is not asked.
 * - `UnschedulableAndUnresolvable`: no node is left, and no other plugin is asked.
 * - `Unschedulable`: no node is left, but the rest are asked, too. One that gives `UnschedulableAndUnresolvable` then counts;
 *   otherwise the last that gave `Unschedulable` counts.
 *
 * If no node is left, `feasible` and `nodeToStatus` are empty, `preFilterMsg` is the reasons, joined by `, `,
 * `unschedulablePlugins` is the one plugin that counts, and `nextStartIndex` is the `startIndex` given.
 *
 * Otherwise nodes are looked at one after another, from `startIndex` on and round, until enough of them fit
 * ({@link numFeasibleNodesToFind}) or all were looked at. Of each, plugins are asked in their order until one turns the pod away:
 * that is what `nodeToStatus` has for the node, and the plugin's name is in `unschedulablePlugins`. `preFilterMsg` is empty.
 * `nextStartIndex` is the node after the last that was looked at; 0 if there are no nodes. A `startIndex` of the number of nodes or
 * more goes round, too: there were more nodes before.
 *
 * What a plugin throws is not caught.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go findNodesThatFitPod, findNodesThatPassFilters;
 * pkg/scheduler/framework/runtime/framework.go RunPreFilterPlugins, RunFilterPlugins
 */
export function findNodesThatFit(request: framework.FindNodes): framework.NodesThatFit {
  return todo(KATA, 'findNodesThatFit', 'Level 6');
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
  return todo(KATA, 'fitErrorMessage', 'Level 6');
}

// Level 7 ★ · Spread. Once the plugin is written, add it to `filterPlugins`. `framework.hardConstraints` reads the constraints of a pod.

/**
 * Does the node count for this constraint? Not if `nodeAffinityPolicy` is `Honor` and the pod does not ask for it
 * ({@link requiredNodeAffinityMatches}), nor if `nodeTaintsPolicy` is `Honor` and a taint keeps the pod away
 * ({@link findMatchingUntoleratedTaint}).
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * topologySpreadConstraint.matchNodeInclusionPolicies
 */
export function matchesNodeInclusionPolicies(
  constraint: framework.SpreadConstraint,
  pod: Pod,
  node: Node,
): boolean {
  return todo(KATA, 'matchesNodeInclusionPolicies', 'Level 7');
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
  return todo(KATA, 'countPodsMatchSelector', 'Level 7');
}

/**
 * How many pods are counted in each domain?
 *
 * - A node that lacks the label of *any* of the constraints is in no domain, of none of them.
 * - A node that does not count for a constraint ({@link matchesNodeInclusionPolicies}) is left out of that one.
 * - A domain whose nodes have no pods of the kind is there, with 0.
 *
 * @param pod the pod with these constraints; pods of its namespace are counted ({@link countPodsMatchSelector})
 * @returns for each constraint, in their order: the number of pods by the value of the label
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * calPreFilterState
 */
export function countPodsInDomains(
  constraints: readonly framework.SpreadConstraint[],
  pod: Pod,
  nodeInfos: readonly framework.NodeInfo[],
): readonly ReadonlyMap<string, number>[] {
  return todo(KATA, 'countPodsInDomains', 'Level 7');
}

/**
 * The number of pods in the emptiest domain.
 *
 * @param counts of one constraint: {@link countPodsInDomains}
 * @returns 0 if there are fewer domains than `minDomains`, so also if there are none
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * preFilterState.minMatchNum
 */
export function minMatchNum(counts: ReadonlyMap<string, number>, minDomains: number): number {
  return todo(KATA, 'minMatchNum', 'Level 7');
}

/**
 * Pods are spread over zones, or nodes: no domain may get too far ahead of the emptiest.
 *
 * `preFilter` gives `Skip` or `Success` if the pod has no hard constraints, else `Success`.
 *
 * `filter` looks at the constraints in their order; the first that is not met decides:
 * - `UnschedulableAndUnresolvable` with `node(s) didn't match pod topology spread constraints (missing required label)` if
 *   the node lacks the label
 * - `Unschedulable` with `node(s) didn't match pod topology spread constraints` if, with this pod, the node's domain would
 *   be ahead of the emptiest ({@link minMatchNum}) by more than `maxSkew`. The pod itself counts for one if the selector
 *   matches its labels, else for none. A domain that was not counted, because its nodes do not count, has 0 pods
 * - `Success` if all are met
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * PodTopologySpread.PreFilter, PodTopologySpread.Filter
 */
export const podTopologySpread: framework.FilterPlugin = {
  name: 'PodTopologySpread',
  preFilter(state, pod, snapshot) {
    return todo(KATA, 'podTopologySpread.preFilter', 'Level 7');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'podTopologySpread.filter', 'Level 7');
  },
  eventsToRegister: () => framework.eventsToRegister.podTopologySpread(matchesNodeInclusionPolicies),
};

// Level 8 ★ · Affinity and anti-affinity to pods. Once the plugin is written, add it to `filterPlugins`.

/**
 * Does the term match the pod? The pod's labels must match `term.selector`; and its namespace must be one of
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
  return todo(KATA, 'termMatches', 'Level 8');
}

/**
 * @returns true if *every* term matches the pod ({@link termMatches}); false if there are no terms
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * podMatchesAllAffinityTerms
 */
export function podMatchesAllAffinityTerms(
  terms: readonly framework.AffinityTerm[],
  pod: Pod,
  namespaces: ReadonlyMap<string, labels.Labels>,
): boolean {
  return todo(KATA, 'podMatchesAllAffinityTerms', 'Level 8');
}

/**
 * Where are pods that this one wants to be with? The counts are by a label of nodes, and by its value; where the number is 0, nothing
 * is there. `snapshot.countByTopology` keeps such counts from snapshot to snapshot.
 *
 * @returns for each pod on a node that matches *all* of the required affinity terms of `pod`, and for each term whose
 * `topologyKey` its node has as a label: one, at that key and its node's value. A pod that matches some of the terms counts
 * nowhere
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getIncomingAffinityAntiAffinityCounts, topologyToMatchedTermCount.updateWithAffinityTerms
 */
export function affinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  return todo(KATA, 'affinityCounts', 'Level 8');
}

/**
 * Where are pods that this one wants to be away from?
 *
 * @returns for each required anti-affinity term of `pod`, and for each pod that matches *it* on a node that has its
 * `topologyKey` as a label: one, at that key and its node's value
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getIncomingAffinityAntiAffinityCounts, topologyToMatchedTermCount.updateWithAntiAffinityTerms
 */
export function antiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  return todo(KATA, 'antiAffinityCounts', 'Level 8');
}

/**
 * Where are pods that want to be away from this one? A pod that was there first keeps the other out.
 *
 * @returns for each pod on a node, and for each of *its* required anti-affinity terms that matches `pod` and whose
 * `topologyKey` its node has as a label: one, at that key and its node's value.
 * `snapshot.havePodsWithRequiredAntiAffinity` and `nodeInfo.podsWithRequiredAntiAffinity` have the pods with such terms
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getExistingAntiAffinityCounts
 */
export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  return todo(KATA, 'existingAntiAffinityCounts', 'Level 8');
}

/**
 * Pods run beside some pods and apart from others. The terms of a pod, already read, are in `framework.podInfoOf(pod)`; the
 * preferred ones do not count here.
 *
 * `preFilter` gives `Skip` or `Success` if the pod has neither required affinity nor required anti-affinity, and
 * {@link existingAntiAffinityCounts} is empty; else `Success`.
 *
 * `filter` asks in this order; the first that is not met decides:
 * - *Affinity*: for every required affinity term the node has the label `topologyKey`, and at its value there is a pod that
 *   matches all terms ({@link affinityCounts}). The first of a group would wait for ever: if there is no such pod anywhere
 *   (`affinityCounts` is empty) and the pod matches all of its own terms, it passes on every node that has all the labels.
 *   Otherwise `UnschedulableAndUnresolvable` with `node(s) didn't match pod affinity rules`
 * - *Anti-affinity*: for no required anti-affinity term there is a pod at the node's value for its `topologyKey`
 *   ({@link antiAffinityCounts}). A node without the label is near no pod. Otherwise `Unschedulable` with
 *   `node(s) didn't match pod anti-affinity rules`
 * - *The anti-affinity of others*: for none of the node's labels there is a pod that wants to be away from this one
 *   ({@link existingAntiAffinityCounts}). Otherwise `Unschedulable` with
 *   `node(s) didn't satisfy existing pods anti-affinity rules`
 * - `Success` if all are met
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * InterPodAffinity.PreFilter, InterPodAffinity.Filter, satisfyPodAffinity, satisfyPodAntiAffinity,
 * satisfyExistingPodsAntiAffinity
 */
export const interPodAffinity: framework.FilterPlugin = {
  name: 'InterPodAffinity',
  preFilter(state, pod, snapshot) {
    return todo(KATA, 'interPodAffinity.preFilter', 'Level 8');
  },
  filter(state, pod, nodeInfo) {
    return todo(KATA, 'interPodAffinity.filter', 'Level 8');
  },
  eventsToRegister: () => framework.eventsToRegister.interPodAffinity(termMatches),
};

// All together. It belongs to the sum, and stands at the end because it names what stands before.

/**
 * The plugins that are asked, in upstream's order: NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts,
 * NodeResourcesFit. The list is of Level 6. A pod is told only what the first says that turns it away. After these come those of the ★ levels, once you have
 * written them: PodTopologySpread, InterPodAffinity.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
export const filterPlugins: readonly framework.FilterPlugin[] = [];

/** This half of a scheduler: what the rest of a cluster knows of this kata. */
export const filtering: framework.Filtering = {
  plugins: filterPlugins,
  findNodesThatFit,
  fitErrorMessage,
};
