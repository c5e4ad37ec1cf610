/** `#given/27-stateful-set`: the parts of the harness that the controller of StatefulSets uses. */

export type { ControllerRevision, StatefulSet } from '../../api/objects.ts';
export { controllerRevisions, statefulSets } from '../../api/plain-resources.ts';
export { claimOwned } from '../../contracts/claim-owned.ts';
export {
  byRevision,
  isOwnRevision,
  newRevision,
  type PodTemplate,
  REVISION_LABEL,
  restores,
  templateOf,
} from '../../contracts/history/revision.ts';
export { SetCaches } from '../../contracts/history/set-caches.ts';
export { updateSetStatus } from '../../contracts/history/update-set-status.ts';
export { isPodAvailable, nextAvailabilityMs } from '../../contracts/replicaset/availability.ts';
export { ConsistencyStore } from '../../contracts/replicaset/consistency-store.ts';
export { slowStart } from '../../contracts/slow-start.ts';
