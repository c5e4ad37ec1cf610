/**
 * The Deployment controller. From the inside out: decisions, each a pure function of a Deployment and its ReplicaSets;
 * then {@link syncDeployment}, which observes, decides and writes. Each level has a file.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment
 */

export { fencepostsOf, resolveFenceposts } from './fenceposts.ts';
export { deploymentRevision, findCleanableReplicaSets, rollback } from './history.ts';
export { createNewReplicaSet, syncRevision } from './new-replica-set.ts';
export { calculateRolloutStatus, deploymentTimedOut, requeueStuckDeployment } from './progress.ts';
export { getReplicaSetFraction, getReplicaSetProportion, isScalingEvent, scale } from './proportion.ts';
export { oldPodsRunning, rolloutRecreate } from './recreate.ts';
export {
  cleanupUnhealthyReplicas,
  reconcileOldReplicaSets,
  scaleDownOldReplicaSetsForRollingUpdate,
} from './scale-down.ts';
export { newRSNewReplicas, reconcileNewReplicaSet } from './scale-up.ts';
export { calculateStatus, deploymentComplete, deploymentProgressing } from './status.ts';
export { deploymentController, optionalParts, rolloutRolling, syncDeployment } from './sync.ts';
export { computeHash, findNewReplicaSet, newReplicaSetFor } from './template.ts';
