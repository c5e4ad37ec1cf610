/** `#given/65-job`: the parts of the harness that only this kata uses. */

// From Level 7: creates and deletes pods, and removes their finalizers.
export {
  type Created,
  createPods,
  type Deleted,
  deleteActivePods,
  deleteJobPods,
  markSuspension,
  type Released,
  releasePods,
  storeStatus,
} from '../../contracts/job/acting.ts';
// From Level 8: the pods of a Job.
export { claimPods } from '../../contracts/job/claim-pods.ts';
// From Level 6: a condition whose times are now.
export { newJobCondition } from '../../contracts/job/conditions.ts';
// From Level 6: the dependencies of a sync; at Level 8 the whole controller.
export {
  assembleJobController,
  type JobSyncContext,
  newJobSyncContext,
  SYNC_BATCH_MS,
} from '../../contracts/job/controller.ts';
// From Level 5: the ends of a Job, and what they depend on; from Level 6 their conditions.
export {
  BACKOFF_LIMIT_EXCEEDED,
  COMPLETIONS_REACHED,
  countRestarts,
  DEADLINE_EXCEEDED,
  decidedEnd,
  type End,
  failureEnd,
  remainingDeadlineMs,
  withInterimCondition,
  withTerminalCondition,
} from '../../contracts/job/ends.ts';
// From Level 1: properties of a Job and of its pods.
export {
  completionIndexOf,
  finishedCondition,
  hasTrackingFinalizer,
  heldPods,
  isActive,
  isCounted,
  isIndexed,
  isManagedElsewhere,
  isSuspended,
  isTerminating,
  type JobCondition,
  type JobStatus,
  MAX_PODS_PER_SYNC,
  MAX_UNCOUNTED_PODS,
  onlyReplacesFailedPods,
  TRACKING_FINALIZER,
  uidsOf,
  uncountedOf,
  withCounts,
  withIndexFields,
  withUncounted,
} from '../../contracts/job/facts.ts';
// From Level 2: when a pod ended.
export { finishTimeMs } from '../../contracts/job/finish-time.ts';
// From Level 3: lists of indexes.
export {
  countIndexes,
  formatIndexes,
  type Interval,
  includesIndex,
  mergeIntervals,
  parseIndexes,
  withIndexes,
} from '../../contracts/job/intervals.ts';
// From Level 7: finds Jobs and pods.
export { keyTextOf } from '../../contracts/job/job-caches.ts';
// From Level 1: the input and the results of the decisions.
export {
  type BackoffLimits,
  type BackoffRecord,
  type Counts,
  type Ended,
  type JobState,
  POD_FAILURE_BACKOFF,
  type TrackingPlan,
  withoutDeleted,
} from '../../contracts/job/job-state.ts';
// From Level 7: a new pod.
export { newJobPod } from '../../contracts/job/new-job-pod.ts';
// From Level 8: reads everything that a sync decides with.
export { type JobDecisions, observeJob } from '../../contracts/job/observe-job.ts';
// From Level 8: the ★ levels, and a controller without them.
export {
  type FailureMatch,
  NO_VERDICTS,
  noOptionalJobParts,
  type OptionalJobParts,
  type Verdicts,
} from '../../contracts/job/optional-parts.ts';
// From Level 4: the order of deletion.
export { compareForRemoval } from '../../contracts/job/removal-order.ts';
