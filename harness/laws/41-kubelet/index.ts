/** Entry point of this folder: `#laws/41-kubelet`. */
export { crashAtBoundaries } from './boundaries.ts';
export type { KubeletHistory } from './history.ts';
export * as kubeletLaws from './laws.ts';
export * as nodeLaws from './node/laws.ts';
export type { NodeScenario } from './node/scenario.ts';
export { type RunNode, runNodeScenario } from './node/simulation.ts';
export { nodeWorkloads } from './node/workloads.ts';
export type { KubeletScenario } from './scenario.ts';
export { sidecarWorkloads } from './sidecar-workloads.ts';
export { runKubelet } from './simulation.ts';
export { workloads } from './workloads.ts';
