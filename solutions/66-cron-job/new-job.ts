/** The Job of a scheduled time. */

import type { CronJob } from '#given/66-cron-job';
import { type core, type Job, type New, newControllerRef } from '#harness';
import { zoneOf } from './times.ts';

const SCHEDULED_TIMESTAMP = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/**
 * Returns the name of the Job of a scheduled time. It is the lock against a second Job: whoever tries to create it
 * again gets AlreadyExists.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/cronjob_controllerv2.go getJobName
 */
export function jobNameAt({ metadata: { name } }: CronJob, scheduledMs: number): string {
  return `${name}-${Math.floor(scheduledMs / 60_000)}`;
}

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/cronjob/utils.go getJobFromTemplate2 */
export function newJob(cronJob: CronJob, scheduledMs: number): New<Job> {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      namespace: cronJob.metadata.namespace,
      name: jobNameAt(cronJob, scheduledMs),
      labels: metadata?.labels,
      annotations: { ...metadata?.annotations, [SCHEDULED_TIMESTAMP]: zoneOf(cronJob).format(scheduledMs) },
      ownerReferences: [newControllerRef(cronJob, 'CronJob')],
    },
    spec,
  } as New<Job>;
}

/** Returns a reference to a Job for `status.active`. */
export function referenceTo({ metadata }: Job): core.ObjectReference {
  const { namespace = '', name, uid, resourceVersion } = metadata;
  return { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion };
}
