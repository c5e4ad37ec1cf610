import type { Job, Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { started } from './conditions.ts';
import type { JobSyncContext } from './controller.ts';
import { isActive, isIndexed, isTerminating, uncountedOf } from './facts.ts';
import { countIndexes, type Interval } from './intervals.ts';
import type { BackoffRecord, Ended, JobState } from './job-state.ts';
import { judge, type OptionalJobParts } from './optional-parts.ts';

/** The decisions of Levels 1 to 3 and of the ★ levels. */
export interface JobDecisions {
  isPodFailed(pod: Pod, job: Job): boolean;
  newlyEnded(pods: readonly Pod[], job: Job, awaited: ReadonlySet<string>): Ended;
  nextBackoff(record: BackoffRecord, ended: Ended): BackoffRecord;
  succeededIndexes(job: Job, pods: readonly Pod[]): Interval[];
  readonly optionalParts: OptionalJobParts;
}

/** A Job and its pods, of one moment. */
interface Observed {
  /** The Job as the cache shows it. */
  readonly stored: Job;
  readonly pods: readonly Pod[];
  /** The uids of `awaited` from before the pods were read. */
  readonly awaited: ReadonlySet<string>;
}

/**
 * Returns everything that the later decisions of a sync read. It changes nothing.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.syncJob
 */
export function observeJob(
  { backoff, context }: Pick<JobSyncContext, 'backoff' | 'context'>,
  decisions: JobDecisions,
  { stored, pods, awaited }: Observed,
): JobState {
  const job = started(stored, context.clock.now());
  const ended = decisions.newlyEnded(pods, job, awaited);
  const succeededIndexes = isIndexed(job) ? decisions.succeededIndexes(job, pods) : [];
  const failed = pods.filter((pod) => decisions.isPodFailed(pod, job));
  const verdicts = judge(decisions.optionalParts, { job, pods, failed, awaited, succeededIndexes });
  const active = pods.filter(isActive);
  const uncounted = uncountedOf(job.status);
  const newFailures = ended.failed.filter(({ metadata }) => !verdicts.ignored.has(metadata.uid));
  return {
    stored,
    job,
    pods,
    active,
    counts: {
      active: active.length,
      ready: active.filter(isReady).length,
      terminating: pods.filter(isTerminating).length,
      succeeded: isIndexed(job)
        ? countIndexes(succeededIndexes)
        : (job.status.succeeded ?? 0) + ended.succeeded.length + uncounted.succeeded.length,
      failed: (job.status.failed ?? 0) + newFailures.length + uncounted.failed.length,
    },
    awaited,
    backoff: decisions.nextBackoff(backoff.get(job.metadata.uid) ?? { failures: 0 }, ended),
    succeededIndexes,
    verdicts,
  };
}
