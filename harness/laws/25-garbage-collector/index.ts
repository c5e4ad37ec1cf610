/** `#laws/25-garbage-collector`: the entry point for the tests. */
export type { GarbageHistory, Notification, Obligation } from './history.ts';
export * as garbageCollectorLaws from './laws/index.ts';
export type { GarbageScenario } from './scenario/index.ts';
export { runGarbageCollector } from './simulation.ts';
export { workloads as garbageWorkloads } from './workloads/index.ts';
