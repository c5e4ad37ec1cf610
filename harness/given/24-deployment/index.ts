/** `#given/24-deployment`: the parts of the harness that only this kata uses. */

// From Level 7: annotations of ReplicaSets, such as the revision; sizes from Level 10 ★, history from Level 12 ★.
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
// From Level 9: claims the ReplicaSets of a Deployment.
export { claimReplicaSets } from '../../contracts/deployment/claim-replica-sets.ts';
// From Level 5: reads and sets the conditions of a status; the deadline from Level 6.
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
// From Level 7: the dependencies of a sync; at Level 9 the whole controller.
export {
  assembleDeploymentController,
  type DeploymentSyncContext,
  newDeploymentSyncContext,
} from '../../contracts/deployment/controller.ts';
// From Level 9: finds the Deployments, ReplicaSets and pods.
export { DeploymentCaches } from '../../contracts/deployment/deployment-caches.ts';
// From Level 7: sends requests about ReplicaSets, and writes the status.
export { DeploymentControl } from '../../contracts/deployment/deployment-control.ts';
// From Level 1: properties of a Deployment and sums over its ReplicaSets; `findActiveOrLatest` from Level 10 ★.
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
// From Level 9: the optional parts, and a controller without them.
export { noOptionalParts, type OptionalParts } from '../../contracts/deployment/optional-parts.ts';
// From Level 1: templates and their hash; `templateWithoutHash` from Level 12 ★.
export {
  equalIgnoreHash,
  generateReplicaSetName,
  POD_TEMPLATE_HASH,
  templateWithoutHash,
} from '../../contracts/deployment/template.ts';
