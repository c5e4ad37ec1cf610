import type { Job, OwnerReference, Pod } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { Component, ComponentContext } from '../component.ts';
import { ItemBackoff } from '../item-backoff.ts';
import { ConsistencyStore } from '../replicaset/consistency-store.ts';
import { selectorOf } from '../replicaset/selector.ts';
import { Unwritten } from '../unwritten.ts';
import type { RateLimitingWorkQueue } from '../work-queue.ts';
import { AwaitedFinalizers, CountedExpectations } from './expectations.ts';
import { finishedCondition, hasTrackingFinalizer } from './facts.ts';
import { JobCaches, type JobHandlers, keyTextOf } from './job-caches.ts';
import { JobControl } from './job-control.ts';
import type { BackoffRecord } from './job-state.ts';

/** The dependencies of every part of a Job controller. Each record is by the uid of a Job. */
export interface JobSyncContext {
  readonly context: ComponentContext;
  /** Keys of Jobs: `namespace/name`. */
  readonly queue: RateLimitingWorkQueue<string>;
  /** Keys of pods that may have a finalizer without a Job that counts them: `namespace/name`. */
  readonly orphans: RateLimitingWorkQueue<string>;
  readonly caches: JobCaches;
  /** Sends the requests, and emits the Events about them. */
  readonly control: JobControl;
  /** The created and deleted pods that the cache does not show yet. */
  readonly expectations: CountedExpectations;
  /** The removed finalizers that the cache still shows. */
  readonly awaited: AwaitedFinalizers;
  /** The written versions, for `pods` and `jobs`. */
  readonly written: ConsistencyStore;
  /** The failures since the last success. */
  readonly backoff: Map<string, BackoffRecord>;
  /** The Jobs whose end this controller has stored, while the cache does not show it yet. */
  readonly finished: Set<string>;
}

/**
 * The delay between the event of a pod and the sync, so that pods that end together need one write of the status.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go SyncJobBatchPeriod
 */
export const SYNC_BATCH_MS = 1_000;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go DefaultJobApiBackOff, MaxJobApiBackOff */
const RETRIES = { baseMs: 1_000, maxMs: 60_000 };

const WORKERS = 5;

/** Creates the dependencies of a starting controller. */
export function newJobSyncContext(context: ComponentContext): JobSyncContext {
  const caches = new JobCaches(context.informers);
  return {
    context,
    queue: context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(RETRIES) }),
    orphans: context.newWorkQueue<string>({ rateLimiter: new ItemBackoff(RETRIES) }),
    caches,
    control: new JobControl(context),
    expectations: new CountedExpectations(context.clock),
    awaited: new AwaitedFinalizers(),
    written: new ConsistencyStore(caches.versions),
    backoff: new Map(),
    finished: new Set(),
  };
}

/** The parts of a Job controller that make the decisions. */
interface JobControllerParts {
  /** @param key `namespace/name` of a Job */
  syncJob(syncContext: JobSyncContext, key: string): Promise<void>;
  /** @param key `namespace/name` of a pod */
  syncOrphan(syncContext: JobSyncContext, key: string): Promise<void>;
}

/**
 * Assembles a Job controller from these parts: its handlers record observations and enqueue, and its workers sync. A
 * failed sync is retried after 1 s, and after up to 60 s. A part that is not implemented yet ends the controller.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/job/job_controller.go NewController, Controller.Run
 */
export function assembleJobController(parts: JobControllerParts): Component {
  return async (context) => {
    const syncContext = newJobSyncContext(context);
    const unwritten = new Unwritten();
    syncContext.caches.listen(handlersOf(syncContext));
    await syncContext.caches.start();
    const run = (
      queue: RateLimitingWorkQueue<string>,
      sync: (syncContext: JobSyncContext, key: string) => Promise<void>,
    ): Promise<void> =>
      context.runWorkers({
        queue,
        workers: WORKERS,
        sync: (key) => sync(syncContext, key).catch(unwritten.meet),
        onError: (error, key) => context.log(`sync of ${key} failed: ${String(error)}`),
      });
    const work = Promise.all([
      run(syncContext.queue, parts.syncJob),
      run(syncContext.orphans, parts.syncOrphan),
    ]);
    await Promise.race([work, unwritten.met]);
  };
}

/**
 * Returns the handlers that record and enqueue. A change of a Job's spec is urgent; a change of its status and the
 * events of its pods wait for {@link SYNC_BATCH_MS}.
 *
 * Differs: upstream forgets the pods of a Job that had ended before the controller started; here they come into
 * `orphans`, too.
 */
function handlersOf(syncContext: JobSyncContext): JobHandlers {
  const { caches, queue, orphans } = syncContext;
  const orphanPodsOf = (job: Job): void => {
    const candidates = [...caches.ownPods(job), ...caches.orphans(job.metadata.namespace)];
    for (const pod of candidates) {
      if (!hasTrackingFinalizer(pod) || !selectorOf(job).matches(pod.metadata.labels)) continue;
      orphans.add(keyTextOf(pod));
    }
  };
  return {
    onJob: (previous, current) => {
      const isOver = finishedCondition(current) !== undefined;
      if (isOver) orphanPodsOf(current);
      if (previous && previous.metadata.generation === current.metadata.generation && !isOver)
        queue.addAfter(keyTextOf(current), SYNC_BATCH_MS);
      else queue.add(keyTextOf(current));
    },
    onJobGone: (job) => {
      forget(syncContext, job.metadata.uid);
      orphanPodsOf(job);
    },
    onPod: (previous, current) => {
      observe(syncContext, previous, current);
      if (current && hasTrackingFinalizer(current) && isOrphan(syncContext, current))
        orphans.add(keyTextOf(current));
    },
  };
}

/** Deletes all records of a Job. */
function forget({ awaited, backoff, expectations, finished, written }: JobSyncContext, uid: string): void {
  for (const record of [awaited, expectations]) record.forget(uid);
  backoff.delete(uid);
  finished.delete(uid);
  written.clear(uid);
}

/** Returns whether the cache shows no unfinished Job that controls the pod. */
function isOrphan({ caches }: JobSyncContext, pod: Pod): boolean {
  const owner = controllerOf(pod);
  if (!owner) return true;
  const job = caches.resolve(pod.metadata.namespace, owner);
  return owner.kind === 'Job' && (job === undefined || finishedCondition(job) !== undefined);
}

/** Records the observations of a pod's event, and enqueues the Jobs concerned. */
function observe(syncContext: JobSyncContext, previous: Pod | undefined, current: Pod | undefined): void {
  const { caches, expectations, awaited, queue } = syncContext;
  const pod = (current ?? previous) as Pod;
  const { namespace, uid } = pod.metadata;
  const [before, now] = [previous && controllerOf(previous), current && controllerOf(current)];
  const hasMoved = previous !== undefined && before?.uid !== now?.uid;
  const enqueue = (job: Job): void => queue.addAfter(keyTextOf(job), SYNC_BATCH_MS);
  const isFree = current === undefined || !hasTrackingFinalizer(current);
  const wake = (owner: OwnerReference): void => {
    if (isFree) awaited.observed(owner.uid, uid);
    const job = caches.resolve(namespace, owner);
    if (job) enqueue(job);
  };
  const isLeaving = pod.metadata.deletionTimestamp !== undefined;
  const wasLeaving = previous?.metadata.deletionTimestamp !== undefined;
  if (now && !previous) expectations.observed(now.uid, 'creations');
  const loser = before ?? now;
  if (loser && !wasLeaving && (isLeaving || !current)) expectations.observed(loser.uid, 'deletions');
  if (hasMoved && before) wake(before);
  if (now) wake(now);
  else if (current && (!previous || hasMoved || !sameLabels(previous, current)))
    for (const job of caches.selecting(current)) enqueue(job);
}

function sameLabels(one: Pod, other: Pod): boolean {
  const [a, b] = [one.metadata.labels ?? {}, other.metadata.labels ?? {}];
  return [...Object.keys(a), ...Object.keys(b)].every((key) => a[key] === b[key]);
}
