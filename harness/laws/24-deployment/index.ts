/** The door of this folder, for the tests: `#laws/24-deployment`. */
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
export { type DeploymentScenario, scenarios as deploymentScenarios } from './scenario.ts';
export { Stage, type StagedReplicaSet } from './stage.ts';
export {
  type RolloutScenario,
  rolloutScenarios,
  runThereAndBack,
  thereAndBack,
} from './there-and-back.ts';
export { runDeployment } from './world.ts';
