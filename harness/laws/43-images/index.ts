/** The door of this folder, for the tests: `#laws/43-images`. */
export * as imagesLaws from './laws.ts';
export { parallelRoads, roads, tenantRoads } from './roads.ts';
export type { ImagesScenario } from './scenario.ts';
export { runImages } from './world.ts';
