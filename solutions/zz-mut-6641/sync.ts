/** Level 8 · The sync: the controller observes, decides, acts and counts. */
import {
  assembleJobController,
  claimPods,
  deleteActivePods,
  type End,
  finishedCondition,
  isManagedElsewhere,
  type JobDecisions,
  type JobState,
  type JobSyncContext,
  markSuspension,
  observeJob,
  remainingDeadlineMs,
  withoutDeleted,
} from '#given/65-job';
import type { Component } from '#harness';
import { type Managed, manageJob, releaseOrphan } from './acting.ts';
import { nextBackoff } from './backoff.ts';
import { completionOf, endOf } from './end.ts';
import { succeededIndexes } from './indexes.ts';
import { isPodFailed, newlyEnded } from './pods.ts';
import { optionalParts } from './policies.ts';
import { trackAndRelease } from './tracking.ts';

export const decisions: JobDecisions = {
  isPodFailed,
  newlyEnded,
  nextBackoff,
  succeededIndexes,
  optionalParts,
};

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
  const state = observeJob(syncContext, decisions, { stored, pods, awaited: released });
  const decided = endOf(state, context.clock.now());
  const { end, next, error } = decided
    ? await stop(syncContext, state, decided, expiryMs > 0)
    : await proceed(syncContext, state, expiryMs > 0);
  if (expiryMs > 0) queue.addAfter(key, expiryMs);
  const deadlineMs = decided ? undefined : remainingDeadlineMs(next.job, context.clock.now());
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
  const { job } = state;
  const mayAct = !isPending && job.metadata.deletionTimestamp === undefined;
  const { counts, ...failure }: Managed = mayAct
    ? await manageJob(syncContext, state)
    : { counts: state.counts };
  const end = completionOf(job, counts);
  const next = { ...state, counts, job: mayAct && !end ? markSuspension(syncContext, job) : job };
  return { end, next, ...failure };
}

export const jobController: Component = assembleJobController({
  syncJob,
  syncOrphan: async (syncContext, key) => {
    const pod = syncContext.caches.pod(key);
    if (pod) await releaseOrphan(syncContext, pod);
  },
});
