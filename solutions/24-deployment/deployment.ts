/**
 * The Deployment controller, solved: decisions first, each a pure function of a Deployment and its ReplicaSets, and then
 * the loop that carries them out. A file for each level, in the order of the levels.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment
 */

// What several levels speak of

export {
  DESIRED_REPLICAS,
  MAX_INT32,
  MAX_REPLICAS,
  POD_TEMPLATE_HASH,
  REVISION,
  REVISION_HISTORY,
} from './constants.ts';
export type { ScaleOrder } from './scale-order.ts';

// Level 1 · The template's hash, the new and the old

export {
  computeHash,
  equalIgnoreHash,
  filterActiveReplicaSets,
  findNewReplicaSet,
  findOldReplicaSets,
  newReplicaSetFor,
  type PodTemplateSpec,
} from './template.ts';

// Level 2 · Fenceposts

export { type Fenceposts, maxSurge, maxUnavailable, minAvailable, resolveFenceposts } from './fenceposts.ts';

// Level 3 · Scale up the new

export {
  getActualReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  newRSNewReplicas,
  reconcileNewReplicaSet,
} from './scale-up.ts';

// Level 4 · Scale down the old, unhealthy first

export {
  cleanupUnhealthyReplicas,
  getAvailableReplicaCountForReplicaSets,
  reconcileOldReplicaSets,
  scaleDownOldReplicaSetsForRollingUpdate,
} from './scale-down.ts';

// Level 5 · Scale in proportion

export {
  findActiveOrLatest,
  getProportion,
  getReplicaSetFraction,
  getReplicasAnnotation,
  isSaturated,
  isScalingEvent,
  replicasAnnotations,
  replicasAnnotationsNeedUpdate,
  scale,
} from './proportion.ts';

// Level 6 · Recreate

export { oldPodsRunning, scaleDownOldReplicaSetsForRecreate } from './recreate.ts';

// Level 7 · Status, conditions, deadline

export {
  calculateRolloutStatus,
  calculateStatus,
  checkPausedConditions,
  type DeploymentCondition,
  type DeploymentStatus,
  deploymentComplete,
  deploymentProgressing,
  deploymentTimedOut,
  getDeploymentCondition,
  getReplicaFailure,
  hasProgressDeadline,
  removeDeploymentCondition,
  requeueStuckDeployment,
  setDeploymentCondition,
} from './status.ts';

// Level 8 · History and rollback

export {
  deploymentRevision,
  findCleanableReplicaSets,
  maxRevision,
  newReplicaSetAnnotations,
  revision,
  rollback,
} from './history.ts';

// Level 9 · The controller

export { deploymentController } from './controller.ts';
