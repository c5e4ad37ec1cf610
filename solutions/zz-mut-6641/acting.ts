/** Level 7 · Creating and deleting pods, and releasing orphans. */
import {
  type Counts,
  completionIndexOf,
  createPods,
  deleteJobPods,
  finishedCondition,
  hasTrackingFinalizer,
  isIndexed,
  isManagedElsewhere,
  isSuspended,
  isTerminating,
  type JobState,
  type JobSyncContext,
  keyTextOf,
  MAX_PODS_PER_SYNC,
  mergeIntervals,
  newJobPod,
  onlyReplacesFailedPods,
  SYNC_BATCH_MS,
  withIndexes,
  withoutDeleted,
} from '#given/65-job';
import { controllerOf, type New, type Pod } from '#harness';
import { remainingBackoffMs } from './backoff.ts';
import { podsToRemove, wantedActive } from './how-many.ts';
import { firstPendingIndexes } from './indexes.ts';
import { optionalParts } from './policies.ts';

export interface Managed {
  readonly counts: Counts;
  readonly error?: unknown;
}

export async function manageJob(syncContext: JobSyncContext, state: JobState): Promise<Managed> {
  const { job, active, counts } = state;
  const wanted = wantedActive(job, counts);
  const surplus = podsToRemove(job, active, Math.max(0, counts.active - wanted));
  if (surplus.length > 0) {
    const batch = isSuspended(job) ? surplus : surplus.slice(0, MAX_PODS_PER_SYNC);
    const deleted = await deleteJobPods(syncContext, job, batch);
    return { counts: withoutDeleted(counts, deleted), ...('error' in deleted && { error: deleted.error }) };
  }
  const waitedFor = onlyReplacesFailedPods(job) ? counts.terminating : 0;
  const missing = Math.min(wanted - counts.active - waitedFor, MAX_PODS_PER_SYNC);
  if (missing <= 0) return { counts };
  const pods = podsDue(syncContext, state, missing);
  if (pods.length === 0) return { counts };
  const { created, ...rest } = await createPods(syncContext, job, pods);
  return { counts: { ...counts, active: counts.active + created }, ...rest };
}

/** Returns the new pods whose back-off has passed. If it has not, the Job is synced again when it has. */
function podsDue(syncContext: JobSyncContext, state: JobState, missing: number): New<Pod>[] {
  const { context, queue } = syncContext;
  const { job, backoff, verdicts } = state;
  const nowMs = context.clock.now();
  const syncAfter = (delayMs: number): void =>
    queue.addAfter(keyTextOf(job), Math.max(delayMs, SYNC_BATCH_MS));
  if (!verdicts.failedIndexes) {
    const delayMs = remainingBackoffMs(backoff, nowMs);
    if (delayMs > 0) {
      syncAfter(delayMs);
      return [];
    }
  }
  if (!isIndexed(job)) return Array.from({ length: missing }, () => newJobPod(job));
  const pending = firstPendingIndexes(takenIndexes(state), missing, job.spec.completions ?? 0).map(
    (index) => {
      const kept = verdicts.kept.get(index);
      return { index, kept, delayMs: optionalParts.remainingIndexBackoffMs(kept, nowMs) };
    },
  );
  const due = pending.filter(({ delayMs }) => delayMs === 0);
  if (due.length === 0 && pending.length > 0) syncAfter(Math.min(...pending.map(({ delayMs }) => delayMs)));
  return due.map(({ index, kept }) =>
    newJobPod(job, index, optionalParts.failureCountAnnotations(job, kept)),
  );
}

/** Returns the indexes that need no new pod. */
function takenIndexes({ job, pods, active, succeededIndexes, verdicts }: JobState) {
  const occupied = onlyReplacesFailedPods(job) ? [...active, ...pods.filter(isTerminating)] : active;
  return withIndexes(
    mergeIntervals(succeededIndexes, verdicts.failedIndexes ?? []),
    occupied.flatMap((pod) => completionIndexOf(job, pod) ?? []),
  );
}

export async function releaseOrphan({ caches, control }: JobSyncContext, pod: Pod): Promise<void> {
  if (!hasTrackingFinalizer(pod)) return;
  const owner = controllerOf(pod);
  if (owner) {
    if (owner.kind !== 'Job') return;
    const { namespace } = pod.metadata;
    // The cache of Jobs may be older than the cache of pods.
    const job = caches.resolve(namespace, owner) ?? (await control.readJob(namespace, owner));
    if (job && (isManagedElsewhere(job) || !finishedCondition(job))) return;
  }
  await control.removeFinalizer(pod);
}
