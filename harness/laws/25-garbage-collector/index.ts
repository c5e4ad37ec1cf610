/** The entry point of this folder for tests: `#laws/25-garbage-collector`. */
export type { GarbageHistory, Notification, Obligation } from './history.ts';
export * as garbageCollectorLaws from './laws/index.ts';
export type { GarbageScenario } from './scenario/index.ts';
export { runGarbageCollector } from './simulation.ts';
export { workloads as garbageWorkloads } from './workloads/index.ts';
