/** The given types and functions for the node parts of a kubelet. */
export type { PodRejection } from './node-agent.ts';
export { describeNode, nodeDescription } from './node-description.ts';
export {
  type NodeObservation,
  type NodePressure,
  type NodeSources,
  observeNode,
} from './node-observation.ts';
export type {
  AdmissionInput,
  EvictionGrounds,
  EvictionManagerOptions,
  NodeConditions,
  NodeLeaseOptions,
  NodeParts,
} from './node-parts.ts';
export { formatAmount, isCriticalPod, localStorageMessage } from './pod-limits.ts';
export type { NodeUsage, PodUsage } from './pod-usage.ts';
export {
  defaultEvictionHard,
  type EvictionSignal,
  type EvictionThreshold,
  resourceOf,
  type SignalObservations,
  thresholdQuantity,
} from './thresholds.ts';
