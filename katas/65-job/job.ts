/**
 * Kata 65 · The Job controller. Read README.md beside this file, then begin at the top with Level 1.
 *
 * Levels 1 to 5 are pure functions. Levels marked ★ are optional.
 *
 * To use your own design, implement only {@link jobController}: the laws decide.
 *
 * This is the only file that you edit. Objects from a client or a cache are shared and frozen: copy before you change.
 */
import {
  assembleJobController,
  type BackoffLimits,
  type BackoffRecord,
  type Counts,
  type End,
  type Ended,
  type FailureMatch,
  type Interval,
  type JobDecisions,
  type JobState,
  type JobStatus,
  type JobSyncContext,
  noOptionalJobParts,
  type OptionalJobParts,
  POD_FAILURE_BACKOFF,
  type TrackingPlan,
} from '#given/65-job';
import { type Component, type Job, type Pod, todo } from '#harness';

const KATA = '65-job';

// Level 1 · Which pods have ended

/**
 * Returns whether a pod counts as failed.
 *
 * | phase | is being deleted | the Job replaces | |
 * |---|---|---|---|
 * | `Failed` | either | either | failed |
 * | `Succeeded` | either | either | not failed |
 * | any other | no | either | not failed |
 * | any other | yes | only failed pods (`onlyReplacesFailedPods`) | not failed yet |
 * | any other | yes | also terminating pods | failed: such a pod may never reach `Failed` |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go isPodFailed
 */
export function isPodFailed(pod: Pod, job: Job): boolean {
  return todo(KATA, 'isPodFailed', 'Level 1');
}

/**
 * Returns the pods that have ended and that the status does not account for yet: the `Succeeded` ones, and the failed ones
 * ({@link isPodFailed}). It skips a pod
 *
 * - without the tracking finalizer (`hasTrackingFinalizer`): it is counted already;
 * - in either list of `status.uncountedTerminatedPods` (`uncountedOf`);
 * - in `awaited`: its finalizer is removed, but the cache still shows it;
 * - that the Job does not count (`isCounted`): a pod of an Indexed Job without a valid index.
 *
 * Differs: upstream skips a `Succeeded` pod only if it is listed as succeeded.
 *
 * @param awaited - uids of pods
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go getNewFinishedPods
 */
export function newlyEnded(pods: readonly Pod[], job: Job, awaited: ReadonlySet<string>): Ended {
  return todo(KATA, 'newlyEnded', 'Level 1');
}

// Level 2 · The back-off

/**
 * Returns the record after these pods have ended. It counts the failures since the last success. If a pod has succeeded now, only the
 * failures *after* the latest success count (`finishTimeMs`). Without a success, the failures add to the record.
 *
 * | record | succeeded at | failed at | failures | last at |
 * |---|---|---|---|---|
 * | 2 | | 10 s | 3 | 10 s |
 * | 2 | 10 s | | 0 | |
 * | 2 | 10 s | 8 s, 12 s | 1 | 12 s |
 * | 2 | 10 s | 10 s | 0 | |
 *
 * @returns `lastFailureMs` is absent if `failures` is 0
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/backoff_utils.go backoffStore.newBackoffRecord
 */
export function nextBackoff(record: BackoffRecord, ended: Ended): BackoffRecord {
  return todo(KATA, 'nextBackoff', 'Level 2');
}

/**
 * Returns the ms until the next pod may be created. The delay counts from the last failure. It is `baseMs` after the first failure, doubles
 * with each further one, and is at most `maxMs`.
 *
 * 3 failures, the last one 15 s ago: the delay is 40 s, so 25 s remain.
 *
 * @param nowMs - ms since 1970
 * @returns 0 without failures, and when the delay has passed
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/backoff_utils.go getRemainingTimeForFailuresCount
 */
export function remainingBackoffMs(
  record: BackoffRecord,
  nowMs: number,
  limits: BackoffLimits = POD_FAILURE_BACKOFF,
): number {
  return todo(KATA, 'remainingBackoffMs', 'Level 2');
}

// Level 3 · Indexes

/**
 * Returns the succeeded indexes of an Indexed Job: the indexes in `status.completedIndexes` (`parseIndexes`), and the indexes of
 * `Succeeded` pods that still have the tracking finalizer. It skips a pod that is listed in `uncountedTerminatedPods.failed`,
 * and a pod without a valid index (`completionIndexOf` returns `undefined`).
 *
 * `completedIndexes: '0,3-5'`, and a pod of index 1 has succeeded: `[[0, 1], [3, 5]]`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go calculateSucceededIndexes
 */
export function succeededIndexes(job: Job, pods: readonly Pod[]): Interval[] {
  return todo(KATA, 'succeededIndexes', 'Level 3');
}

/**
 * Returns the lowest `count` indexes below `completions` that are not taken; fewer if there are not enough.
 *
 * Taken `[[0, 1], [3, 5]]`, 2 of 10: `[2, 6]`.
 *
 * @param taken - in increasing order; may contain indexes from `completions` on
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go firstPendingIndexes
 */
export function firstPendingIndexes(
  taken: readonly Interval[],
  count: number,
  completions: number,
): number[] {
  return todo(KATA, 'firstPendingIndexes', 'Level 3');
}

// Level 4 · How many pods

/**
 * Returns the number of pods that should be active.
 *
 * | `suspend` | `completions` | succeeded | |
 * |---|---|---|---|
 * | true | | | 0 |
 * | false | absent: a work queue | 0 | `parallelism` (absent: 1) |
 * | false | absent | 1 or more | as many as are active, even above `parallelism`: they end by themselves |
 * | false | 5 | 3 | 2, but at most `parallelism` |
 * | false | 5 | 6 | 0 |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.manageJob
 */
export function wantedActive(job: Job, counts: Pick<Counts, 'active' | 'succeeded'>): number {
  return todo(KATA, 'wantedActive', 'Level 4');
}

/**
 * Returns the pods to delete, at least `atLeast` of them (or all). `compareForRemoval` is the order of deletion: a pod that has come
 * less far goes first.
 *
 * In an Indexed Job, a pod without a valid index goes, even if `atLeast` is 0. Only the last pod of each index, in that order,
 * stays. If fewer than `atLeast` pods go by this rule, more go in the order of deletion.
 *
 * @param active - does not change
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go activePodsForRemoval
 */
export function podsToRemove(job: Job, active: readonly Pod[], atLeast: number): Pod[] {
  return todo(KATA, 'podsToRemove', 'Level 4');
}

// Level 5 · Is it over?

/**
 * Returns the end of the Job, if its pods, its time or an earlier decision end it. The first rule that holds decides:
 *
 * | | end |
 * |---|---|
 * | the status has an interim condition already | `decidedEnd(job)` |
 * | the failure policy ends the Job | `verdicts.podFailure` |
 * | more failed pods than `backoffLimit` (absent: 6) | `BACKOFF_LIMIT_EXCEEDED` |
 * | `restartPolicy: OnFailure`, and as many restarts (`countRestarts`) as `backoffLimit`, but at least 1 | the same |
 * | the deadline has passed (`remainingDeadlineMs`) | `DEADLINE_EXCEEDED` |
 * | too many indexes have failed | `verdicts.indexFailure` |
 * | the success policy is met | `verdicts.success` |
 *
 * @param nowMs - ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.syncJob
 */
export function endOf(state: JobState, nowMs: number): End | undefined {
  return todo(KATA, 'endOf', 'Level 5');
}

/**
 * Returns `COMPLETIONS_REACHED` if enough pods have succeeded and no pod is active. Enough is `completions`; for a work
 * queue, 1.
 *
 * @param counts - after pods were created and deleted
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.syncJob
 */
export function completionOf(job: Job, counts: Counts): End | undefined {
  return todo(KATA, 'completionOf', 'Level 5');
}

// Level 6 · Every pod counts once

/**
 * Moves uids from `uncountedTerminatedPods` to the counters. A listed pod that is not in `held` has lost its finalizer, or does not exist
 * any more: its uid leaves the list, and `succeeded` or `failed` grows by one. A held pod stays in the list.
 *
 * `withUncounted` writes the lists. An absent counter stays absent while no uid leaves its list.
 *
 * @param held - the uids of the pods that have the finalizer
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go cleanUncountedPodsWithoutFinalizers
 */
export function settle(status: JobStatus, held: ReadonlySet<string>): JobStatus {
  return todo(KATA, 'settle', 'Level 6');
}

/**
 * Plans which pods lose their finalizer, and the status that must be stored before.
 *
 * The pods in question are `heldPods(pods, awaited)`. First {@link settle} `state.job.status` for them. A held pod may be released
 *
 * - if the Job has an end or is being deleted;
 * - if the pod has `Succeeded`;
 * - if it has failed and its index does not keep it (`verdicts.kept`, a map from indexes to pods).
 *
 * A released pod is listed in `uncountedTerminatedPods`, unless the settled status lists it in `failed` or in its own list already:
 *
 * | pod | list |
 * |---|---|
 * | `Succeeded` | `succeeded`; none in an Indexed Job, where the index is enough |
 * | failed, or any other pod if `end.type` is `FailureTarget` | `failed`, if the Job counts it (`isCounted`) and no policy ignores it (`verdicts.ignored`) |
 * | any other | none |
 *
 * When a pod is taken, look at the limit: if both lists and the *new* succeeded indexes have `MAX_UNCOUNTED_PODS` entries or more, stop.
 * The plan is partial. So even full lists release a pod.
 *
 * The status also has the counts (`withCounts`), the indexes of an Indexed Job (`withIndexFields` of `state.succeededIndexes` and
 * `verdicts.failedIndexes`) and the interim condition of the end (`withInterimCondition`; without an end it changes nothing).
 *
 * @param nowMs - ms since 1970, for the condition
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.trackJobStatusAndRemoveFinalizers
 */
export function planTracking(state: JobState, end: End | undefined, nowMs: number): TrackingPlan {
  return todo(KATA, 'planTracking', 'Level 6');
}

/**
 * Returns the status with the terminal condition of the end (`withTerminalCondition`), if no pod is uncounted or terminating;
 * otherwise, and without an end, the same status.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.enactJobFinished
 */
export function finish(status: JobStatus, end: End | undefined, nowMs: number): JobStatus {
  return todo(KATA, 'finish', 'Level 6');
}

/**
 * Counts pods in three steps:
 *
 * 1. Store the planned status with `storeStatus`, in place of that of `state.stored`: `state.job` may have changes that the server
 *    lacks. If the server returns another Job, `state.backoff` becomes the record of this uid in `backoff`, before any release.
 * 2. Release the planned pods (`releasePods`).
 * 3. {@link settle} the status of the returned Job, and store it. Held are all held pods except the released ones, planned or not. If
 *    no release failed and the plan is not partial, {@link finish} it before.
 *
 * @throws the error of either status; the error of `releasePods`, after the settled status is stored
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.flushUncountedAndRemoveFinalizers
 */
export async function trackAndRelease(
  syncContext: JobSyncContext,
  state: JobState,
  end: End | undefined,
): Promise<void> {
  todo(KATA, 'trackAndRelease', 'Level 6');
}

// Level 7 · Creating and deleting

/** The counts after pods were created or deleted, and the first error, if any. */
export interface Managed {
  readonly counts: Counts;
  readonly error?: unknown;
}

/**
 * Creates or deletes pods, never both, until {@link wantedActive} pods are active.
 *
 * - Deletes {@link podsToRemove} with `deleteJobPods`, at most `MAX_PODS_PER_SYNC` unless the Job is suspended.
 * - Otherwise creates the missing pods with `createPods` and `newJobPod`, at most `MAX_PODS_PER_SYNC`. If the Job replaces only failed
 *   pods, a terminating pod is not missing.
 * - During the back-off ({@link remainingBackoffMs}) it creates nothing. The Job is synced again when the delay is over, but
 *   not before `SYNC_BATCH_MS`.
 * - In an Indexed Job, each new pod has one of the {@link firstPendingIndexes}. Taken are the succeeded and the failed indexes, the
 *   indexes of active pods and, if the Job replaces only failed pods, of terminating pods.
 * - If `verdicts.failedIndexes` is set, the delay of each index (`optionalParts.remainingIndexBackoffMs`) counts instead. Create the
 *   pods that are due. If none is due, the shortest delay counts. `optionalParts.failureCountAnnotations` are for the new pod.
 *
 * @returns the counts after the requests (`withoutDeleted`); unchanged while it waits
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.manageJob
 */
export async function manageJob(syncContext: JobSyncContext, state: JobState): Promise<Managed> {
  return todo(KATA, 'manageJob', 'Level 7');
}

/**
 * Removes the tracking finalizer from a pod that no Job is going to count: a pod without a controller, or whose Job has finished or
 * does not exist. It compares uids, and asks the server (`control.readJob`) before it relies on the absence of a Job in the cache.
 * The pods of another kind's controller, and of a Job that is managed elsewhere (`isManagedElsewhere`), stay as they are.
 *
 * @throws the error of the server
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.handleSingleOrphanPod
 */
export async function releaseOrphan(syncContext: JobSyncContext, pod: Pod): Promise<void> {
  todo(KATA, 'releaseOrphan', 'Level 7');
}

// Level 8 · The sync

/** The optional parts: add a function of a ★ level here, or the controller does not call it. */
export const optionalParts: OptionalJobParts = { ...noOptionalJobParts };

/** The decisions that `observeJob` calls. */
export const decisions: JobDecisions = {
  isPodFailed,
  newlyEnded,
  nextBackoff,
  succeededIndexes,
  optionalParts,
};

/**
 * Syncs one Job. Does nothing if the cache does not have it, or if it is managed elsewhere. If the cache shows its end
 * (`finishedCondition`), deletes its records from `backoff`, `finished` and `written`, and returns. If only `finished` has it, its end is
 * stored, but the cache does not show it yet: does nothing. The key of all records is the uid of the Job; that of the queue is `key`.
 *
 * - `written.ensureReady` first: the cache must show all writes for this Job.
 * - Read `expectations` and `awaited` before you read the pods (`claimPods`), so that both refer to these pods or to earlier ones.
 * - If the Job is over ({@link endOf}), delete its active pods with `deleteActivePods`. Do not record the end in this sync if a deletion
 *   failed, or while the cache does not show all pods (`expectations.areSatisfied`).
 * - Otherwise {@link manageJob}, unless the cache does not show all pods, or the Job is being deleted. Whether it ran or not,
 *   {@link completionOf} with the new counts may be the end. If it is not, and `manageJob` ran: `markSuspension`.
 * - Last {@link trackAndRelease}, with the counts of now, even after an error of the steps before.
 *
 * A later sync is due when the deadline passes (`remainingDeadlineMs`), and when the expectations expire (`expectations.expiryMs`).
 *
 * @param key - `namespace/name`
 * @throws an error of any step, so that the queue retries
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.syncJob
 */
export async function syncJob(syncContext: JobSyncContext, key: string): Promise<void> {
  todo(KATA, 'syncJob', 'Level 8');
}

/**
 * The Job controller. `assembleJobController` calls {@link syncJob} for each Job at once when its spec changes, and 1 s after an event of its pods; it
 * calls {@link releaseOrphan} for pods that may have lost their Job.
 *
 * To use your own design, replace it: any function of a `ComponentContext`.
 */
export const jobController: Component = assembleJobController({
  syncJob,
  syncOrphan: async (syncContext, key) => {
    const pod = syncContext.caches.pod(key);
    if (pod) await releaseOrphan(syncContext, pod);
  },
});

// Level 9 ★ · The failure policy. When it is written, put `matchPodFailurePolicy` into `optionalParts`.

/**
 * Judges a pod by `spec.podFailurePolicy`. The first rule that matches decides; without one, the action is `Count`.
 *
 * - `onExitCodes` looks at the terminated containers, then at the terminated init containers, with an exit code other than 0; only at the
 *   container `containerName`, if it is set. `In`: the code is one of `values`; `NotIn`: it is not.
 * - `onPodConditions` matches if a condition of the pod has the type and the status of a pattern.
 *
 * @returns for `FailJob` also the message: `Container main for pod default/pi-x failed with exit code 42 matching FailJob rule at index
 * 0`, or `Pod default/pi-x has condition DisruptionTarget matching FailJob rule at index 1`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy
 */
export function matchPodFailurePolicy(job: Job, pod: Pod): FailureMatch {
  return todo(KATA, 'matchPodFailurePolicy', 'Level 9');
}

// Level 10 ★ · The success policy. When it is written, put `matchSuccessPolicy` into `optionalParts`.

/**
 * Returns the end of an Indexed Job whose succeeded indexes meet a rule of `spec.successPolicy`. A rule is met if
 *
 * - it has only `succeededCount`: at least this number of indexes have succeeded;
 * - it has only `succeededIndexes`: each of them has succeeded;
 * - it has both: at least this number of its indexes have succeeded.
 *
 * @param succeeded - the succeeded indexes; without any, no rule is met
 * @returns type `SuccessCriteriaMet`, reason `SuccessPolicy`, message `Matched rules at index 0` of the first such rule
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/success_policy.go matchSuccessPolicy
 */
export function matchSuccessPolicy(job: Job, succeeded: readonly Interval[]): End | undefined {
  return todo(KATA, 'matchSuccessPolicy', 'Level 10');
}

// Level 11 ★ · A limit for each index. When these are written, put all five into `optionalParts`.

/**
 * Returns the indexes that have failed for good: the indexes in `status.failedIndexes`, and the index of each failed pod that
 * {@link matchPodFailurePolicy} judges as `FailIndex`. So does a pod that counts (not `Ignore`) if its annotation
 * `batch.kubernetes.io/job-index-failure-count` (the failures of its index before it; 0 without a valid number) has reached
 * `backoffLimitPerIndex`.
 *
 * @param failed - failed pods with the tracking finalizer
 * @returns `undefined` without `spec.backoffLimitPerIndex`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go calculateFailedIndexes
 */
export function findFailedIndexes(job: Job, failed: readonly Pod[]): Interval[] | undefined {
  return todo(KATA, 'findFailedIndexes', 'Level 11');
}

/**
 * Returns the end of the Job (`failureEnd`): `MaxFailedIndexesExceeded`, `Job has exceeded the specified maximal number of failed
 * indexes`, with more failed indexes than `maxFailedIndexes`; `FailedIndexes`, `Job has failed indexes`, if some have failed and every
 * index has failed or succeeded.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.syncJob
 */
export function endOfIndexes(
  job: Job,
  failed: readonly Interval[],
  succeeded: readonly Interval[],
): End | undefined {
  return todo(KATA, 'endOfIndexes', 'Level 11');
}

/**
 * Returns the failed pod that each index keeps, until a new pod has taken over its annotations. A later pod in the list replaces the kept
 * one if it has at least as many failures before it (`job-index-failure-count` and `job-index-ignored-failure-count` together), and did
 * not end before it.
 *
 * @param failed - in any order
 * @param done - indexes that keep no pod: they have succeeded, failed for good, or have an active pod
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go getPodsWithDelayedDeletionPerIndex
 */
export function findKeptPods(job: Job, failed: readonly Pod[], done: readonly Interval[]): Map<number, Pod> {
  return todo(KATA, 'findKeptPods', 'Level 11');
}

/**
 * Returns the ms until the index of this kept pod may have a new one. Its failures are those before it, ignored ones included, and itself.
 *
 * @returns 0 without a kept pod
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/backoff_utils.go getRemainingTimePerIndex
 */
export function remainingIndexBackoffMs(kept: Pod | undefined, nowMs: number): number {
  return todo(KATA, 'remainingIndexBackoffMs', 'Level 11');
}

/**
 * Returns the annotations of the new pod of an index: `batch.kubernetes.io/job-index-failure-count` is that of the kept pod plus one, or
 * `0` without a kept pod. If the policy ignores the kept pod, `batch.kubernetes.io/job-index-ignored-failure-count` grows instead. The
 * latter is absent if it is 0.
 *
 * @returns no annotations without `spec.backoffLimitPerIndex`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go addIndexFailureCountAnnotation
 */
export function failureCountAnnotations(job: Job, kept: Pod | undefined): Record<string, string> {
  return todo(KATA, 'failureCountAnnotations', 'Level 11');
}
