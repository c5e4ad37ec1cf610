/** The given parts of a ReplicaSet controller: its caches, its requests, and facts about pods. */
export { readAlive } from './alive.ts';
export { isPodAvailable, nextAvailabilityMs, readySinceMs } from './availability.ts';
export { replicasDiff } from './burst.ts';
export { ConsistencyError, ConsistencyStore } from './consistency-store.ts';
export {
  assembleReplicaSetController,
  type ExpectationState,
  type Expected,
  newReplicaSetSyncContext,
  type PodNews,
  type ReplicaSetSyncContext,
} from './controller.ts';
export { mayHaveHappened, PodControl } from './pod-control.ts';
export { getDeletionCost, getPodsRankedByRelatedPodsOnSameNode, type RankedPod } from './ranks.ts';
export { ReplicaSetCaches } from './replica-set-caches.ts';
export { selectorOf } from './selector.ts';
