/** The entry point of this folder, for the tests: `#laws/23-replicaset`. */
export * as replicaSetLaws from './laws/index.ts';
export type { ReplicaSetScenario } from './scenario.ts';
export { runReplicaSet } from './simulation/index.ts';
export { versionless } from './simulation/versionless.ts';
export { workloads } from './workloads/index.ts';
