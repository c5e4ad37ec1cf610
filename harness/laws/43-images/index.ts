/** The door of this folder, for the tests: `#laws/43-images`. */

export { roads } from './collect-roads.ts';
export * as imagesLaws from './laws.ts';
export type { ImagesScenario } from './scenario.ts';
export { clusterOfImages } from './small-kubelet.ts';
export { parallelRoads, tenantRoads } from './star-roads.ts';
export { runImages } from './world.ts';
