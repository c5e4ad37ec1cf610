import type { Job, Pod } from '../../api/objects.ts';
import type { JobStatus } from './facts.ts';
import type { Interval } from './intervals.ts';
import type { Verdicts } from './optional-parts.ts';

/** Pods that have ended and that no status counts yet. */
export interface Ended {
  readonly succeeded: readonly Pod[];
  readonly failed: readonly Pod[];
}

/** The failures since the last success. A controller keeps one for each Job, in memory only. */
export interface BackoffRecord {
  readonly failures: number;
  /** The end of the last failed pod, in ms since 1970; absent without failures. */
  readonly lastFailureMs?: number;
}

/** The first and the longest delay after a failure. */
export interface BackoffLimits {
  readonly baseMs: number;
  readonly maxMs: number;
}

/**
 * The delays between the failure of a pod and its replacement.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go DefaultJobPodFailureBackOff,
 * MaxJobPodFailureBackOff
 */
export const POD_FAILURE_BACKOFF: BackoffLimits = { baseMs: 10_000, maxMs: 600_000 };

/** The numbers of a Job's pods. */
export interface Counts {
  /** Pods that do their work, or will. */
  readonly active: number;
  /** Active pods whose condition `Ready` is True. */
  readonly ready: number;
  /** Pods that are being deleted and have not ended. */
  readonly terminating: number;
  /** Counted successes, and successes that this sync has found. Of an Indexed Job: completed indexes. */
  readonly succeeded: number;
  /** Counted failures, and failures that this sync has found. */
  readonly failed: number;
}

/** Everything that the decisions of one sync read. */
export interface JobState {
  /** The Job as the cache shows it. */
  readonly stored: Job;
  /** The same Job, with the start time and the condition `Suspended` that this sync sets. */
  readonly job: Job;
  /** The pods of the Job, in any phase. */
  readonly pods: readonly Pod[];
  /** The pods of {@link Counts.active}. */
  readonly active: readonly Pod[];
  readonly counts: Counts;
  /** The uids of pods whose finalizer this controller has removed, although the cache still shows it. */
  readonly awaited: ReadonlySet<string>;
  readonly backoff: BackoffRecord;
  /** The indexes that have succeeded; empty unless the Job is Indexed. */
  readonly succeededIndexes: readonly Interval[];
  /** The verdicts of the ★ levels. */
  readonly verdicts: Verdicts;
}

/** The steps of counting pods. The order matters: first the status, then the finalizers. */
export interface TrackingPlan {
  /** The status to store before any finalizer goes. */
  readonly status: JobStatus;
  /** The pods that may then lose their finalizer. */
  readonly release: readonly Pod[];
  /** Whether further pods wait for the next sync, because this one has reached `MAX_UNCOUNTED_PODS`. */
  readonly isPartial: boolean;
}

/** Returns the counts after a deletion: the server has set the pods' `deletionTimestamp`. */
export function withoutDeleted(
  counts: Counts,
  { deleted, deletedReady }: { readonly deleted: number; readonly deletedReady: number },
): Counts {
  return {
    ...counts,
    active: counts.active - deleted,
    ready: counts.ready - deletedReady,
    terminating: counts.terminating + deleted,
  };
}
