/** `#laws/33-bind`: the entry point for the tests. */
export type { SchedulerHistory } from './history/index.ts';
export * as schedulerLaws from './laws/index.ts';
export { type SchedulerScenario, workloads as schedulerWorkloads } from './scenario.ts';
export { runScheduler } from './simulation/index.ts';
