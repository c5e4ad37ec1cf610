/** Level 8 · The sync: the controller observes, decides, acts and counts. */
import {
  assembleJobController,
  claimPods,
  countIndexes,
  deleteActivePods,
  type End,
  finishedCondition,
  isActive,
  isIndexed,
  isManagedElsewhere,
  isTerminating,
  type JobState,
  type JobSyncContext,
  judge,
  started,
  withSuspension,
} from '#given/65-job';
import { type Component, isReady, type Job, type Pod } from '#harness';
import { manageJob, releaseOrphan, withoutDeleted } from './acting.ts';
import { nextBackoff } from './backoff.ts';
import { completionOf, endOf, remainingDeadlineMs } from './end.ts';
import { succeededIndexes } from './indexes.ts';
import { isPodFailed, newlyEnded } from './pods.ts';
import { optionalParts } from './policies.ts';
import { trackAndRelease } from './tracking.ts';

export function observe(
  { backoff, context, optional }: JobSyncContext,
  stored: Job,
  pods: readonly Pod[],
  awaited: ReadonlySet<string>,
): JobState {
  const job = started(stored, context.clock.now());
  const active = pods.filter(isActive);
  const ended = newlyEnded(pods, job, awaited);
  const indexes = isIndexed(job) ? succeededIndexes(job, pods) : [];
  const failed = pods.filter((pod) => isPodFailed(pod, job));
  const verdicts = judge(optional, { job, pods, failed, awaited, succeededIndexes: indexes });
  const { succeeded = 0, failed: counted = 0, uncountedTerminatedPods: uncounted = {} } = job.status;
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
        ? countIndexes(indexes)
        : succeeded + ended.succeeded.length + (uncounted.succeeded?.length ?? 0),
      failed: counted + newFailures.length + (uncounted.failed?.length ?? 0),
    },
    awaited,
    backoff: nextBackoff(backoff.get(job.metadata.uid) ?? { failures: 0 }, ended),
    succeededIndexes: indexes,
    verdicts,
  };
}

export async function syncJob(syncContext: JobSyncContext, key: string): Promise<void> {
  const { awaited, backoff, caches, context, expectations, finished, queue, written } = syncContext;
  const stored = caches.job(key);
  if (!stored || isManagedElsewhere(stored)) return;
  const { uid } = stored.metadata;
  if (finishedCondition(stored)) {
    backoff.delete(uid);
    finished.delete(uid);
    written.clear(uid);
    return;
  }
  // The end is stored, but the cache does not show it yet.
  if (finished.has(uid)) return;
  written.ensureReady(uid);
  // Both before the pods are read: a later event must not let the pods of an earlier cache count.
  const expiryMs = expectations.expiryMs(uid);
  const released = awaited.of(uid);
  const pods = await claimPods(syncContext, stored);
  const state = observe(syncContext, stored, pods, released);
  const decided = endOf(state, context.clock.now());
  const { end, next, error } = decided
    ? await stop(syncContext, state, decided, expiryMs > 0)
    : await proceed(syncContext, state, expiryMs > 0);
  if (expiryMs > 0) queue.addAfter(key, expiryMs);
  const deadlineMs = end ? undefined : remainingDeadlineMs(next.job, context.clock.now());
  if (deadlineMs !== undefined) queue.addAfter(key, deadlineMs);
  await trackAndRelease(syncContext, next, end);
  if (error !== undefined) throw error;
}

interface Outcome {
  readonly end: End | undefined;
  readonly next: JobState;
  readonly error?: unknown;
}

/** Deletes the active pods of a Job that is over. */
async function stop(
  syncContext: JobSyncContext,
  state: JobState,
  end: End,
  isPending: boolean,
): Promise<Outcome> {
  const { deleted, deletedReady, ...rest } = await deleteActivePods(syncContext, state.job, state.active);
  const counts = withoutDeleted(state.counts, { deleted, deletedReady });
  // Pods that are not deleted, or that the cache does not show yet, must not outlive the Job.
  const isSure = deleted === state.active.length && !isPending;
  return { end: isSure ? end : undefined, next: { ...state, counts }, ...rest };
}

/** Creates or deletes pods of a Job that goes on. Afterwards it may be complete, suspended or resumed. */
async function proceed(syncContext: JobSyncContext, state: JobState, isPending: boolean): Promise<Outcome> {
  const { context } = syncContext;
  const { job } = state;
  const mayAct = !isPending && job.metadata.deletionTimestamp === undefined;
  const { counts, ...rest } = mayAct ? await manageJob(syncContext, state) : state;
  const error = 'error' in rest ? { error: rest.error } : {};
  const end = completionOf(job, counts);
  if (end || !mayAct) return { end, next: { ...state, counts }, ...error };
  const { status, changed } = withSuspension(job, context.clock.now());
  if (changed) {
    const reason = changed.status === 'True' ? 'Suspended' : 'Resumed';
    context.recorder.event(job, 'Normal', reason, changed.message ?? '');
  }
  return { end, next: { ...state, counts, job: { ...job, status } }, ...error };
}

export const jobController: Component = assembleJobController({
  syncJob,
  syncOrphan: async (syncContext, key) => {
    const pod = syncContext.caches.pod(key);
    if (pod) await releaseOrphan(syncContext, pod);
  },
  optional: optionalParts,
});
