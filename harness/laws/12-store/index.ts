/** `#laws/12-store`: the entry point for the tests. */
export type { StoreHistory } from './history.ts';
export * as storeLaws from './laws.ts';
export { type ObjectScenario, objectLaws, objectWorkloads, runObjects } from './objects/index.ts';
export type { StoreScenario } from './scenario/index.ts';
export { runStore } from './simulation/index.ts';
export { leaseWorkloads, workloads } from './workloads/index.ts';
