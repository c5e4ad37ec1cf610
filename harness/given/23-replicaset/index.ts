/** `#given/23-replicaset`: the parts of the harness that only this kata uses. */

// From Level 7: reads whether a ReplicaSet is alive.
export { readAlive } from '../../contracts/replicaset/alive.ts';
// From Level 3 (`readySinceMs`), Level 6 (`isPodAvailable`) and Level 9 (`nextAvailabilityMs`): the times of a pod.
export { isPodAvailable, nextAvailabilityMs, readySinceMs } from '../../contracts/replicaset/availability.ts';
// From Level 9: the surplus of pods, limited to what one sync may create or delete.
export { replicasDiff } from '../../contracts/replicaset/burst.ts';
// From Level 7: the written versions that the caches must have reached.
export { ConsistencyError, ConsistencyStore } from '../../contracts/replicaset/consistency-store.ts';
// From Level 5: the types of expectations and of changes of pods; from Level 7: the dependencies of a sync, and the whole controller.
export {
  assembleReplicaSetController,
  type ExpectationState,
  type Expected,
  newReplicaSetSyncContext,
  type PodNews,
  type ReplicaSetSyncContext,
} from '../../contracts/replicaset/controller.ts';
// From Level 7: sends requests about pods, and emits their Events. From Level 8: tests whether a failed request may have had its effect.
export { mayHaveHappened, PodControl } from '../../contracts/replicaset/pod-control.ts';
// From Level 3: the deletion cost of a pod, and its rank on its node.
export {
  getDeletionCost,
  getPodsRankedByRelatedPodsOnSameNode,
  type RankedPod,
} from '../../contracts/replicaset/ranks.ts';
// From Level 7: finds ReplicaSets and pods.
export { ReplicaSetCaches } from '../../contracts/replicaset/replica-set-caches.ts';
// From Level 1: tests which pods a ReplicaSet selects.
export { selectorOf } from '../../contracts/replicaset/selector.ts';
