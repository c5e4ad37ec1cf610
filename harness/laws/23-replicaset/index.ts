/** The entry point of this folder, for the tests: `#laws/23-replicaset`. */
export * as replicaSetLaws from './laws.ts';
export type { ReplicaSetScenario } from './scenario.ts';
export { runReplicaSet } from './simulation.ts';
export { versionless } from './versionless.ts';
export { workloads } from './workloads.ts';
