/** `#laws/23-replicaset`: the entry point for the tests. */
export { versionless } from '../../testing/rig/versionless.ts';
export * as replicaSetLaws from './laws/index.ts';
export type { ReplicaSetScenario } from './scenario.ts';
export { runReplicaSet } from './simulation/index.ts';
export { workloads } from './workloads/index.ts';
