/** The entry point of this folder, for the tests: `#laws/24-deployment`. */
export type { DeploymentHistory } from './history.ts';
export * as deploymentLaws from './laws.ts';
export {
  aDeployment,
  aPod,
  aReplicaSet,
  type DeploymentParts,
  type ReplicaSetParts,
  templateOf,
} from './objects.ts';
export { allWorkloads, historyWorkloads, recreateWorkloads, sizeWorkloads } from './optional-workloads.ts';
export type { DeploymentScenario } from './scenario.ts';
export { runDeployment } from './simulation.ts';
export { Stage, type StagedReplicaSet } from './stage.ts';
export {
  type RolloutScenario,
  rolloutScenarios,
  runThereAndBack,
  thereAndBack,
} from './there-and-back.ts';
export { workloads } from './workloads.ts';
