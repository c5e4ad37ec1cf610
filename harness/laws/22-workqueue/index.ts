/** The door of this folder, for the tests: `#laws/22-workqueue`. */
export type { WorkQueueHistory } from './history.ts';
export * as workQueueLaws from './laws.ts';
export * as rateLimiterLaws from './limiter-laws.ts';
export type { PoolHistory } from './pool-history.ts';
export * as workerPoolLaws from './pool-laws.ts';
export { type PoolScenario, scenarios as workerPoolScenarios } from './pool-scenario.ts';
export { type PoolKit, runWorkerPool } from './pool-world.ts';
export { scenarios as workQueueScenarios, type WorkQueueScenario } from './scenario.ts';
export { runWorkQueue, type WorkQueueKit } from './world.ts';
