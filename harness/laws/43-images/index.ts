/** `#laws/43-images`: the entry point for the tests. */

export * as imagesLaws from './laws/index.ts';
export type { ImagesScenario } from './scenario/index.ts';
export { runImages } from './simulation/index.ts';
export { clusterOfImages } from './simulation/small-kubelet.ts';
export { workloads } from './workloads/collect.ts';
export { parallelWorkloads, tenantWorkloads } from './workloads/optional.ts';
