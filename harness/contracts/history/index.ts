/**
 * The parts that the controllers of DaemonSets and StatefulSets share: revisions, caches, and checks from katas 23 and 31
 * for later components.
 */
export { claimOwned } from '../claim-owned.ts';
export { requiredNodeAffinityMatcher, toleratesTaint } from '../filters/index.ts';
export { isPodAvailable, nextAvailabilityMs } from '../replicaset/availability.ts';
export { ConsistencyStore } from '../replicaset/consistency-store.ts';
export { mayHaveHappened, PodControl } from '../replicaset/pod-control.ts';
export { slowStart } from '../slow-start.ts';
export {
  byRevision,
  isOwnRevision,
  newRevision,
  type PodTemplate,
  REVISION_LABEL,
  restores,
  templateOf,
} from './revision.ts';
export { SetCaches } from './set-caches.ts';
export { updateSetStatus } from './update-set-status.ts';
