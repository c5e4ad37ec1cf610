/** The entry point of this folder for tests: `#laws/43-images`. */

export * as imagesLaws from './laws/index.ts';
export type { ImagesScenario } from './scenario/index.ts';
export { runImages } from './simulation/index.ts';
export { clusterOfImages } from './simulation/small-kubelet.ts';
export { workloads } from './workloads/collect.ts';
export { parallelWorkloads, tenantWorkloads } from './workloads/optional.ts';
