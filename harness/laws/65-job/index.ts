/** The entry point of this folder, for the tests: `#laws/65-job`. */
export * as laws from './laws/index.ts';
export type { JobScenario } from './scenario.ts';
export { simulate } from './simulation.ts';
export { optionalWorkloads, workloads } from './workloads/index.ts';
