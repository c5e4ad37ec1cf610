/**
 * The Job controller. It runs pods until enough of them have succeeded, and counts each pod once, although it may crash
 * between any two requests.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job
 */

export { type Managed, manageJob, releaseOrphan } from './acting.ts';
export { nextBackoff, remainingBackoffMs } from './backoff.ts';
export { completionOf, endOf } from './end.ts';
export { podsToRemove, wantedActive } from './how-many.ts';
export { firstPendingIndexes, succeededIndexes } from './indexes.ts';
export { isPodFailed, newlyEnded } from './pods.ts';
export {
  endOfIndexes,
  failureCountAnnotations,
  findFailedIndexes,
  findKeptPods,
  matchPodFailurePolicy,
  matchSuccessPolicy,
  optionalParts,
  remainingIndexBackoffMs,
} from './policies.ts';
export { decisions, jobController, syncJob } from './sync.ts';
export { finish, planTracking, settle, trackAndRelease } from './tracking.ts';
