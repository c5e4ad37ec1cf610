/**
 * The scoring half of a scheduler: plugins that score nodes, and the combination of their scores. It starts with pure
 * functions (utilization, balance, spread), continues with the plugins that apply them to nodes, and ends with the
 * total and the choice. Each level has a file, in this order.
 *
 * The scheduler calls `score` for hundreds of nodes with every pod. Values that are the same for all nodes are
 * therefore computed once, in `preScore`; `score` only looks them up and adds.
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
