/** `#laws/22-workqueue`: the entry point for the tests. */
export type { WorkQueueHistory } from './history.ts';
export * as workQueueLaws from './laws.ts';
export type { WorkQueueScenario } from './scenario/index.ts';
export { abortListeners, runWorkQueue, type WorkQueueKit } from './simulation.ts';
export { drainWorkloads, workloads } from './workloads/index.ts';
