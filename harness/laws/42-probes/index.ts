/** `#laws/42-probes`: the entry point for the tests. */
export { serves } from '../../node/programs/scripted.ts';
export type { ProbesHistory } from './history.ts';
export * as probeLaws from './laws.ts';
export type { ProbesScenario } from './scenario.ts';
export { runProbes } from './simulation/index.ts';
export { smallKubelet } from './simulation/small-kubelet.ts';
export { healthWorkloads, redirectWorkloads, restartWorkloads, workloads } from './workloads/index.ts';
