/** What is given to a ReplicaSet controller: its caches, its requests, and facts about pods. */
export { isPodAvailable, nextAvailabilityMs, readySinceMs } from './availability.ts';
export { ConsistencyError, ConsistencyStore } from './consistency-store.ts';
export { isNamespaceTerminating, mayHaveHappened, newControllerRef, PodControl } from './pod-control.ts';
export { getDeletionCost, getPodsRankedByRelatedPodsOnSameNode, type RankedPod } from './ranks.ts';
export { ReplicaSetCaches, type ReplicaSetHandlers } from './replica-set-caches.ts';
export { getPodReplicaSets, selectorOf } from './selector.ts';
