/**
 * The given parts of a Deployment controller: its caches, its requests, and facts about Deployments and ReplicaSets.
 */
export {
  byRevision,
  DESIRED_REPLICAS,
  getReplicasAnnotation,
  isSaturated,
  MAX_INT32,
  MAX_REPLICAS,
  maxRevision,
  newReplicaSetAnnotations,
  REVISION,
  REVISION_HISTORY,
  replicasAnnotations,
  replicasAnnotationsNeedUpdate,
  revision,
  rolledBackAnnotations,
} from './annotations.ts';
export { claimReplicaSets } from './claim-replica-sets.ts';
export {
  checkPausedConditions,
  type DeploymentCondition,
  type DeploymentStatus,
  getDeploymentCondition,
  getReplicaFailure,
  hasProgressDeadline,
  newDeploymentCondition,
  removeDeploymentCondition,
  replaceDeploymentCondition,
  setDeploymentCondition,
} from './conditions.ts';
export {
  assembleDeploymentController,
  type DeploymentSyncContext,
  newDeploymentSyncContext,
} from './controller.ts';
export { DeploymentCaches } from './deployment-caches.ts';
export { DeploymentControl } from './deployment-control.ts';
export {
  allOf,
  byCreationTimestamp,
  type Fenceposts,
  filterActiveReplicaSets,
  findActiveOrLatest,
  getActualReplicaCountForReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getReadyReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  getTerminatingReplicaCountForReplicaSets,
  isRollingUpdate,
  type PodTemplateSpec,
  type Rollout,
  rolloutOf,
  type ScaleOrder,
  scaleOrders,
} from './facts.ts';
export { noOptionalParts, type OptionalParts } from './optional-parts.ts';
export {
  equalIgnoreHash,
  generateReplicaSetName,
  POD_TEMPLATE_HASH,
  templateWithoutHash,
} from './template.ts';
