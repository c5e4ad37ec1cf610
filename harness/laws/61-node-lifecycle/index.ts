/** `#laws/61-node-lifecycle`: the entry point for the tests. */
export type { NodeHistory } from './history.ts';
export * as nodeLaws from './laws/index.ts';
export type { NodeScenario } from './scenario.ts';
export { runNodes } from './simulation.ts';
export { garbageWorkloads, workloads as nodeWorkloads } from './workloads/index.ts';
