/** `#given/26-daemon-set`: the parts of the harness that the controllers of DaemonSets and StatefulSets use. */

export type { ControllerRevision, DaemonSet } from '../../api/objects.ts';
export { controllerRevisions, daemonSets } from '../../api/plain-resources.ts';
export { claimOwned } from '../../contracts/claim-owned.ts';
export { requiredNodeAffinityMatcher, toleratesTaint } from '../../contracts/filters/index.ts';
export {
  byRevision,
  isOwnRevision,
  newRevision,
  type PodTemplate,
  REVISION_LABEL,
  restores,
} from '../../contracts/history/revision.ts';
export { SetCaches } from '../../contracts/history/set-caches.ts';
export { updateSetStatus } from '../../contracts/history/update-set-status.ts';
export { isPodAvailable, nextAvailabilityMs } from '../../contracts/replicaset/availability.ts';
export { ConsistencyStore } from '../../contracts/replicaset/consistency-store.ts';
export { mayHaveHappened, PodControl } from '../../contracts/replicaset/pod-control.ts';
export { slowStart } from '../../contracts/slow-start.ts';
