/** The door of this folder, for the tests: `#laws/42-probes`. */
export type { ProbesHistory } from './history.ts';
export * as probeLaws from './laws.ts';
export { healthRoads, redirectRoads, restartRoads, roads } from './roads.ts';
export type { ProbesScenario } from './scenario.ts';
export { runProbes } from './world.ts';
