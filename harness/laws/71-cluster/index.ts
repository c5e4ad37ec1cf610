/** The entry point of this folder, for the tests: `#laws/71-cluster`. */
export { everyLaw, firstViolation } from './judged.ts';
export type { ClusterScenario } from './scenario.ts';
export { runCluster } from './simulation.ts';
export { clusterWorkloads } from './workloads.ts';
