/**
 * Kata 32 · Score. Read README.md first, then start with Level 1.
 *
 * Each plugin scores the feasible nodes, which the filters of kata 31 accept. Levels 1 to 4 are plugins; Level 5 adds the
 * weighted scores and chooses a node. The ★ levels are three more plugins.
 *
 * The methods of a plugin are called in this order: `preScore` once, with all feasible nodes and the snapshot; `score` for each
 * of these nodes; `normalizeScore` once, with the scores. `preScore` writes its results into `state`, under your own key
 * (`framework.stateKey`). If it returns `Skip`, the plugin is not called again for this pod.
 *
 * For your own design, implement {@link scoring} in any shape. Its contract is in `framework.Scoring`, `framework.ScorePlugin`,
 * and in the comment of each plugin.
 *
 * All scores are whole numbers. "Rounded down" means towards zero, as integer division in Go. Objects from the API and snapshots
 * are shared and frozen.
 */
import { framework, todo } from '#harness';

const KATA = '32-score';

// Level 1 · How full a node is

/**
 * Computes the free share of one resource in percent.
 *
 * @param requested - The sum of the requests of this pod and of the pods on the node.
 * @param capacity - The allocatable amount of the node, in the same unit.
 * @returns (capacity - requested) × 100 / capacity, rounded down; 0 if `requested` exceeds `capacity`, or if `capacity` is 0.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/least_allocated.go
 * leastRequestedScore
 */
export function leastAllocatedScore(requested: number, capacity: number): number {
  return todo(KATA, 'leastAllocatedScore', 'Level 1');
}

/**
 * Computes the used share of one resource in percent.
 *
 * @param requested - The sum of the requests of this pod and of the pods on the node.
 * @param capacity - The allocatable amount of the node, in the same unit.
 * @returns requested × 100 / capacity, rounded down; 100 if `requested` exceeds `capacity`; 0 if `capacity` is 0.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/most_allocated.go
 * mostRequestedScore
 */
export function mostAllocatedScore(requested: number, capacity: number): number {
  return todo(KATA, 'mostAllocatedScore', 'Level 1');
}

/**
 * Creates the scoring part of NodeResourcesFit. The score of a node is the weighted average over the resources: the sum of
 * score × weight, divided by the sum of the weights, rounded down. Each score is also rounded down.
 *
 * The requested amount is the sum over the pods on the node and this pod. A container without a cpu or memory request counts as
 * 100m or 200Mi; an explicit 0 counts as 0. `NodeInfo.nonZeroRequested` and `framework.podInfoOf(pod).nonZeroRequests` have these
 * sums.
 *
 * `framework.requestedResources` returns the resources that count for the pod, with its requests, and `framework.amountOf` an amount
 * of the node. A resource that the node lacks does not count, nor does its weight. If no resource counts, the score is 0. The plugin
 * does not normalize, and skips no pod.
 *
 * @returns A plugin with the name `NodeResourcesFit`.
 * @throws Error if the arguments are invalid: `framework.nodeResourcesFitArgs` adds defaults and validates.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go Fit.PreScore,
 * Fit.Score; resource_allocation.go resourceAllocationScorer; least_allocated.go leastResourceScorer;
 * most_allocated.go mostResourceScorer
 */
export function nodeResourcesFit(args: framework.NodeResourcesFitArgs = {}): framework.ScorePlugin {
  return todo(KATA, 'nodeResourcesFit', 'Level 1');
}

// Level 2 · Balance

/**
 * Computes how evenly the resources of a node are used.
 *
 * @param fractions - The used fraction of each resource: 0.5 is half; more than 1 counts as 1.
 * @returns (1 - deviation) × 100, in floating point in this order, rounded down. The deviation of two fractions is half their
 * distance, |a - b| / 2; of more fractions, their standard deviation (the square root of the mean of the squared distances from
 * their mean); of fewer, 0.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go
 * balancedResourceScore
 */
export function balancedAllocationScore(fractions: readonly number[]): number {
  return todo(KATA, 'balancedAllocationScore', 'Level 2');
}

/**
 * Prefers nodes on which the pod makes the use of resources more even. The score is 50 + (50 + with − without) / 2, rounded down:
 * *with* and *without* are {@link balancedAllocationScore} of requested / allocatable of each resource, with this pod and without
 * it. So it is 75 if the pod changes nothing, more if the node becomes more even, and less if it becomes less even.
 *
 * Only explicit requests of this pod and of the pods on the node count: `requests` and `requested`. The same resources count as in
 * {@link nodeResourcesFit}. The plugin does not normalize.
 *
 * `preScore` returns `Skip` if this pod requests none of the resources, because it changes no balance
 * (kubernetes/kubernetes#129138).
 *
 * @returns A plugin with the name `NodeResourcesBalancedAllocation`.
 * @throws Error if the arguments are invalid: `framework.nodeResourcesBalancedAllocationArgs`, as above.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go
 * BalancedAllocation, balancedResourceScorer
 */
export function nodeResourcesBalancedAllocation(
  args: framework.NodeResourcesBalancedAllocationArgs = {},
): framework.ScorePlugin {
  return todo(KATA, 'nodeResourcesBalancedAllocation', 'Level 2');
}

// Level 3 · Preferred node affinity

/**
 * Scales scores of any size to 0 to `maxPriority`: the highest becomes `maxPriority`, the others in proportion, and 0 stays 0. The
 * lowest score does not matter.
 *
 * @param maxPriority - The highest result, 100.
 * @param reverse - Whether less is better: then each result becomes `maxPriority` minus the result.
 * @param scores - Not negative. They are not changed.
 * @returns New scores in the given order: score × maxPriority / highest, rounded down *before* the reversal. If the highest is 0,
 * all are 0, or with `reverse` all `maxPriority`.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/helper/normalize_score.go
 * DefaultNormalizeScore
 */
export function defaultNormalizeScore(
  maxPriority: number,
  reverse: boolean,
  scores: readonly framework.NodeScore[],
): framework.NodeScore[] {
  return todo(KATA, 'defaultNormalizeScore', 'Level 3');
}

/**
 * Scores preferred node affinity, `spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`.
 *
 * The score of a node is the sum of the weights of the terms whose `preference` it matches (`filters.nodeSelectorTermMatcher`),
 * normalized by {@link defaultNormalizeScore}; more is better. `preScore` returns `Skip` if the pod has no such terms.
 *
 * Differs: an invalid term matches no node; upstream fails the pod.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go
 * NodeAffinity.PreScore, NodeAffinity.Score, NodeAffinity.NormalizeScore
 */
export const nodeAffinity: framework.ScorePlugin = {
  name: 'NodeAffinity',
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'nodeAffinity.preScore', 'Level 3'),
  score: (state, pod, nodeInfo) => todo(KATA, 'nodeAffinity.score', 'Level 3'),
  normalizeScore: (state, pod, scores) => todo(KATA, 'nodeAffinity.normalizeScore', 'Level 3'),
};

// Level 4 · Taints that would rather not

/**
 * Counts the taints with the effect `PreferNoSchedule` that no toleration tolerates (`filters.toleratesTaint`). Taints with other
 * effects do not count.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go countIntolerableTaintsPreferNoSchedule
 */
export function countIntolerableTaintsPreferNoSchedule(
  taints: readonly framework.Taint[] | undefined,
  tolerations: readonly framework.Toleration[] | undefined,
): number {
  return todo(KATA, 'countIntolerableTaintsPreferNoSchedule', 'Level 4');
}

/**
 * Scores nodes by {@link countIntolerableTaintsPreferNoSchedule}, normalized by {@link defaultNormalizeScore}; *fewer* is better. If
 * no node has such a taint, every node scores 100. It never skips.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go
 * TaintToleration.PreScore, TaintToleration.Score, TaintToleration.NormalizeScore
 */
export const taintToleration: framework.ScorePlugin = {
  name: 'TaintToleration',
  preScore: () => framework.success,
  score: (state, pod, nodeInfo) => todo(KATA, 'taintToleration.score', 'Level 4'),
  normalizeScore: (state, pod, scores) => todo(KATA, 'taintToleration.normalizeScore', 'Level 4'),
};

// Level 5 · The sum

/**
 * Calls every plugin, and adds the weighted scores.
 *
 * 1. Call `preScore` of each plugin that has one, in order, with the feasible nodes, before any `score`. If it returns `Skip`, add the
 *    name of the plugin to `state.skipScorePlugins`, and do not call the plugin again.
 * 2. Call `score` of each other plugin for each feasible node, then its `normalizeScore`, if it has one, with its scores in the order
 *    of the nodes.
 * 3. The total of a node is the sum of score × weight. Without any plugin, it is 1.
 *
 * @returns For each feasible node, in order: the scores times their weights, in the order of the plugins and without the skipped
 * ones; and their sum.
 * @throws Error if a `preScore` rejects the pod (`framework.isRejected`), which only filters may do; and if a normalized score is not
 * a whole number from 0 to 100: then the message has the name of the plugin and the score.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go prioritizeNodes;
 * pkg/scheduler/framework/runtime/framework.go RunPreScorePlugins, RunScorePlugins
 */
export function prioritizeNodes(request: framework.PrioritizeNodes): framework.NodePluginScores[] {
  return todo(KATA, 'prioritizeNodes', 'Level 5');
}

/**
 * Chooses a node with the highest total. If there are several, any of them is right.
 *
 * @param random - Optional to use: `int(max)` returns a random whole number from 0 to max - 1.
 * @returns The name of the node.
 * @throws Error without nodes.
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go nodeScoreHeap: the node on top of a heap wins
 */
export function selectHost(
  scores: readonly framework.NodePluginScores[],
  random: { int(max: number): number },
): string {
  return todo(KATA, 'selectHost', 'Level 5');
}

// Level 6 ★ · Images that are there already. Add the finished plugin to `scorePlugins`.

/**
 * Normalizes an image name to the form that nodes report.
 *
 * @returns The name, with `:latest` appended unless its last colon comes after its last slash: a name with a tag or a digest stays
 * (`nginx:1`, `nginx@sha256:…`), but the port of a registry is neither (`registry:5000/nginx`).
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * normalizedImageName
 */
export function normalizedImageName(name: string): string {
  return todo(KATA, 'normalizedImageName', 'Level 6');
}

/**
 * Computes the value of an image on a node. An image on few nodes has a low value, or all pods with it would go to these nodes.
 *
 * @param sizeBytes - The size of the image on that node.
 * @param numNodes - The number of nodes that have the image by this name.
 * @param totalNumNodes - The number of nodes in the cluster.
 * @returns Bytes: sizeBytes × (numNodes / totalNumNodes), in floating point in this order, rounded down
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * scaledImageScore
 */
export function scaledImageScore(sizeBytes: number, numNodes: number, totalNumNodes: number): number {
  return todo(KATA, 'scaledImageScore', 'Level 6');
}

/** Up to 23 MiB, the score is 0. */
export const MIN_THRESHOLD_BYTES = 23 * 1024 * 1024;

/** From 1000 MiB for each container, the score is 100. */
export const MAX_CONTAINER_THRESHOLD_BYTES = 1000 * 1024 * 1024;

/**
 * Computes the score of a node from the value of its images.
 *
 * @param sumScores - The sum of {@link scaledImageScore} in bytes.
 * @param numContainers - The number of containers and init containers of the pod, at least 1.
 * @returns 0 up to {@link MIN_THRESHOLD_BYTES}, 100 from {@link MAX_CONTAINER_THRESHOLD_BYTES} × numContainers;
 * between them 100 × (sumScores - min) / (max - min), rounded down
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * calculatePriority
 */
export function calculatePriority(sumScores: number, numContainers: number): number {
  return todo(KATA, 'calculatePriority', 'Level 6');
}

/**
 * Prefers nodes that already have the images of the pod. For each container and each init container (also if two have the same
 * image) whose image is on the node, by its {@link normalizedImageName}, add {@link scaledImageScore}; the score is
 * {@link calculatePriority} of the sum. All nodes of the snapshot count, feasible or not. `NodeInfo.images` has the sizes,
 * `Snapshot.imageNodes` the numbers of nodes. The plugin does not normalize, and never skips.
 *
 * Differs: upstream uses the size on the first node that reported the image; here each node has its own size. Image volumes do not
 * count.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * ImageLocality.Score, sumImageScores
 */
export const imageLocality: framework.ScorePlugin = {
  name: 'ImageLocality',
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'imageLocality.preScore', 'Level 6'),
  score: (state, pod, nodeInfo) => todo(KATA, 'imageLocality.score', 'Level 6'),
};

// Level 7 ★ · Spread. Add the finished plugin to `scorePlugins`.

/** A label with a different value on each node. */
export const LABEL_HOSTNAME = 'kubernetes.io/hostname';

/**
 * Returns the weight of a pod in a topology with `size` domains. One pod matters more if there are more domains.
 *
 * @returns ln(size + 2)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 * topologyNormalizingWeight
 */
export function topologyNormalizingWeight(size: number): number {
  return todo(KATA, 'topologyNormalizingWeight', 'Level 7');
}

/**
 * Computes how full a domain is. The part for maxSkew is equal for all nodes, so it makes their differences smaller.
 *
 * @returns count × weight + (maxSkew - 1); not rounded
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 * scoreForCount
 */
export function scoreForCount(count: number, maxSkew: number, weight: number): number {
  return todo(KATA, 'scoreForCount', 'Level 7');
}

/**
 * Scores topology spread: the emptier the domain, the better.
 *
 * `preScore` returns `Skip` if the pod has no `ScheduleAnyway` constraint (`framework.softConstraints`). Otherwise it *ignores* the
 * feasible nodes that lack the topology key of any of these constraints. For each constraint:
 * - Its domains are the values of its key (`''` is a value too) on the feasible nodes that are not ignored; its weight is
 *   {@link topologyNormalizingWeight} of their number. For the key {@link LABEL_HOSTNAME} each node is its own domain, whatever the
 *   value.
 * - The count of a domain is the sum of `filters.countPodsMatchSelector`, for this pod's namespace, over *all* nodes of the
 *   snapshot, feasible or not. A node counts if it has the keys of all these constraints, and: with
 *   `nodeAffinityPolicy: Honor`, if it meets the pod's node selector and required affinity (`filters.requiredNodeAffinityMatcher`); with
 *   `nodeTaintsPolicy: Honor`, if the pod tolerates all its taints of the effects `NoSchedule` and `NoExecute`
 *   (`filters.toleratesTaint`). For {@link LABEL_HOSTNAME} the count is always that of the node itself.
 *
 * The score of a node is the sum over the constraints of {@link scoreForCount} of its domains, rounded to the nearest
 * whole number; an ignored node has 0.
 *
 * `normalizeScore`: with the lowest and the highest score of the nodes that are not ignored, each of them gets
 * 100 × (highest + lowest - score) / highest, rounded down; 100 if the highest is 0. Ignored nodes get 0.
 *
 * Differs: without default constraints. Upstream spreads pods of a Service, a ReplicaSet or a StatefulSet that have no constraint
 * over hosts (maxSkew 3) and zones (maxSkew 5).
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 * PodTopologySpread.PreScore, initPreScoreState, PodTopologySpread.Score, PodTopologySpread.NormalizeScore; common.go
 * topologySpreadConstraint.matchNodeInclusionPolicies
 */
export const podTopologySpread: framework.ScorePlugin = {
  name: 'PodTopologySpread',
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'podTopologySpread.preScore', 'Level 7'),
  score: (state, pod, nodeInfo) => todo(KATA, 'podTopologySpread.score', 'Level 7'),
  normalizeScore: (state, pod, scores) => todo(KATA, 'podTopologySpread.normalizeScore', 'Level 7'),
};

// Level 8 ★ · Affinity to pods. Add the finished plugin to `scorePlugins`.

/**
 * The weight of a required affinity term of a running pod.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/defaults.go
 * SetDefaults_InterPodAffinityArgs
 */
export const HARD_POD_AFFINITY_WEIGHT = 1;

/**
 * Scores affinity and anti-affinity between this pod and running pods.
 *
 * For each running pod on a node of the snapshot, feasible or not, and for each term (`framework.podInfoOf`):
 * - preferred affinity of this pod: if the running pod matches it (`filters.termMatches`), the domain of the running pod gains the
 *   weight of the term;
 * - preferred anti-affinity of this pod: likewise, the domain loses the weight;
 * - required affinity of the running pod: if *this* pod matches it, the domain gains {@link HARD_POD_AFFINITY_WEIGHT};
 * - preferred affinity and anti-affinity of the running pod: likewise, the domain gains or loses the weight.
 *
 * The domain is the value of the term's `topologyKey` on the node of the running pod, which may be `''`; without that label, the term
 * does not count. Pods that are being deleted count. The score of a node is the sum of the gains and losses of its domains. It may
 * be negative.
 *
 * Unless this pod has preferred terms, check only pods that have terms (`Snapshot.havePodsWithAffinity`,
 * `NodeInfo.podsWithAffinity`). `Snapshot.countByTopology` keeps counts for the next pod, and then calls you only for changed nodes,
 * which matters in a large cluster. `preScore` returns `Skip` if no term counts. If gains and losses cancel out to 0, it does not.
 *
 * `normalizeScore`: with the lowest and the highest score, each becomes 100 × ((score - lowest) / (highest - lowest)), in floating
 * point in this order, rounded down; 0 if all are equal.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/scoring.go
 * InterPodAffinity.PreScore, processExistingPod, InterPodAffinity.Score, InterPodAffinity.NormalizeScore
 */
export const interPodAffinity: framework.ScorePlugin = {
  name: 'InterPodAffinity',
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'interPodAffinity.preScore', 'Level 8'),
  score: (state, pod, nodeInfo) => todo(KATA, 'interPodAffinity.score', 'Level 8'),
  normalizeScore: (state, pod, scores) => todo(KATA, 'interPodAffinity.normalizeScore', 'Level 8'),
};

// All together: part of Level 5, at the end of the file because it uses all plugins.

/**
 * The default plugins and their weights (Level 5): TaintToleration 3, NodeAffinity 2, NodeResourcesFit 1 and
 * NodeResourcesBalancedAllocation 1 with their default arguments. Then those of the ★ levels, once you have written them:
 * ImageLocality 1, PodTopologySpread 2, InterPodAffinity 2.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
export const scorePlugins: readonly framework.WeightedPlugin[] = [];

/** The scores of a scheduler: the only export that the rest of a cluster uses. */
export const scoring: framework.Scoring = { plugins: scorePlugins, prioritizeNodes, selectHost };
