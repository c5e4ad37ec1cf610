/**
 * Kata 32 · Score. Read README.md beside this file, then begin at the top: Level 1 is how full a node is.
 *
 * Each plugin looks at the nodes that are left after filtering (kata 31) and says how good each of them is. Levels 1
 * to 7 are plugins, one or two each; Level 8 weighs what they say and picks a node.
 *
 * A plugin is asked in this order: `preScore` once, with all the nodes that are left and the snapshot; `score` for
 * each of them; `normalizeScore` once, with what `score` gave. What `preScore` works out it writes into `state`,
 * under a key of your own (`framework.stateKey`). When it gives `Skip`, nothing else is asked of the plugin for this
 * pod. `score` and `normalizeScore` are never asked before `preScore`.
 *
 * All scores are whole numbers. "Rounded down" means towards zero, as Go divides whole numbers. Amounts of bytes are
 * exact up to 2^53 / 100: 80 tebibytes a node.
 *
 * This is the only file that you edit. Signatures are what the tests use; inside, do as you like. What is below
 * "Given" is written already. Objects that come from the API, and a snapshot, are shared and frozen: look, and change
 * nothing.
 */
import { framework, labels, type Node, type Pod, todo } from '#harness';

const KATA = '32-score';

// Level 1 · How full a node is

/** A resource that a plugin looks at, and how much it counts beside the others. */
export interface ResourceSpec {
  /** As in a pod's requests: `cpu`, `memory`, `ephemeral-storage`, `example.com/gpu`. */
  readonly name: string;
  /** A whole number. */
  readonly weight: number;
}

/**
 * How much of a resource.
 *
 * @param name `cpu`, `memory`, `ephemeral-storage`, or any other, which is to be found in `scalar`
 * @returns thousandths of a core, bytes, bytes, or the amount; 0 for one that is not there, and for `pods`
 */
export function amountOf(resources: framework.Resources, name: string): number {
  return todo(KATA, 'amountOf', 'Level 1');
}

/**
 * How much of one resource would be free, in percent.
 *
 * @param requested what the pods on the node and this one ask for together
 * @param capacity what the node has; same unit
 * @returns (capacity - requested) × 100 / capacity, rounded down; 0 when more is requested than there is, and when
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

/** How nodes are to be filled. */
export interface NodeResourcesFitArgs {
  /** `LeastAllocated` spreads pods over nodes, `MostAllocated` packs them. @defaultValue `LeastAllocated` */
  readonly type?: 'LeastAllocated' | 'MostAllocated';
  /** @defaultValue cpu and memory, each with weight 1 */
  readonly resources?: readonly ResourceSpec[];
}

/**
 * The scoring half of NodeResourcesFit. The score of a node is the average over the resources, each weighed:
 * the sum of score × weight, divided by the sum of the weights, rounded down. Each score was rounded down before.
 *
 * What is requested of a resource is the sum over the pods on the node and this pod, where a container that does not
 * say how much cpu, or memory, it wants is taken to want 100m, or 200Mi; one that says 0 wants 0. `NodeInfo` and
 * `framework.podInfoOf` know both sums: `nonZeroRequested`, `nonZeroRequests`.
 *
 * A resource does not count for a node, and neither does its weight, when the node has none of it, or when it is
 * anything but cpu, memory and ephemeral-storage and this pod asks for none of it. When no resource counts, the score
 * is 0.
 *
 * There is nothing to normalise, and no pod of which it has nothing to say.
 *
 * @returns a plugin of the name `NodeResourcesFit`
 * @throws Error when the arguments make no sense. Its message names *each* field that is wrong:
 * `scoringStrategy.resources[1].weight` (counted from 0) for a weight that is not a whole number from 1 to 100,
 * `scoringStrategy.type` for a type that there is not. A list of resources that is empty is refused, too: here, or by
 * `score`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/fit.go Fit.PreScore,
 * Fit.Score; resource_allocation.go resourceAllocationScorer; least_allocated.go leastResourceScorer;
 * most_allocated.go mostResourceScorer; pkg/scheduler/apis/config/validation/validation_pluginargs.go
 * ValidateNodeResourcesFitArgs
 */
export function nodeResourcesFit(args: NodeResourcesFitArgs = {}): framework.ScorePlugin {
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

/** Which resources are to be used evenly. */
export interface NodeResourcesBalancedAllocationArgs {
  /** @defaultValue cpu and memory, each with weight 1 */
  readonly resources?: readonly ResourceSpec[];
}

/**
 * Prefers nodes on which the pod makes the use of resources more even. The score is 50 + (50 + with − without) / 2, rounded down:
 * *with* and *without* are {@link balancedAllocationScore} of requested / allocatable of each resource, with this pod and without
 * it. So it is 75 if the pod changes nothing, more if the node becomes more even, and less if it becomes less even.
 *
 * What is requested is what the pods on the node and this one *say* that they want, `requested` and `requests`:
 * nothing is assumed for a container that does not say. A resource is left out for a node in the same cases as in
 * {@link nodeResourcesFit}. There is nothing to normalise.
 *
 * `preScore` gives `Skip` if this pod asks for none of the resources: it changes no balance (kubernetes/kubernetes#129138).
 *
 * @returns a plugin of the name `NodeResourcesBalancedAllocation`
 * @throws Error when the arguments make no sense. Its message names *each* field that is wrong: `resources[1].weight`
 * (counted from 0) for a weight that is not 1, `resources[1].name` for a name that was there before. A list of
 * resources that is empty is refused, too: here, or by `score`, unless it is skipped
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/noderesources/balanced_allocation.go
 * BalancedAllocation, balancedResourceScorer; pkg/scheduler/apis/config/validation/validation_pluginargs.go
 * ValidateNodeResourcesBalancedAllocationArgs
 */
export function nodeResourcesBalancedAllocation(
  args: NodeResourcesBalancedAllocationArgs = {},
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
 * The score of a node is the sum of the weights of the terms whose `preference` it meets ({@link
 * nodeSelectorTermMatcher}, which is given), normalised by {@link defaultNormalizeScore}, more being better.
 * `preScore` gives `Skip` when the pod has no such terms.
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

/** A taint of a node. */
export type Taint = NonNullable<Node['spec']['taints']>[number];

/** A toleration of a pod. */
export type Toleration = NonNullable<Pod['spec']['tolerations']>[number];

/**
 * @returns how many of the taints have the effect `PreferNoSchedule` and are tolerated by none of the tolerations
 * ({@link toleratesTaint}, which is given). Taints of other effects are the filter's and do not count
 * @see Upstream: kubernetes/kubernetes@v1.36.3
 * pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go countIntolerableTaintsPreferNoSchedule
 */
export function countIntolerableTaintsPreferNoSchedule(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
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

// Level 5 · Images that are there already

/**
 * The name under which a node has an image.
 *
 * @returns the name, and `:latest` after it unless its last colon comes after its last slash: a tag and a digest are
 * left alone (`nginx:1`, `nginx@sha256:…`), while a registry's port is neither (`registry:5000/nginx`)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/imagelocality/image_locality.go
 * normalizedImageName
 */
export function normalizedImageName(name: string): string {
  return todo(KATA, 'normalizedImageName', 'Level 5');
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
  return todo(KATA, 'scaledImageScore', 'Level 5');
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
  return todo(KATA, 'calculatePriority', 'Level 5');
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
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'imageLocality.preScore', 'Level 5'),
  score: (state, pod, nodeInfo) => todo(KATA, 'imageLocality.score', 'Level 5'),
};

// Level 6 · Spread

/** This label's value is another on each node. */
export const LABEL_HOSTNAME = 'kubernetes.io/hostname';

/** A wish to be spread over the values of a label. */
export interface SoftConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  /** The pods that count. */
  readonly selector: labels.Selector;
  /** `Honor` unless the pod says `Ignore`: nodes that the pod's node selector and affinity exclude do not count. */
  readonly nodeAffinityPolicy: 'Honor' | 'Ignore';
  /** `Ignore` unless the pod says `Honor`: nodes with a taint that keeps the pod away do not count. */
  readonly nodeTaintsPolicy: 'Honor' | 'Ignore';
}

/**
 * @returns the pod's `topologySpreadConstraints` that are only wishes (`whenUnsatisfiable: ScheduleAnyway`), in their
 * order. The selector is that of `labelSelector` (`labels.labelSelectorAsSelector`; without one it matches nothing),
 * and for each of `matchLabelKeys` that is a label of this pod, the label must have the same value
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * filterTopologySpreadConstraints
 */
export function softConstraints(pod: Pod): SoftConstraint[] {
  return todo(KATA, 'softConstraints', 'Level 6');
}

/**
 * @returns how many of the pods match: those in this namespace, not being deleted, that the selector matches. A
 * selector that would match everything (`labelSelector: {}`, `selector.empty`) counts none
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/common.go
 * countPodsMatchSelector
 */
export function countPodsMatchSelector(
  pods: readonly framework.PodInfo[],
  selector: labels.Selector,
  namespace: string | undefined,
): number {
  return todo(KATA, 'countPodsMatchSelector', 'Level 6');
}

/**
 * What a pod counts in a topology with so many values. A pod more or less matters more where there are many places to
 * go.
 *
 * @returns ln(size + 2)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/podtopologyspread/scoring.go
 * topologyNormalizingWeight
 */
export function topologyNormalizingWeight(size: number): number {
  return todo(KATA, 'topologyNormalizingWeight', 'Level 6');
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
  return todo(KATA, 'scoreForCount', 'Level 6');
}

/**
 * The scoring half of PodTopologySpread, of the name `PodTopologySpread`: the emptier the place, the better.
 *
 * `preScore` gives `Skip` when the pod has no {@link softConstraints}. Else it *leaves out* the feasible nodes that
 * lack the topology key of any of these, and looks at each of them:
 * - Its places are the values of its key (`''` is a value, too) on the feasible nodes that are not left out; its
 *   weight is {@link topologyNormalizingWeight} of how many they are. For the key {@link LABEL_HOSTNAME} each node is a
 *   place by itself, whatever the value.
 * - A place holds {@link countPodsMatchSelector} pods of this pod's namespace, summed over *all* nodes of the
 *   snapshot, also those that are not feasible. A node counts if it has the keys of all these constraints, and: with
 *   `nodeAffinityPolicy: Honor`, if it meets the pod's node selector and required affinity ({@link
 *   requiredNodeAffinityMatcher}, which is given); with `nodeTaintsPolicy: Honor`, if the pod tolerates all its
 *   taints of the effects `NoSchedule` and `NoExecute` ({@link toleratesTaint}). For {@link LABEL_HOSTNAME} it is the
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
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'podTopologySpread.preScore', 'Level 6'),
  score: (state, pod, nodeInfo) => todo(KATA, 'podTopologySpread.score', 'Level 6'),
  normalizeScore: (state, pod, scores) => todo(KATA, 'podTopologySpread.normalizeScore', 'Level 6'),
};

// Level 7 · Affinity to pods

/**
 * How much it counts that a pod is required by one that is there already.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/defaults.go
 * SetDefaults_InterPodAffinityArgs
 */
export const HARD_POD_AFFINITY_WEIGHT = 1;

/**
 * The scoring half of InterPodAffinity, of the name `InterPodAffinity`: near whom it likes, far from whom it does
 * not, and likewise what those think who are there already.
 *
 * For every pod that is on a node of the snapshot, feasible or not, and for every term (`framework.podInfoOf`):
 * - of this pod, preferred affinity: when the other pod matches it ({@link termMatches}, which is given), the other's
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
 * `preScore` gives `Skip` when no place has gained or lost anything. A gain and a loss that cancel are something.
 *
 * `normalizeScore`: with the least and the most of the scores, each becomes 100 × ((score - least) / (most - least)),
 * in floating point in this order, rounded down; 0 when they are all the same.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins/interpodaffinity/scoring.go
 * InterPodAffinity.PreScore, processExistingPod, InterPodAffinity.Score, InterPodAffinity.NormalizeScore
 */
export const interPodAffinity: framework.ScorePlugin = {
  name: 'InterPodAffinity',
  preScore: (state, pod, feasible, snapshot) => todo(KATA, 'interPodAffinity.preScore', 'Level 7'),
  score: (state, pod, nodeInfo) => todo(KATA, 'interPodAffinity.score', 'Level 7'),
  normalizeScore: (state, pod, scores) => todo(KATA, 'interPodAffinity.normalizeScore', 'Level 7'),
};

// Level 8 · The sum, and who wins

/**
 * Asks every plugin, and adds up what they say.
 *
 * 1. `preScore` of each plugin that has one, in their order, with the feasible nodes; of all of them, before any is
 *    asked for a score. The names of those that give `Skip` are put into `state.skipScorePlugins`; nothing more is
 *    asked of them.
 * 2. `score` of each that is left, for each feasible node; then its `normalizeScore`, if it has one, with its scores
 *    in the order of the nodes.
 * 3. The total of a node is the sum of score × weight. When there are no plugins at all, it is 1.
 *
 * @returns for each feasible node, in their order: the scores, each times its weight, in the order of the plugins and
 * without those that were skipped; and their sum
 * @throws Error when a `preScore` turns the pod away (`framework.isRejected`), which only filters may; and when what a
 * plugin gives after normalising is less than 0, more than 100 or no whole number: then its message has the name of
 * the plugin and the score. (Whole numbers are all that Go's `int64` can be.)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go prioritizeNodes;
 * pkg/scheduler/framework/runtime/framework.go RunPreScorePlugins, RunScorePlugins
 */
export function prioritizeNodes(request: framework.PrioritizeNodes): framework.NodePluginScores[] {
  return todo(KATA, 'prioritizeNodes', 'Level 8');
}

/**
 * One of the nodes with the highest total. If there are several, chance decides, and each of them is as likely as the
 * others.
 *
 * @param random `int(max)` gives a whole number from 0 to max - 1, each as likely; ask it as often as you like
 * @returns its name
 * @throws Error when there is no node
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/schedule_one.go nodeScoreHeap. Differs: there the
 * node on top of a heap wins, unless an extender has scored (kubernetes/kubernetes#141024)
 */
export function selectHost(
  scores: readonly framework.NodePluginScores[],
  random: { int(max: number): number },
): string {
  return todo(KATA, 'selectHost', 'Level 8');
}

/**
 * The plugins that score by default, and their weights: to be filled in, last of all, because it makes two of them as
 * soon as this file is loaded ({@link nodeResourcesFit} and {@link nodeResourcesBalancedAllocation}). In this order:
 * TaintToleration 3, NodeAffinity 2, NodeResourcesFit 1 (with its default arguments), PodTopologySpread 2,
 * InterPodAffinity 2, NodeResourcesBalancedAllocation 1 (likewise), ImageLocality 1.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/apis/config/v1/default_plugins.go getDefaultPlugins
 */
export const scorePlugins: readonly framework.WeightedPlugin[] = [];

/** This half of a scheduler, put together. */
export const scoring: framework.Scoring = { plugins: scorePlugins, prioritizeNodes, selectHost };

// Given: what kata 31 is about

/**
 * Does the toleration allow for the taint, as far as effect, key and value go?
 *
 * @see Upstream: kubernetes/api@v0.36.3 core/v1/toleration.go Toleration.ToleratesTaint
 */
export function toleratesTaint(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.operator || 'Equal') === 'Equal' && (toleration.value ?? '') === (taint.value ?? '');
}

/** A term of a node selector: expressions on labels, and on the name of the node. */
export type NodeSelectorTerm = NonNullable<
  NonNullable<
    NonNullable<Pod['spec']['affinity']>['nodeAffinity']
  >['preferredDuringSchedulingIgnoredDuringExecution']
>[number]['preference'];

/**
 * Reads a term once, to ask about many nodes.
 *
 * @returns says whether a node meets every expression of the term. None does when the term has no expression, or one
 * that cannot be understood
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * newNodeSelectorTerm, nodeSelectorTerm.match
 */
export function nodeSelectorTermMatcher(term: NodeSelectorTerm): (node: Node) => boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return () => false;
  const operators = {
    In: 'in',
    NotIn: 'notin',
    Exists: 'exists',
    DoesNotExist: '!',
    Gt: 'gt',
    Lt: 'lt',
  } as const;
  try {
    const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
      if (!Object.hasOwn(operators, operator)) throw new labels.SelectorError(operator);
      return labels.newRequirement(key, operators[operator as keyof typeof operators], values);
    });
    const fields = matchFields.map(({ key, operator, values = [] }) => {
      if (values.length !== 1 || (operator !== 'In' && operator !== 'NotIn'))
        throw new labels.SelectorError(operator);
      return { isName: key === 'metadata.name', wanted: operator === 'In', value: values[0] };
    });
    return ({ metadata }) =>
      requirements.every((requirement) => requirement.matches(metadata.labels)) &&
      fields.every(({ isName, wanted, value }) => ((isName ? metadata.name : '') === value) === wanted);
  } catch (error) {
    if (error instanceof labels.SelectorError) return () => false;
    throw error;
  }
}

/**
 * Reads what a pod requires of a node's labels and name once, to ask about many nodes.
 *
 * @returns says whether a node has all of `spec.nodeSelector`, and meets one of the terms of the required node
 * affinity, if there is any
 * @see Upstream: kubernetes/component-helpers@v0.36.3 scheduling/corev1/nodeaffinity/nodeaffinity.go
 * GetRequiredNodeAffinity, RequiredNodeAffinity.Match
 */
export function requiredNodeAffinityMatcher({ spec }: Pod): (node: Node) => boolean {
  const selector = labels.selectorFromSet(spec.nodeSelector);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms?.map(nodeSelectorTermMatcher);
  return (node) =>
    selector.matches(node.metadata.labels) && (!required || (terms ?? []).some((matches) => matches(node)));
}

/**
 * Does a term speak of this pod: is it in one of its namespaces, and has it the labels?
 *
 * @param namespaces the labels of each namespace, as a snapshot has them; one that is not there has none
 * @see Upstream: kubernetes/kube-scheduler@v0.36.3 framework/types.go AffinityTerm.Matches
 */
export function termMatches(
  term: framework.AffinityTerm,
  { metadata }: Pod,
  namespaces: framework.Snapshot['namespaces'],
): boolean {
  const namespace = metadata.namespace ?? '';
  return (
    (term.namespaces.has(namespace) || term.namespaceSelector.matches(namespaces.get(namespace) ?? {})) &&
    term.selector.matches(metadata.labels)
  );
}
