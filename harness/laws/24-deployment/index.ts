/** `#laws/24-deployment`: the entry point for the tests. */
export type { DeploymentHistory } from './history.ts';
export * as deploymentLaws from './laws/index.ts';
export {
  type RolloutScenario,
  rolloutScenarios,
  runThereAndBack,
  thereAndBack,
} from './laws/there-and-back.ts';
export {
  aDeployment,
  aPod,
  aReplicaSet,
  type DeploymentParts,
  type ReplicaSetParts,
  templateOf,
} from './levels/objects.ts';
export { Stage, type StagedReplicaSet } from './levels/stage.ts';
export type { DeploymentScenario } from './scenario/index.ts';
export { runDeployment } from './simulation.ts';
export { workloads } from './workloads/index.ts';
export { allWorkloads, historyWorkloads, recreateWorkloads, sizeWorkloads } from './workloads/optional.ts';
