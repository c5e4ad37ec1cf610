import type { Job, Pod } from '../../api/objects.ts';
import { type End, failureEnd } from './ends.ts';
import { completionIndexOf, hasTrackingFinalizer, isActive } from './facts.ts';
import { type Interval, mergeIntervals, withIndexes, withoutIndexes } from './intervals.ts';

/** How a pod failure policy judges a failed pod. */
export interface FailureMatch {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  /** The message of the Job's condition, for `FailJob`. */
  readonly message?: string;
}

/** The functions that the levels marked ★ add to a Job controller. */
export interface OptionalJobParts {
  /** Level 9: judges a failed pod by `spec.podFailurePolicy`. */
  matchPodFailurePolicy(job: Job, pod: Pod): FailureMatch;
  /** Level 10: returns the end of the Job if the indexes meet `spec.successPolicy`. */
  matchSuccessPolicy(job: Job, succeeded: readonly Interval[]): End | undefined;
  /** Level 11: returns the indexes that have failed for good; `undefined` without `spec.backoffLimitPerIndex`. */
  findFailedIndexes(job: Job, failed: readonly Pod[]): Interval[] | undefined;
  /** Level 11: returns the end of the Job if too many indexes have failed, or if no index is left. */
  endOfIndexes(job: Job, failed: readonly Interval[], succeeded: readonly Interval[]): End | undefined;
  /** Level 11: returns the failed pod that each index keeps until it has a new pod. */
  findKeptPods(job: Job, failed: readonly Pod[], done: readonly Interval[]): Map<number, Pod>;
  /** Level 11: returns the ms until this index may have a new pod. */
  remainingIndexBackoffMs(kept: Pod | undefined, nowMs: number): number;
  /** Level 11: returns the annotations of the new pod that replaces this one. */
  failureCountAnnotations(job: Job, kept: Pod | undefined): Record<string, string>;
}

/** A Job controller without the ★ levels: every failure counts, and all indexes share one back-off. */
export const noOptionalJobParts: OptionalJobParts = {
  matchPodFailurePolicy: () => ({ action: 'Count' }),
  matchSuccessPolicy: () => undefined,
  findFailedIndexes: () => undefined,
  endOfIndexes: () => undefined,
  findKeptPods: () => new Map(),
  remainingIndexBackoffMs: () => 0,
  failureCountAnnotations: () => ({}),
};

/** The verdicts of the ★ levels on a Job and its pods. */
export interface Verdicts {
  /** The end, if the policy ends the Job because of a failed pod. */
  readonly podFailure: End | undefined;
  /** The uids of failed pods that do not count, because the policy ignores them. */
  readonly ignored: ReadonlySet<string>;
  /** The end, if too many indexes have failed. */
  readonly indexFailure: End | undefined;
  /** The end, if the success policy is met. */
  readonly success: End | undefined;
  /** The indexes that have failed for good; `undefined` unless each index has its own limit. */
  readonly failedIndexes: readonly Interval[] | undefined;
  /** The failed pods that keep their finalizer, by index, because the new pod copies their annotations. */
  readonly kept: ReadonlyMap<number, Pod>;
}

/** The verdicts without the ★ levels. */
export const NO_VERDICTS: Verdicts = {
  podFailure: undefined,
  ignored: new Set(),
  indexFailure: undefined,
  success: undefined,
  failedIndexes: undefined,
  kept: new Map(),
};

/** The input of {@link judge}. */
interface Case {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** The pods that have failed, with or without finalizer. */
  readonly failed: readonly Pod[];
  readonly awaited: ReadonlySet<string>;
  readonly succeededIndexes: readonly Interval[];
}

/**
 * Returns the verdicts of the ★ levels on a Job and its pods.
 *
 * Differs: an index that has succeeded has not failed. If two pods of one index end differently, upstream lists it as both,
 * which the server rejects again and again.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go getFailJobMessage,
 * nonIgnoredFailedPodsCount; pkg/controller/job/indexed_job_utils.go calculateFailedIndexes,
 * getPodsWithDelayedDeletionPerIndex
 */
export function judge(
  parts: OptionalJobParts,
  { job, pods, failed, awaited, succeededIndexes }: Case,
): Verdicts {
  const { podFailurePolicy, successPolicy, backoffLimitPerIndex } = job.spec;
  const matches = new Map(
    podFailurePolicy && pods.map((pod) => [pod, parts.matchPodFailurePolicy(job, pod)]),
  );
  const held = failed.filter(hasTrackingFinalizer);
  const found = backoffLimitPerIndex === undefined ? undefined : parts.findFailedIndexes(job, held);
  const failedIndexes = found && withoutIndexes(found, succeededIndexes);
  const current = pods.filter(isActive).flatMap((pod) => completionIndexOf(job, pod) ?? []);
  const done = withIndexes(mergeIntervals(succeededIndexes, failedIndexes ?? []), current);
  const seen = held.filter(({ metadata }) => !awaited.has(metadata.uid));
  const message = failed.flatMap((pod) => matches.get(pod)?.message ?? [])[0];
  return {
    podFailure: message === undefined ? undefined : failureEnd('PodFailurePolicy', message),
    ignored: new Set(
      pods.filter((pod) => matches.get(pod)?.action === 'Ignore').map(({ metadata }) => metadata.uid),
    ),
    indexFailure: failedIndexes && parts.endOfIndexes(job, failedIndexes, succeededIndexes),
    success: successPolicy && parts.matchSuccessPolicy(job, succeededIndexes),
    failedIndexes,
    kept: failedIndexes ? parts.findKeptPods(job, seen, done) : NO_VERDICTS.kept,
  };
}
