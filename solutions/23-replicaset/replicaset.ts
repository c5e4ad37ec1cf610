/**
 * The ReplicaSet controller. From the inside out: small decisions on plain objects (which pods count, how many are
 * missing, whom to delete); {@link Expectations}, which know whether the cache shows what we did; and the
 * {@link ReplicaSetController}, which looks, decides and acts.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset, pkg/controller/controller_utils.go,
 * pkg/controller/controller_ref_manager.go
 */

// Level 1 · Which pods count, and whose they are

export {
  type Claim,
  classifyPod,
  filterActivePods,
  getControllerOf,
  getPodReplicaSets,
  isPodActive,
} from './claims.ts';

// Level 2 · How many, and what they look like

export { BURST_REPLICAS, newControllerRef, newPod, replicasDiff } from './replicas.ts';

// Level 3 · Whom to delete

export { getPodReadyCondition, isPodReady } from './readiness.ts';
export {
  compareActivePods,
  getDeletionCost,
  getPodsRankedByRelatedPodsOnSameNode,
  getPodsToDelete,
  type RankedPod,
} from './victims.ts';

// Level 4 · Slow start

export { type BatchResult, SLOW_START_INITIAL_BATCH_SIZE, slowStartBatch } from './slow-start.ts';

// Level 5 · Expectations

export { EXPECTATIONS_TIMEOUT_MS, type ExpectationState, Expectations } from './expectations.ts';
export { type PodNews, podNews } from './pod-news.ts';

// Level 6 · Status

export { isPodAvailable, nextAvailabilityMs } from './availability.ts';
export {
  calculateStatus,
  type ReplicaSetCondition,
  type ReplicaSetStatus,
  removeCondition,
  setCondition,
  updateReplicaSetStatus,
} from './status.ts';

// Level 7 · The controller

export { replicaSetController } from './replicaset-controller.ts';
