/** The door of this folder, for the tests: `#laws/23-replicaset`. */
export * as replicaSetLaws from './laws.ts';
export { type ReplicaSetScenario, scenarios as replicaSetScenarios } from './scenario.ts';
export { runReplicaSet } from './world.ts';
