/**
 * Kata 32 · Score. Read README.md beside this file, then begin at the top: Level 1 is how full a node is.
 *
 * Each plugin looks at the nodes that are left after filtering (kata 31) and says how good each of them is. Levels 1 to 4 are
 * plugins; Level 5 weighs what they say and picks a node. The levels marked ★ are three more plugins.
 *
 * A plugin is asked in this order: `preScore` once, with all the nodes that are left and the snapshot; `score` for
 * each of them; `normalizeScore` once, with what `score` gave. What `preScore` works out it writes into `state`,
 * under a key of your own (`framework.stateKey`). If it gives `Skip`, nothing else is asked of the plugin for this
 * pod. `score` and `normalizeScore` are never asked before `preScore`.
 *
 * To go your own way, write {@link scoring} in any shape: its contract stands at `framework.Scoring` and `framework.ScorePlugin`, and
 * here at each plugin. The laws ask for no more.
 *
 * All scores are whole numbers. "Rounded down" means towards zero, as Go divides whole numbers. Objects that come from the API, and a
 * snapshot, are shared and frozen: look, and change nothing.
 */
import { framework, todo } from '#harness';

const KATA = '32-score';

// Level 1 · How full a node is

/**
 * How much of one resource would be free, in percent.
 *
 * @param requested what the pods on the node and this one ask for together
 * @param capacity what the node has; same unit
 * @returns (capacity - requested) × 100 / capacity, rounded down; 0 if more is requested than there is, and if
 * there is nothing
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/least_allocated.go
 * leastRequestedScore
 */
export function leastAllocatedScore(requested: number, capacity: number): number {
  return todo(KATA, 'leastAllocatedScore', 'Level 1');
}

/**
 * How much of one resource would be in use, in percent.
 *
 * @param requested what the pods on the node and this one ask for together
 * @param capacity what the node has; same unit
 * @returns requested × 100 / capacity, rounded down; 100 when more is requested than there is; 0 when there is
 * nothing
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/most_allocated.go
 * mostRequestedScore
 */
export function mostAllocatedScore(requested: number, capacity: number): number {
  return todo(KATA, 'mostAllocatedScore', 'Level 1');
}

/**
 * The scoring half of NodeResourcesFit. The score of a node is the average over the resources, each weighed:
 * the sum of score × weight, divided by the sum of the weights, rounded down. Each score was rounded down before.
 *
 * What is requested of a resource is the sum over the pods on the node and this pod, where a container that does not
 * say how much cpu, or memory, it wants is taken to want 100m, or 200Mi; one that says 0 wants 0. `NodeInfo` and
 * `framework.podInfoOf` know both sums: `nonZeroRequested`, `nonZeroRequests`.
 *
 * `framework.requestedResources` says which resources count for the pod, and how much it asks for; `framework.amountOf` how much of one
 * there is. A resource of which the node has none does not count, and neither does its weight. If no resource counts, the score is 0.
 * There is nothing to normalise, and no pod is skipped.
 *
 * @returns a plugin of the name `NodeResourcesFit`
 * @throws Error if the arguments make no sense: `framework.nodeResourcesFitArgs` fills in what they leave out, and refuses what is wrong
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go Fit.PreScore,
 * Fit.Score; resource_allocation.go resourceAllocationScorer; least_allocated.go leastResourceScorer;
 * most_allocated.go mostResourceScorer
 */
export function nodeResourcesFit(args: framework.NodeResourcesFitArgs = {}): framework.ScorePlugin {
  return todo(KATA, 'nodeResourcesFit', 'Level 1');
}

// Level 2 · Balance

/**
 * How evenly a node is used. A node that has no cpu left and half of its memory is of no use.
 *
 * @param fractions of each resource, how much of it is in use: 0.5 is half, more than 1 counts as 1
 * @returns (1 - deviation) × 100, computed in floating point in this order, and rounded down. The deviation of two
 * fractions is half their distance, |a - b| / 2; of more, the square root of the mean of the squared distances from
 * their mean; of fewer, 0
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
 * What is requested is what the pods on the node and this one *say* that they want, `requested` and `requests`:
 * nothing is assumed for a container that does not say. The same resources count as in {@link nodeResourcesFit}. There is nothing to
 * normalise.
 *
 * `preScore` gives `Skip` if this pod asks for none of the resources: it changes no balance (kubernetes/kubernetes#129138).
 *
 * @returns a plugin of the name `NodeResourcesBalancedAllocation`
 * @throws Error if the arguments make no sense: `framework.nodeResourcesBalancedAllocationArgs`, as above
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
 * Brings scores of any size into 0 to `maxPriority`: the highest becomes `maxPriority`, the others in proportion, and
 * 0 stays 0. What matters is the highest alone, not the lowest.
 *
 * @param maxPriority the best that there is, 100
 * @param reverse whether less is better: then each becomes `maxPriority` minus what it would have become
 * @param scores none negative; they stay as they are
 * @returns new ones, in the order given: score × maxPriority / highest, rounded down *before* it is reversed. When
 * the highest is 0 (or there is none) all are 0, reversed all `maxPriority`
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
 * The scoring half of NodeAffinity, of the name `NodeAffinity`: what a pod *prefers*,
 * `spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution`.
 *
 * The score of a node is the sum of the weights of the terms whose `preference` it meets (`filters.nodeSelectorTermMatcher`), normalised
 * by {@link defaultNormalizeScore}, more being better.
 * `preScore` gives `Skip` if the pod has no such terms.
 *
 * Differs: upstream fails a pod of which a term cannot be understood; here such a term matches no node.
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
 * @returns how many of the taints have the effect `PreferNoSchedule` and are tolerated by none of the tolerations
 * (`filters.toleratesTaint`). Taints of other effects are the filter's and do not count
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
 * The scoring half of TaintToleration, of the name `TaintToleration`. The score of a node is {@link
 * countIntolerableTaintsPreferNoSchedule}, normalised by {@link defaultNormalizeScore}, *fewer* being better: where
 * there is no such taint anywhere, every node has 100. It is never skipped.
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
 * Asks every plugin, and adds up what they say.
 *
 * 1. `preScore` of each plugin that has one, in their order, with the feasible nodes; of all of them, before any is
 *    asked for a score. The names of those that give `Skip` are put into `state.skipScorePlugins`; nothing more is
 *    asked of them.
 * 2. `score` of each that is left, for each feasible node; then its `normalizeScore`, if it has one, with its scores
 *    in the order of the nodes.
 * 3. The total of a node is the sum of score × weight. If there are no plugins at all, it is 1.
 *
 * @returns for each feasible node, in their order: the scores, each times its weight, in the order of the plugins and
 * without those that were skipped; and their sum
 * @throws Error if a `preScore` turns the pod away (`framework.isRejected`), which only filters may; and if what a
 * plugin gives after normalising is less than 0, more than 100 or no whole number: then its message has the name of
 * the plugin and the score. (Whole numbers are all that Go's `int64` can be.)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go prioritizeNodes;
 * pkg/scheduler/framework/runtime/framework.go RunPreScorePlugins, RunScorePlugins
 */
export function prioritizeNodes(request: framework.PrioritizeNodes): framework.NodePluginScores[] {
  return todo(KATA, 'prioritizeNodes', 'Level 5');
}

/**
 * One of the nodes with the highest total. If there are several, any of them is right: the first, the last, or one by chance.
 *
 * @param random for chance, if you like: `int(max)` gives a whole number from 0 to max - 1, each as likely
 * @returns its name
 * @throws Error if there is no node
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go nodeScoreHeap: the node on top of a heap wins
 */
export function selectHost(
  scores: readonly framework.NodePluginScores[],
  random: { int(max: number): number },
): string {
  return todo(KATA, 'selectHost', 'Level 5');
}

// Level 6 ★ · Images that are there already. Once the plugin is written, add it to `scorePlugins`.

/**
 * The name under which a node has an image.
 *
 * @returns the name, and `:latest` after it unless its last colon comes after its last slash: a tag and a digest are
 * left alone (`nginx:1`, `nginx@sha256:…`), while a registry's port is neither (`registry:5000/nginx`)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * normalizedImageName
 */
export function normalizedImageName(name: string): string {
  return todo(KATA, 'normalizedImageName', 'Level 6');
}

/**
 * What it is worth that a node has an image. One that is on a single node of many is worth little, or all the pods
 * with it would go to that one node.
 *
 * @param sizeBytes of the image on that node
 * @param numNodes on how many nodes it is, by this name
 * @param totalNumNodes how many nodes there are in the cluster
 * @returns bytes: sizeBytes × (numNodes / totalNumNodes), in floating point in this order, rounded down
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * scaledImageScore
 */
export function scaledImageScore(sizeBytes: number, numNodes: number, totalNumNodes: number): number {
  return todo(KATA, 'scaledImageScore', 'Level 6');
}

/** Below so many bytes nothing is saved: 23 MiB. */
export const MIN_THRESHOLD_BYTES = 23 * 1024 * 1024;

/** Above so many bytes for each container nothing more is: 1000 MiB. */
export const MAX_CONTAINER_THRESHOLD_BYTES = 1000 * 1024 * 1024;

/**
 * The score of a node that has images worth so much.
 *
 * @param sumScores bytes: the sum of {@link scaledImageScore}
 * @param numContainers of the pod, init containers among them; it is never asked about fewer than 1
 * @returns 0 up to {@link MIN_THRESHOLD_BYTES}, 100 from {@link MAX_CONTAINER_THRESHOLD_BYTES} × numContainers;
 * between them 100 × (sumScores - min) / (max - min), rounded down
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * calculatePriority
 */
export function calculatePriority(sumScores: number, numContainers: number): number {
  return todo(KATA, 'calculatePriority', 'Level 6');
}

/**
 * Prefers nodes that need not pull so much; of the name `ImageLocality`. For each container and each init container
 * (also when two have the same image) whose image is on the node, by its {@link normalizedImageName}, add up its
 * {@link scaledImageScore}; the score is {@link calculatePriority} of the sum. The nodes of the cluster are those of
 * the snapshot, whether they are feasible or not. `NodeInfo.images` has the sizes, `Snapshot.imageNodes` counts the
 * nodes. There is nothing to normalise, and it is never skipped.
 *
 * Differs: upstream knows one size of an image, as the node says on which it was seen first; here each node has its
 * own. And images that are mounted as volumes do not exist.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * ImageLocality.Score, sumImageScores
 */
export const imageLocality: framework.ScorePlugin = {
  name: 'ImageLocality',
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'imageLocality.preScore', 'Level 6'),
  score: (state, pod, nodeInfo) => todo(KATA, 'imageLocality.score', 'Level 6'),
};

// Level 7 ★ · Spread. Once the plugin is written, add it to `scorePlugins`.

/** This label's value is another on each node. */
export const LABEL_HOSTNAME = 'kubernetes.io/hostname';

/**
 * What a pod counts in a topology with so many values. A pod more or less matters more where there are many places to
 * go.
 *
 * @returns ln(size + 2)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 * topologyNormalizingWeight
 */
export function topologyNormalizingWeight(size: number): number {
  return todo(KATA, 'topologyNormalizingWeight', 'Level 7');
}

/**
 * How crowded a place is. What is added for the skew is the same for all nodes, and so makes their differences
 * smaller.
 *
 * @returns count × weight + (maxSkew - 1); not rounded
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 * scoreForCount
 */
export function scoreForCount(count: number, maxSkew: number, weight: number): number {
  return todo(KATA, 'scoreForCount', 'Level 7');
}

/**
 * The scoring half of PodTopologySpread, of the name `PodTopologySpread`: the emptier the place, the better.
 *
 * `preScore` gives `Skip` if the pod has no wishes (`framework.softConstraints`). Else it *leaves out* the feasible nodes that
 * lack the topology key of any of these, and looks at each of them:
 * - Its places are the values of its key (`''` is a value, too) on the feasible nodes that are not left out; its
 *   weight is {@link topologyNormalizingWeight} of how many they are. For the key {@link LABEL_HOSTNAME} each node is a
 *   place by itself, whatever the value.
 * - A place holds `filters.countPodsMatchSelector` pods of this pod's namespace, summed over *all* nodes of the
 *   snapshot, also those that are not feasible. A node counts if it has the keys of all these constraints, and: with
 *   `nodeAffinityPolicy: Honor`, if it meets the pod's node selector and required affinity (`filters.requiredNodeAffinityMatcher`); with
 *   `nodeTaintsPolicy: Honor`, if the pod tolerates all its taints of the effects `NoSchedule` and `NoExecute`
 *   (`filters.toleratesTaint`). For {@link LABEL_HOSTNAME} it is the
 *   pods on the node itself, in any case.
 *
 * The score of a node is the sum over the constraints of {@link scoreForCount} of its places, rounded to the nearest
 * whole; of one that is left out, 0.
 *
 * `normalizeScore`: with the least and the most of the scores of nodes that are not left out, each of these becomes
 * 100 × (most + least - score) / most, rounded down; 100 if the most is 0. Those that are left out become 0.
 *
 * Differs: a pod without any constraint has none here. Upstream then spreads pods that a Service, a ReplicaSet or a
 * StatefulSet selects over hosts (maxSkew 3) and zones (maxSkew 5), which are not looked up here.
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

// Level 8 ★ · Affinity to pods. Once the plugin is written, add it to `scorePlugins`.

/**
 * How much it counts that a pod is required by one that is there already.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/defaults.go
 * SetDefaults_InterPodAffinityArgs
 */
export const HARD_POD_AFFINITY_WEIGHT = 1;

/**
 * The scoring half of InterPodAffinity, of the name `InterPodAffinity`: near pods that it likes, far from pods that it does
 * not, and likewise what those think that are there already.
 *
 * For every pod that is on a node of the snapshot, feasible or not, and for every term (`framework.podInfoOf`):
 * - of this pod, preferred affinity: when the other pod matches it (`filters.termMatches`), the other's
 *   place gains the weight of the term;
 * - of this pod, preferred anti-affinity: then it loses it;
 * - of the other, required affinity: when *this* pod matches it, the other's place gains {@link
 *   HARD_POD_AFFINITY_WEIGHT};
 * - of the other, preferred affinity and anti-affinity: then it gains or loses the weight of the term.
 *
 * The other's place is the value that its node has for the term's `topologyKey`, which may be `''`; without that label
 * nothing happens.
 * Pods that are being deleted count like all others. The score of a node is the sum over its places: for each
 * topology key that it has as a label, what that value has gained or lost. It may be negative.
 *
 * Unless this pod has preferred terms of its own, only those pods need to be looked at that have any
 * (`Snapshot.havePodsWithAffinity`, `NodeInfo.podsWithAffinity`). `Snapshot.countByTopology` keeps what was counted for the next pod, and
 * then asks only nodes that have changed. In a large cluster that is what makes it bearable.
 * `preScore` gives `Skip` if no place has gained or lost anything. A gain and a loss that cancel are something.
 *
 * `normalizeScore`: with the least and the most of the scores, each becomes 100 × ((score - least) / (most - least)),
 * in floating point in this order, rounded down; 0 when they are all the same.
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

// All together. It belongs to the sum, and stands at the end because it names what stands before.

/**
 * The plugins that score by default, and their weights. The list is of Level 5: fill it in when Levels 1 to 4 are written. TaintToleration 3,
 * NodeAffinity 2, NodeResourcesFit 1 (with its default arguments), NodeResourcesBalancedAllocation 1 (likewise). Those of the ★ levels
 * come to them once you have written them: ImageLocality 1, PodTopologySpread 2, InterPodAffinity 2.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
export const scorePlugins: readonly framework.WeightedPlugin[] = [];

/** This half of a scheduler: what the rest of a cluster knows of this kata. */
export const scoring: framework.Scoring = { plugins: scorePlugins, prioritizeNodes, selectHost };
