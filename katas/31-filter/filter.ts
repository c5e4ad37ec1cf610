/**
 * Kata 31 · Filters. Read README.md first, then start with Level 1, which has two plugins that read one field each.
 *
 * Levels 1 to 5 are plugins of the scheduler. Level 6 runs all plugins for all nodes, and explains in one message why no node
 * fits. The ★ levels are two more plugins, which read other pods.
 *
 * For your own design, implement {@link filtering} in any shape. Its contract is in `framework.Filtering`,
 * `framework.FilterPlugin`, and in the comment of each plugin.
 *
 * All functions are pure. Pods, nodes and `NodeInfo`s are shared and frozen.
 */
import { framework, type labels, type Node, type Pod, todo } from '#harness';

const KATA = '31-filter';

// Level 1 · Name and unschedulable

/**
 * Accepts a pod with `spec.nodeName` only on that node. A missing or empty name is any node.
 *
 * `filter` returns
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
 * Reports whether the toleration tolerates the taint. All three must hold:
 * - its `effect` equals that of the taint, or is missing, which means every effect
 * - its `key` equals that of the taint, or is missing, which means every key
 * - its `operator` is `Exists`, or it is `Equal` or missing and the values are equal. Any other operator tolerates nothing
 *
 * An empty field is the same as a missing one, in the toleration and in the taint.
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
 * Rejects pods on a cordoned node (`kubectl cordon` sets `spec.unschedulable`) unless they tolerate the taint with the key
 * `node.kubernetes.io/unschedulable`, no value and the effect `NoSchedule`. Only the field counts, not the node's taints.
 *
 * `filter` returns
 * - `Success` on a node that is not cordoned, and for a pod with a toleration of that taint
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
 * Finds a taint that rejects the pod.
 *
 * @returns The first taint with the effect `NoSchedule` or `NoExecute` that no toleration tolerates, or `undefined`. Taints with
 * another effect (`PreferNoSchedule`) do not count.
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
 * Rejects pods on nodes with taints that they do not tolerate.
 *
 * `filter` returns
 * - `Success` if no taint rejects the pod ({@link findMatchingUntoleratedTaint})
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
 * Reports whether the term matches the node: *all* `matchExpressions` match its labels, and all `matchFields` match its
 * fields. A term with neither (missing or empty) matches no node.
 *
 * - `matchExpressions`: operators `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt`, `Lt`. `labels.newRequirement` calls them
 *   `in`, `notin`, `exists`, `!`, `gt`, `lt`. `NotIn` and `DoesNotExist` match a node that lacks the label.
 * - `matchFields`: operators `In` and `NotIn`, with exactly one value. The field `metadata.name` is the node's name; every
 *   other field is empty.
 *
 * A term with *any* invalid part (an invalid key or value, an unknown operator, a wrong number of values;
 * `labels.newRequirement` throws `labels.SelectorError`) matches no node, not even with `NotIn`. It does not throw.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go nodeSelectorTerm.match,
 * newNodeSelectorTerm, isEmptyNodeSelectorTerm
 */
export function matchesNodeSelectorTerm(term: framework.NodeSelectorTerm, node: Node): boolean {
  return todo(KATA, 'matchesNodeSelectorTerm', 'Level 3');
}

/**
 * Reports whether the node meets the requirements of the pod. Both must hold, if the pod has them:
 * - `spec.nodeSelector`: the node has every label in it, with that value
 * - the required part of `spec.affinity.nodeAffinity`: *any* of its terms matches ({@link matchesNodeSelectorTerm}). Without
 *   terms it matches no node
 *
 * The preferred part does not count.
 *
 * @returns True if the pod requires nothing.
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatches(pod: Pod, node: Node): boolean {
  return todo(KATA, 'requiredNodeAffinityMatches', 'Level 3');
}

/**
 * Rejects a pod on nodes that do not meet its node selector and required node affinity.
 *
 * `preFilter` returns
 * - `UnschedulableAndUnresolvable` with `pod affinity terms conflict` if the node names in the required terms exclude each
 *   other (`framework.namesConflict`)
 * - `Skip` or `Success` if the pod requires nothing
 * - `Success` otherwise
 *
 * `filter` returns
 * - `Success` on a node that meets them ({@link requiredNodeAffinityMatches})
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
 * Reports whether two ports conflict: `protocol` and `hostPort` are equal, and the addresses overlap. `0.0.0.0` overlaps every
 * address; others overlap if their text is equal, including `::`.
 *
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go HostPortInfo.CheckConflict
 */
export function portsConflict(a: framework.HostPort, b: framework.HostPort): boolean {
  return todo(KATA, 'portsConflict', 'Level 4');
}

/**
 * Rejects a pod on nodes where one of its host ports is in use.
 *
 * `preFilter` returns `Skip` or `Success` if the pod has no host ports (`framework.podInfoOf(pod).hostPorts`), else `Success`.
 *
 * `filter` returns
 * - `Success` if none of them conflicts with a port of the node's pods (`nodeInfo.usedPorts`)
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
 * Computes the resources that a pod needs at any time. For each resource separately, it is the larger of these two:
 * - while the pod runs: the `resources.requests` of all containers, and of all sidecars (init containers with `restartPolicy: Always`)
 * - while the pod starts: init containers run one after another. Each needs its own requests and the requests of the
 *   sidecars before it
 *
 * The pod's own requests (`spec.resources.requests`) replace that number for `cpu`, `memory` and `hugepages-*`. `spec.overhead` is
 * added at the end. A container without requests needs nothing, and limits do not count.
 *
 * `framework.parseResources` reads a resource list and rounds up: round each container, not the sum.
 * `framework.addResources` and `maxResources` work resource by resource. The harness has the result as
 * `framework.podInfoOf(pod).requests`; in this level you write it yourself.
 *
 * @example
 * Init containers, in this order: a sidecar with 1 cpu, a plain one with 3, a sidecar with 2. The container has 1. The pod needs 4
 * cpu: 1 + 3 while the plain one runs, and 1 + 2 + 1 afterwards.
 *
 * @see Upstream: kubernetes/component-helpers@v0.36.3 resource/helpers.go PodRequests, AggregateContainerRequests;
 * kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go computePodResourceRequest
 */
export function podRequests(pod: Pod): framework.Resources {
  return todo(KATA, 'podRequests', 'Level 5');
}

/**
 * Finds the resources that the node has too little of.
 *
 * - `pods`: the node has at least its maximum number of pods (`allocatable.allowedPodNumber`, 0 if missing).
 * - Every other resource: the pod requests more than is free (`allocatable` minus `requested`; 0 if the node lacks it). A
 *   resource that the pod does not request is never insufficient, even if it is overcommitted.
 *
 * @param requests - The result of {@link podRequests}.
 * @returns All insufficient resources: `pods`, `cpu`, `memory`, `ephemeral-storage`, in this order, then the others in any
 * order; empty if the pod fits.
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
 * Rejects a pod on nodes without enough free resources.
 *
 * `preFilter` returns `Success`, for every pod: even a pod without requests counts as a pod.
 *
 * `filter` returns
 * - `Success` if no resource is insufficient ({@link insufficientResources})
 * - `UnschedulableAndUnresolvable` with all reasons, in that order, if any resource is unresolvable
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
 * Computes the number of feasible nodes that ends a search.
 *
 * @param percentage - The share of all nodes, 0 to 100; 0 means 50 minus one for each full 125 nodes, but at least 5.
 * @returns That share of all nodes, rounded down, but at least 100; all nodes if there are fewer than 100.
 * @example
 * Of 5,000 nodes, 0 % are 10 %: 500. Of 200 nodes, 30 % are 60, and so 100.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go Scheduler.numFeasibleNodesToFind
 */
export function numFeasibleNodesToFind(percentage: number, numAllNodes: number): number {
  return todo(KATA, 'numFeasibleNodesToFind', 'Level 6');
}

/**
 * Finds feasible nodes for a pod, and the status of the others.
 *
 * First it calls the `preFilter` of each plugin that has one, in order:
 * - `Skip`: add the plugin to `state.skipFilterPlugins`, and do not call its `filter`.
 * - `UnschedulableAndUnresolvable`: the pod is rejected. Call no other plugin.
 * - `Unschedulable`: the pod is rejected. Call the other `preFilter`s too. An `UnschedulableAndUnresolvable` among them counts,
 *   otherwise the last `Unschedulable`.
 *
 * If the pod is rejected, `feasible` and `nodeToStatus` are empty, `preFilterMsg` has the reasons, joined by `, `,
 * `unschedulablePlugins` has the plugin that counts, and `nextStartIndex` is the given `startIndex`.
 *
 * Otherwise it filters one node after another, from `startIndex` and around, until enough nodes fit
 * ({@link numFeasibleNodesToFind}) or all are filtered. For each node it calls the plugins in order until one rejects the pod.
 * `nodeToStatus` has this status, and `unschedulablePlugins` the name of the plugin. `preFilterMsg` is empty. `nextStartIndex` is
 * the node after the last filtered one; 0 without nodes. A `startIndex` beyond the last node wraps around too.
 *
 * Errors of plugins are not caught.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go findNodesThatFitPod, findNodesThatPassFilters;
 * pkg/scheduler/framework/runtime/framework.go RunPreFilterPlugins, RunFilterPlugins
 */
export function findNodesThatFit(request: framework.FindNodes): framework.NodesThatFit {
  return todo(KATA, 'findNodesThatFit', 'Level 6');
}

/**
 * Explains why the pod fits nowhere, in the words of `kubectl describe pod`.
 *
 * @returns `0/<numAllNodes> nodes are available:`, and then
 * - with a `preFilterMsg`: a space, the message, and a full stop
 * - else, with any reason: a space; `<number of nodes> <reason>` for each reason, joined by `, `; and a full stop. They are
 *   sorted as text (`<`), so `10 …` comes before `2 …`. A node with several reasons counts for each of them
 * - else nothing
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/types.go FitError.Error
 */
export function fitErrorMessage(numAllNodes: number, diagnosis: framework.Diagnosis): string {
  return todo(KATA, 'fitErrorMessage', 'Level 6');
}

// Level 7 ★ · Spread. Add the finished plugin to `filterPlugins`. `framework.hardConstraints` returns the constraints of a pod.

/**
 * Reports whether the node counts for this constraint. It does not if `nodeAffinityPolicy` is `Honor` and the node does not meet
 * the pod's requirements ({@link requiredNodeAffinityMatches}), or if `nodeTaintsPolicy` is `Honor` and a taint rejects the pod
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
 * Counts the pods of this namespace that the selector matches and that are not being deleted (`deletionTimestamp`). A selector that
 * matches every pod (`selector.empty`) counts none.
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
 * Counts the pods in each domain.
 *
 * - A node that lacks the label of *any* of the constraints counts for none of them.
 * - A node that does not count for a constraint ({@link matchesNodeInclusionPolicies}) is ignored for it.
 * - A domain without matching pods has the count 0.
 *
 * @param pod - The pod with these constraints. Pods of its namespace count ({@link countPodsMatchSelector}).
 * @returns For each constraint, in order: the number of pods by the value of the label.
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
 * Returns the number of pods in the emptiest domain.
 *
 * @param counts - The counts of one constraint ({@link countPodsInDomains}).
 * @returns 0 if there are fewer domains than `minDomains`, or none.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/filtering.go
 * preFilterState.minMatchNum
 */
export function minMatchNum(counts: ReadonlyMap<string, number>, minDomains: number): number {
  return todo(KATA, 'minMatchNum', 'Level 7');
}

/**
 * Rejects a pod on nodes where its domain would get too far ahead of the emptiest one.
 *
 * `preFilter` returns `Skip` or `Success` if the pod has no hard constraints, else `Success`.
 *
 * `filter` checks the constraints in order; the first violated one decides:
 * - `UnschedulableAndUnresolvable` with `node(s) didn't match pod topology spread constraints (missing required label)` if
 *   the node lacks the label
 * - `Unschedulable` with `node(s) didn't match pod topology spread constraints` if, with this pod, the node's domain would
 *   be ahead of the emptiest ({@link minMatchNum}) by more than `maxSkew`. The pod itself counts as one if the selector
 *   matches its labels, else as 0. A domain whose nodes do not count has 0 pods
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

// Level 8 ★ · Affinity and anti-affinity to pods. Add the finished plugin to `filterPlugins`.

/**
 * Reports whether the term matches the pod: its labels match `term.selector`, and its namespace is in `term.namespaces` or has
 * labels that match `term.namespaceSelector`.
 *
 * @param namespaces - The labels of each namespace (`snapshot.namespaces`); an unknown namespace has no labels.
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
 * Reports whether a pod matches all of the terms.
 *
 * @returns True if *every* term matches the pod ({@link termMatches}); false without terms
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
 * Counts the pods that the required affinity of this pod selects, by topology key and value; a count of 0 is the same as none.
 * `snapshot.countByTopology` keeps such counts from snapshot to snapshot.
 *
 * @returns One for each running pod that matches *all* required affinity terms of `pod` and for each term whose `topologyKey` is a
 * label of its node, at that key and value. A pod that matches only some of the terms does not count.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getIncomingAffinityAntiAffinityCounts, topologyToMatchedTermCount.updateWithAffinityTerms
 */
export function affinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  return todo(KATA, 'affinityCounts', 'Level 8');
}

/**
 * Counts the pods that the required anti-affinity of this pod excludes.
 *
 * @returns One for each required anti-affinity term of `pod` and for each running pod that matches *this term* on a node with the
 * label `topologyKey`, at that key and value.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getIncomingAffinityAntiAffinityCounts, topologyToMatchedTermCount.updateWithAntiAffinityTerms
 */
export function antiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  return todo(KATA, 'antiAffinityCounts', 'Level 8');
}

/**
 * Counts the running pods whose required anti-affinity excludes this pod.
 *
 * @returns One for each running pod and for each of *its* required anti-affinity terms that matches `pod` and whose `topologyKey` is
 * a label of its node, at that key and value.
 * `snapshot.havePodsWithRequiredAntiAffinity` and `nodeInfo.podsWithRequiredAntiAffinity` have the pods with such terms
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/filtering.go
 * getExistingAntiAffinityCounts
 */
export function existingAntiAffinityCounts(pod: Pod, snapshot: framework.Snapshot): framework.TopologyCounts {
  return todo(KATA, 'existingAntiAffinityCounts', 'Level 8');
}

/**
 * Applies required affinity and anti-affinity between pods. `framework.podInfoOf(pod)` has the parsed terms of a pod; preferred
 * terms do not count.
 *
 * `preFilter` returns `Skip` or `Success` if the pod has neither required affinity nor required anti-affinity, and
 * {@link existingAntiAffinityCounts} is empty; else `Success`.
 *
 * `filter` checks in this order; the first violated rule decides:
 * - *Affinity*: for every required affinity term the node has the label `topologyKey`, and at its value there is a pod that
 *   matches all terms ({@link affinityCounts}). For the first pod of a group: if there is no such pod anywhere
 *   (`affinityCounts` is empty) and the pod matches all of its own terms, every node with all the labels is accepted.
 *   Otherwise `UnschedulableAndUnresolvable` with `node(s) didn't match pod affinity rules`
 * - *Anti-affinity*: no required anti-affinity term has a pod at the node's value for its `topologyKey`
 *   ({@link antiAffinityCounts}). A node without the label is accepted. Otherwise `Unschedulable` with
 *   `node(s) didn't match pod anti-affinity rules`
 * - *Anti-affinity of other pods*: no label of the node has a pod whose anti-affinity excludes this pod
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

// All together: part of Level 6, at the end of the file because it uses all plugins.

/**
 * The plugins in upstream's order (Level 6): NodeUnschedulable, NodeName, TaintToleration, NodeAffinity, NodePorts,
 * NodeResourcesFit. Then those of the ★ levels, once you have written them: PodTopologySpread, InterPodAffinity.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
export const filterPlugins: readonly framework.FilterPlugin[] = [];

/** The filters of a scheduler: the only export that the rest of a cluster uses. */
export const filtering: framework.Filtering = {
  plugins: filterPlugins,
  findNodesThatFit,
  fitErrorMessage,
};
