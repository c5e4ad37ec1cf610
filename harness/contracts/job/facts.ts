import type * as batch from '#api/batch/v1';
import type { Job, Pod } from '../../api/objects.ts';
import { hasEnded } from '../../api/predicates.ts';
import { countIndexes, formatIndexes, type Interval } from './intervals.ts';

/** The status of a Job. */
export type JobStatus = Job['status'];
/** A condition of a Job. */
export type JobCondition = batch.JobCondition;

/** The finalizer that keeps a pod until the status of its Job counts it. */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';
/** The annotation, and the label, with the index of a pod of an Indexed Job. */
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
/** The value of `spec.managedBy` that means this controller. */
const CONTROLLER_NAME = 'kubernetes.io/job-controller';

/**
 * The maximum number of uids in `status.uncountedTerminatedPods`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go MaxUncountedPods
 */
export const MAX_UNCOUNTED_PODS = 500;
/**
 * The maximum number of pods that one sync creates or deletes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go MaxPodCreateDeletePerSync
 */
export const MAX_PODS_PER_SYNC = 500;

/** Returns whether the pod has the {@link TRACKING_FINALIZER}. */
export function hasTrackingFinalizer({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

/** Returns whether the pod does its work, or will: it has not ended, and nothing deletes it. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Returns whether the pod is being deleted and has not ended. */
export function isTerminating(pod: Pod): boolean {
  return !hasEnded(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** Returns whether each pod of the Job has an index. */
export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === 'Indexed';
}

/** Returns whether the Job should have no pods for now. */
export function isSuspended({ spec }: Job): boolean {
  return spec.suspend === true;
}

/** Returns whether another controller works for this Job. */
export function isManagedElsewhere({ spec }: Job): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== CONTROLLER_NAME;
}

/**
 * Returns whether a pod that is being deleted counts as failed, and is replaced, only when it has ended.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go onlyReplaceFailedPods
 */
export function onlyReplacesFailedPods({ spec }: Job): boolean {
  return spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;
}

/**
 * Returns the index of a pod of an Indexed Job; `undefined` if it has none, or none that the Job has.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/indexed_job_utils.go getCompletionIndex
 */
export function completionIndexOf(job: Job, { metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[COMPLETION_INDEX];
  if (text === undefined || !/^\+?\d+$/.test(text)) return undefined;
  const index = Number(text);
  return index < (job.spec.completions ?? 0) ? index : undefined;
}

/** Returns whether the Job counts this pod: each pod, but of an Indexed Job only a pod with a valid index. */
export function isCounted(job: Job, pod: Pod): boolean {
  return !isIndexed(job) || completionIndexOf(job, pod) !== undefined;
}

/** Returns the true condition of this type. */
export function trueCondition({ status }: Job, type: string): JobCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/**
 * Returns the condition that says that the Job has ended: `Complete` or `Failed`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/util/utils.go FinishedCondition
 */
export function finishedCondition(job: Job): JobCondition | undefined {
  return trueCondition(job, 'Complete') ?? trueCondition(job, 'Failed');
}

/**
 * Returns the status with these numbers of pods. An absent `active` means 0, but `ready` and `terminating` are there
 * even if they are 0.
 */
export function withCounts(
  { active: _, ...status }: JobStatus,
  {
    active,
    ready,
    terminating,
  }: { readonly active: number; readonly ready: number; readonly terminating: number },
): JobStatus {
  return { ...status, ...(active > 0 && { active }), ready, terminating };
}

/** Returns the status with these uids as `uncountedTerminatedPods`. An empty list is absent. */
export function withUncounted(
  status: JobStatus,
  { succeeded, failed }: { readonly succeeded: readonly string[]; readonly failed: readonly string[] },
): JobStatus {
  const uncountedTerminatedPods = {
    ...(succeeded.length > 0 && { succeeded: [...succeeded] }),
    ...(failed.length > 0 && { failed: [...failed] }),
  };
  return { ...status, uncountedTerminatedPods };
}

/** Returns the uids in `uncountedTerminatedPods`. */
export function uncountedOf(status: JobStatus): { readonly succeeded: string[]; readonly failed: string[] } {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return { succeeded, failed };
}

/** Returns the uids of these pods. */
export function uidsOf(pods: readonly Pod[]): Set<string> {
  return new Set(pods.map(({ metadata }) => metadata.uid));
}

/** Returns the pods with the finalizer, except pods whose finalizer the controller has removed already. */
export function heldPods(pods: readonly Pod[], awaited: ReadonlySet<string>): Pod[] {
  return pods.filter((pod) => hasTrackingFinalizer(pod) && !awaited.has(pod.metadata.uid));
}

/**
 * Returns the status of an Indexed Job with these indexes, and with their number as `succeeded`. Without indexes, both
 * are absent. `failedIndexes` is there, even if it is empty, if each index has its own limit.
 */
export function withIndexFields(
  { succeeded: _, completedIndexes: __, ...status }: JobStatus,
  succeeded: readonly Interval[],
  failed: readonly Interval[] | undefined,
): JobStatus {
  const count = countIndexes(succeeded);
  return {
    ...status,
    ...(count > 0 && { succeeded: count, completedIndexes: formatIndexes(succeeded) }),
    ...(failed && { failedIndexes: formatIndexes(failed) }),
  };
}
