/** The entry point of this folder for tests: `#laws/43-images`. */

export { workloads } from './collect-workloads.ts';
export * as imagesLaws from './laws.ts';
export { parallelWorkloads, tenantWorkloads } from './optional-workloads.ts';
export type { ImagesScenario } from './scenario.ts';
export { runImages } from './simulation.ts';
export { clusterOfImages } from './small-kubelet.ts';
