/**
 * The scheduler's filters, which decide where a pod can run. Each level is a plugin: first decisions on plain objects,
 * then the plugin that applies them to a pod and a node. The last level runs all plugins on all nodes, and writes the
 * message that explains why no node fits.
 *
 * A `filter` runs once for each node, so it must not read, parse or allocate data that could be prepared. Values that
 * depend only on the pod are cached for the pod, values that depend on all nodes are counted in `preFilter`, and each
 * constant status is one object.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework/plugins, pkg/scheduler/schedule_one.go,
 * pkg/scheduler/framework/runtime/framework.go
 */

// Level 1 · Name, and whether the node takes pods

export { nodeName } from './node-name.ts';
export { nodeUnschedulable } from './node-unschedulable.ts';
export { toleratesTaint } from './toleration.ts';

// Level 2 · Taints

export { findMatchingUntoleratedTaint, taintToleration } from './taint-toleration.ts';

// Level 3 · Node selector and node affinity

export {
  matchesNodeSelectorTerm,
  nodeAffinity,
  requiredNodeAffinityMatches,
} from './node-affinity.ts';

// Level 4 · Ports of the node

export { nodePorts, portsConflict } from './node-ports.ts';

// Level 5 · Resources

export {
  insufficientResources,
  nodeResourcesFit,
  podRequests,
} from './node-resources-fit.ts';

// Level 6 · The sum

export { filtering, filterPlugins } from './filtering.ts';
export { findNodesThatFit, numFeasibleNodesToFind } from './find-nodes-that-fit.ts';
export { fitErrorMessage } from './fit-error-message.ts';

// Level 7 ★ · Spread

export {
  countPodsInDomains,
  countPodsMatchSelector,
  matchesNodeInclusionPolicies,
  minMatchNum,
  podTopologySpread,
} from './pod-topology-spread.ts';

// Level 8 ★ · Affinity and anti-affinity to pods

export {
  affinityCounts,
  antiAffinityCounts,
  existingAntiAffinityCounts,
  interPodAffinity,
  podMatchesAllAffinityTerms,
  termMatches,
} from './inter-pod-affinity.ts';
