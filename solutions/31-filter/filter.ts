/**
 * Where a pod can run: the filters of the scheduler. A level is a plugin: decisions on plain objects first, then the plugin
 * that asks them for a pod and a node. At the end all plugins about all nodes, and the sentence that says why none will do.
 *
 * A `filter` runs once for each node, so that nothing is read, parsed or allocated in it that could have been before: what
 * depends on the pod alone is known of the pod, what depends on all nodes is counted in `preFilter`, and what is always said
 * in the same words is one object.
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
