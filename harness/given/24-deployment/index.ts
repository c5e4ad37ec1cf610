/** `#given/24-deployment`: the parts of the harness that only this kata uses. */
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
} from '../../contracts/deployment/annotations.ts';
export { claimReplicaSets } from '../../contracts/deployment/claim-replica-sets.ts';
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
} from '../../contracts/deployment/conditions.ts';
export {
  assembleDeploymentController,
  type DeploymentSyncContext,
  newDeploymentSyncContext,
} from '../../contracts/deployment/controller.ts';
export { DeploymentCaches } from '../../contracts/deployment/deployment-caches.ts';
export { DeploymentControl } from '../../contracts/deployment/deployment-control.ts';
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
} from '../../contracts/deployment/facts.ts';
export { noOptionalParts, type OptionalParts } from '../../contracts/deployment/optional-parts.ts';
export {
  equalIgnoreHash,
  generateReplicaSetName,
  POD_TEMPLATE_HASH,
  templateWithoutHash,
} from '../../contracts/deployment/template.ts';
