/** The entry point of this folder for tests: `#laws/25-garbage-collector`. */
export type { GarbageHistory, Notification, Obligation } from './history.ts';
export * as garbageCollectorLaws from './laws.ts';
export type { GarbageScenario } from './scenario.ts';
export { runGarbageCollector } from './simulation.ts';
export { workloads as garbageWorkloads } from './workloads.ts';
