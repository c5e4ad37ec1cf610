/** The door of this folder, for the tests: `#laws/33-bind`. */
export type { SchedulerHistory } from './history.ts';
export * as schedulerLaws from './laws.ts';
export { roads as schedulerRoads, type SchedulerScenario } from './scenario.ts';
export { runScheduler } from './world.ts';
