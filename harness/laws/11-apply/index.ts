/** `#laws/11-apply`: the entry point for the tests. */
export type { ApplyHistory } from './history.ts';
export * as applyLaws from './laws/index.ts';
export type { ApplyScenario } from './scenario/index.ts';
export { runApply } from './simulation/index.ts';
export { workloads } from './workloads/index.ts';
export { orderWorkloads, ownerWorkloads, pruneWorkloads } from './workloads/optional.ts';
