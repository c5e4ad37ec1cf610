/** `#laws/41-kubelet`: the entry point for the tests. */

export * as evictionLaws from './eviction/laws.ts';
export type { EvictionScenario } from './eviction/scenario.ts';
export { type EvictionParts, runEviction } from './eviction/simulation.ts';
export { evictionWorkloads } from './eviction/workloads.ts';
export type { KubeletHistory } from './history/index.ts';
export * as kubeletLaws from './laws/index.ts';
export * as nodeLaws from './node/laws.ts';
export type { NodeScenario } from './node/scenario.ts';
export { type RunNode, runNodeScenario } from './node/simulation.ts';
export { nodeWorkloads } from './node/workloads.ts';
export type { KubeletScenario } from './scenario/index.ts';
export { crashAtBoundaries } from './simulation/boundaries.ts';
export { runKubelet } from './simulation/index.ts';
export { workloads } from './workloads/index.ts';
export { sidecarWorkloads } from './workloads/sidecars.ts';
