/**
 * The ReplicaSet controller. From the inside out: small decisions on plain objects; {@link Expectations}, which track
 * whether the cache shows the controller's operations; and {@link syncReplicaSet}, which observes, decides and acts.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset, pkg/controller/controller_utils.go,
 * pkg/controller/controller_ref_manager.go
 */

export { createPods, deletePods } from './acting.ts';
export { claimPods } from './claiming.ts';
export { type Claim, classifyPod, isPodActive } from './claims.ts';
export { EXPECTATIONS_TIMEOUT_MS, Expectations } from './expectations.ts';
export { podNews } from './pod-news.ts';
export { newPod } from './replicas.ts';
export { type BatchResult, SLOW_START_INITIAL_BATCH_SIZE, slowStartBatch } from './slow-start.ts';
export {
  type CountedPods,
  calculateStatus,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
  updateReplicaSetStatus,
} from './status.ts';
export { manageReplicas, replicaSetController, syncReplicaSet } from './sync.ts';
export { compareActivePods, getPodsToDelete } from './victims.ts';
