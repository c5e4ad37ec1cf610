/**
 * The scoring half of a scheduler: plugins that say how good a node is, and what becomes of what they say. From pure
 * numbers (how full, how uneven, how crowded) to plugins that apply them to nodes, to the sum and the choice. A file for
 * each level, in the order of the levels.
 *
 * A scheduler asks hundreds of nodes for every pod. So whatever is the same for all of them is worked out once, in
 * `preScore`; `score` only looks up and adds.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins, pkg/scheduler/schedule_one.go
 */

// Level 1 · How full a node is

export { leastAllocatedScore, mostAllocatedScore, nodeResourcesFit } from './fit.ts';

// Level 2 · Balance

export { balancedAllocationScore, nodeResourcesBalancedAllocation } from './balance.ts';

// Level 3 · Preferred node affinity

export { defaultNormalizeScore, nodeAffinity } from './node-affinity.ts';

// Level 4 · Taints that would rather not

export { countIntolerableTaintsPreferNoSchedule, taintToleration } from './taints.ts';

// Level 5 · The sum

export { prioritizeNodes, scorePlugins, scoring, selectHost } from './sum.ts';

// Level 6 ★ · Images that are there already

export {
  calculatePriority,
  imageLocality,
  MAX_CONTAINER_THRESHOLD_BYTES,
  MIN_THRESHOLD_BYTES,
  normalizedImageName,
  scaledImageScore,
} from './images.ts';

// Level 7 ★ · Spread

export { LABEL_HOSTNAME, podTopologySpread, scoreForCount, topologyNormalizingWeight } from './spread.ts';

// Level 8 ★ · Affinity to pods

export { HARD_POD_AFFINITY_WEIGHT, interPodAffinity } from './pod-affinity.ts';
