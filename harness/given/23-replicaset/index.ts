/** `#given/23-replicaset`: the parts of the harness that only this kata uses. */
export { readAlive } from '../../contracts/replicaset/alive.ts';
export { isPodAvailable, nextAvailabilityMs, readySinceMs } from '../../contracts/replicaset/availability.ts';
export { replicasDiff } from '../../contracts/replicaset/burst.ts';
export { ConsistencyError, ConsistencyStore } from '../../contracts/replicaset/consistency-store.ts';
export {
  assembleReplicaSetController,
  type ExpectationState,
  type Expected,
  newReplicaSetSyncContext,
  type PodNews,
  type ReplicaSetSyncContext,
} from '../../contracts/replicaset/controller.ts';
export { mayHaveHappened, PodControl } from '../../contracts/replicaset/pod-control.ts';
export {
  getDeletionCost,
  getPodsRankedByRelatedPodsOnSameNode,
  type RankedPod,
} from '../../contracts/replicaset/ranks.ts';
export { ReplicaSetCaches } from '../../contracts/replicaset/replica-set-caches.ts';
export { selectorOf } from '../../contracts/replicaset/selector.ts';
