/** The given types and functions for the node parts of a kubelet. */
export type { NodeAgent, PodRejection } from './node-agent.ts';
export { describeNode, type NodeDescription, nodeDescription } from './node-description.ts';
export {
  type NodeObservation,
  type NodePressure,
  type NodeSources,
  observeNode,
} from './node-observation.ts';
export type {
  AdmissionInput,
  Eviction,
  EvictionGrounds,
  EvictionManagerOptions,
  NodeConditions,
  NodeLeaseOptions,
  NodeParts,
} from './node-parts.ts';
export { formatAmount, isCriticalPod, localStorageMessage } from './pod-limits.ts';
export { type ContainerUsage, type NodeUsage, observeUsage, type PodUsage } from './pod-usage.ts';
export {
  defaultEvictionHard,
  type EvictionSignal,
  type EvictionThreshold,
  resourceOf,
  type SignalObservation,
  type SignalObservations,
  type ThresholdValue,
  thresholdQuantity,
} from './thresholds.ts';
