/** The finished Jobs that a CronJob keeps. */

import { type CronJob, finishedCondition } from '#given/66-cron-job';
import type { Job } from '#harness';

/**
 * Returns the finished Jobs beyond the limits of the history, those that started first before others.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/cronjob_controllerv2.go cleanupFinishedJobs
 */
export function jobsBeyondLimits({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const ended = (type: string): readonly Job[] =>
    jobs.filter((job) => finishedCondition(job)?.type === type).toSorted(byStartTime);
  const beyond = (all: readonly Job[], limit = all.length): readonly Job[] =>
    all.slice(0, Math.max(0, all.length - limit));
  return [
    ...beyond(ended('Complete'), spec.successfulJobsHistoryLimit),
    ...beyond(ended('Failed'), spec.failedJobsHistoryLimit),
  ].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

/** A Job that never started comes last. Upstream: byJobStartTime */
function byStartTime(a: Job, b: Job): number {
  const startOf = ({ status }: Job): number =>
    status.startTime ? Date.parse(status.startTime) : Number.POSITIVE_INFINITY;
  const [first, second] = [startOf(a), startOf(b)];
  if (first !== second) return first - second;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
