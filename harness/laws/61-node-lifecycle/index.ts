/** `#laws/61-node-lifecycle`: the entry point for the tests. */
export type { NodeHistory } from './history.ts';
export * as nodeLaws from './laws/index.ts';
export type { NodeScenario } from './scenario.ts';
export { loseTwoNodes } from './simulation/end-to-end.ts';
export { runNodes } from './simulation/index.ts';
export { garbageWorkloads, workloads as nodeWorkloads } from './workloads/index.ts';
