import type { Job, New, Pod } from '../../api/objects.ts';
import { isReady } from '../../api/predicates.ts';
import { isNamespaceTerminating } from '../../api/status.ts';
import { slowStart } from '../slow-start.ts';
import { withSuspension } from './conditions.ts';
import type { JobSyncContext } from './controller.ts';
import { finishedCondition, isActive, type JobStatus } from './facts.ts';
import { keyTextOf } from './job-caches.ts';

/** The result of creating pods. */
export interface Created {
  readonly created: number;
  /** The first error, if any. */
  readonly error?: unknown;
}

/** The result of deleting pods. */
export interface Deleted {
  readonly deleted: number;
  /** The number of deleted pods that were ready. */
  readonly deletedReady: number;
  /** The first error, if any. */
  readonly error?: unknown;
}

/**
 * Creates these pods with a slow start, and expects the cache to show them. A terminating namespace rejects every creation.
 * This is not reported as an error, because no retry can succeed.
 *
 * Differs: upstream keeps expecting a pod that a terminating namespace has rejected, for five minutes.
 */
export async function createPods(
  { control, expectations, written }: JobSyncContext,
  job: Job,
  pods: readonly New<Pod>[],
): Promise<Created> {
  const { uid } = job.metadata;
  expectations.expect(uid, 'creations', pods.length);
  const { successes, error } = await slowStart(pods, async (pod) => {
    const { metadata } = await control.create(job, pod);
    written.wroteAt(uid, 'pods', metadata.resourceVersion);
  });
  expectations.observed(uid, 'creations', pods.length - successes);
  return { created: successes, ...(error === undefined || isNamespaceTerminating(error) ? {} : { error }) };
}

/**
 * Deletes pods of a Job that goes on, or that is suspended. Each first loses its finalizer, so that it does not count as
 * failed.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.deleteJobPods
 */
export async function deleteJobPods(
  { caches, control, expectations, written }: JobSyncContext,
  job: Job,
  pods: readonly Pod[],
): Promise<Deleted> {
  const { uid } = job.metadata;
  // The deletion of a pod that the cache does not show as active any more causes no further event.
  const isShown = (pod: Pod): boolean => {
    const cached = caches.pod(keyTextOf(pod));
    return cached?.metadata.uid === pod.metadata.uid && isActive(cached);
  };
  const expected = new Set(pods.filter(isShown));
  expectations.expect(uid, 'deletions', expected.size);
  return deleteAll(pods, async (pod) => {
    try {
      const freed = await control.removeFinalizer(pod);
      if (freed) written.wroteAt(uid, 'pods', freed.metadata.resourceVersion);
      await control.delete(job, pod);
    } catch (error) {
      if (expected.has(pod)) expectations.observed(uid, 'deletions');
      throw error;
    }
  });
}

/**
 * Deletes the pods of a Job that is over. They keep their finalizers, because the status has to count them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go Controller.deleteActivePods
 */
export async function deleteActivePods(
  { control }: JobSyncContext,
  job: Job,
  pods: readonly Pod[],
): Promise<Deleted> {
  return deleteAll(pods, (pod) => control.delete(job, pod));
}

async function deleteAll(pods: readonly Pod[], remove: (pod: Pod) => Promise<unknown>): Promise<Deleted> {
  const results = await Promise.allSettled(pods.map(remove));
  const deleted = pods.filter((_, i) => results[i]?.status === 'fulfilled');
  const failed = results.find((result) => result.status === 'rejected');
  return {
    deleted: deleted.length,
    deletedReady: deleted.filter(isReady).length,
    ...(failed && { error: failed.reason }),
  };
}

/** The result of {@link releasePods}. */
export interface Released {
  /** The uids of pods that have no finalizer any more. */
  readonly released: ReadonlySet<string>;
  /** The first error, if any. */
  readonly error?: unknown;
}

/**
 * Removes the tracking finalizer from these pods. A pod that does not exist any more counts as released. Until the cache
 * shows it, the pods are `awaited`.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go
 * Controller.removeTrackingFinalizerFromPods
 */
export async function releasePods(
  { awaited, control, written }: JobSyncContext,
  job: Job,
  pods: readonly Pod[],
): Promise<Released> {
  const { uid: key } = job.metadata;
  const uids = pods.map(({ metadata }) => metadata.uid);
  awaited.expect(key, uids);
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      const freed = await control.removeFinalizer(pod);
      if (freed) written.wroteAt(key, 'pods', freed.metadata.resourceVersion);
      return freed;
    }),
  );
  const released = new Set<string>();
  results.forEach((result, i) => {
    const uid = uids[i] as string;
    const freed = result.status === 'fulfilled' && result.value;
    if (!freed) awaited.observed(key, uid);
    if (result.status === 'fulfilled') released.add(uid);
  });
  const failed = results.find((result) => result.status === 'rejected');
  return { released, ...(failed && { error: failed.reason }) };
}

/**
 * Writes a status, if it differs from the status of `stored`, and records the version. If the Job has ended, later syncs
 * skip it even before the cache shows it.
 *
 * @returns the Job from the server; `stored` if nothing was sent
 */
export async function storeStatus(
  { control, finished, written }: JobSyncContext,
  stored: Job,
  status: JobStatus,
): Promise<Job> {
  const updated = await control.updateStatus(stored, status);
  const { uid, resourceVersion } = updated.metadata;
  if (updated !== stored) written.wroteAt(uid, 'jobs', resourceVersion);
  if (finishedCondition(updated)) finished.add(uid);
  return updated;
}

/**
 * Returns the Job with the condition `Suspended` of {@link withSuspension}, and emits the Event if it changes. Call it
 * after the pods of a suspended Job are deleted.
 */
export function markSuspension({ context }: JobSyncContext, job: Job): Job {
  const { status, changed } = withSuspension(job, context.clock.now());
  if (!changed) return job;
  const reason = changed.status === 'True' ? 'Suspended' : 'Resumed';
  context.recorder.event(job, 'Normal', reason, changed.message ?? '');
  return { ...job, status };
}
