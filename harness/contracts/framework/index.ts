/**
 * The scheduling framework: the types of a scheduler, and the interfaces of its plugins. Katas 31 and 32 implement
 * plugins; kata 33 implements the loop that calls them.
 *
 * Upstream: kubernetes/kube-scheduler@v0.36.3 framework; kubernetes/kubernetes@v1.36.3 pkg/scheduler/framework
 */
export {
  type ActionType,
  type ClusterEvent,
  type ClusterEventWithHint,
  type EventResource,
  matches,
  type QueueingHint,
  type QueueingHintFn,
} from './cluster-event.ts';
export { CycleState, stateKey } from './cycle-state.ts';
export * as eventsToRegister from './events-to-register.ts';
export { explain } from './explain.ts';
export { labelOf } from './label-of.ts';
export { NodeInfo } from './node-info.ts';
export {
  type InsufficientResource,
  type NodeSelectorTerm,
  namesConflict,
  type Taint,
  type Toleration,
} from './node-rules.ts';
export {
  type BindPlugin,
  type FilterPlugin,
  MAX_NODE_SCORE,
  type NodeScore,
  type ReservePlugin,
  type ScorePlugin,
} from './plugin.ts';
export { type AffinityTerm, type HostPort, type PodInfo, podInfoOf } from './pod-info.ts';
export type {
  Diagnosis,
  Filtering,
  FindNodes,
  NodePluginScores,
  NodesThatFit,
  PrioritizeNodes,
  Profile,
  ReportEvent,
  Scoring,
  WeightedPlugin,
} from './profile.ts';
export {
  addResources,
  maxResources,
  noResources,
  overrideResources,
  parseResources,
  type ResourceList,
  type Resources,
  subtractResources,
} from './resources.ts';
export {
  amountOf,
  type NodeResourcesBalancedAllocationArgs,
  type NodeResourcesFitArgs,
  nodeResourcesBalancedAllocationArgs,
  nodeResourcesFitArgs,
  type RequestedResource,
  type ResourceSpec,
  requestedResources,
} from './scored-resources.ts';
export { Snapshot } from './snapshot.ts';
export { hardConstraints, type SpreadConstraint, softConstraints } from './spread-constraint.ts';
export {
  type Code,
  isRejected,
  type Status,
  skip,
  success,
  unresolvable,
  unschedulable,
} from './status.ts';
export type { Share, TopologyCounts } from './tallies.ts';
