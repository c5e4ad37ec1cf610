/** The door of this folder, for the tests: `#laws/43-images`. */
export * as imagesLaws from './laws.ts';
export { roads } from './roads.ts';
export type { ImagesScenario } from './scenario.ts';
export { parallelRoads, tenantRoads } from './star-roads.ts';
export { runImages } from './world.ts';
