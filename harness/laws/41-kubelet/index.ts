/** The door of this folder, for the tests: `#laws/41-kubelet`. */
export { crashAtBoundaries } from './boundaries.ts';
export type { KubeletHistory } from './history.ts';
export * as kubeletLaws from './laws.ts';
export * as nodeLaws from './node/laws.ts';
export { nodeRoads } from './node/roads.ts';
export type { NodeScenario } from './node/scenario.ts';
export { type RunNode, runNodeLife } from './node/world.ts';
export { roads } from './roads.ts';
export type { KubeletScenario } from './scenario.ts';
export { sidecarRoads } from './sidecar-roads.ts';
export { runKubelet } from './world.ts';
