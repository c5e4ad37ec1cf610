import type { Pod } from '../api/objects.ts';
import { hasEnded } from '../api/predicates.ts';
import type { EventRecorder } from '../contracts/event-recorder.ts';
import type { Clock, Random } from '../sim/index.ts';
import type { PodIdentity } from './labels.ts';
import { messageOf } from './message-of.ts';
import type { PodCache } from './pod-cache.ts';
import type { PodSyncer } from './pod-syncer.ts';
import {
  effectiveGraceSeconds,
  identityOf,
  type KnownPod,
  newPodWorker,
  type PodUpdate,
  type PodWorker,
  type PodWorkerState,
  withPod,
} from './pod-worker.ts';
import { fullName, isStaticPod } from './static-pod.ts';
import { StaticPodTurns } from './static-pod-turns.ts';
import { SyncFailure } from './sync-result.ts';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/kubelet.go backOffPeriod, pod_workers.go backOffOnTransientErrorPeriod */
const BACK_OFF_MS = 10_000;
const NETWORK_BACK_OFF_MS = 1_000;

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go SyncFrequency */
const RESYNC_MS = 60_000;

/**
 * Each delay is extended at random by up to 50 %.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go workerResyncIntervalJitterFactor
 */
const JITTER_PERCENT = 50;

/** Error when the network of the node is not ready and the pod needs it. */
export class NetworkNotReady extends Error {
  override readonly name = 'NetworkNotReady';
}

/** Dependencies of pod workers. */
interface PodWorkersOptions {
  readonly syncer: PodSyncer;
  readonly cache: PodCache;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: EventRecorder;
  readonly onError: (error: unknown, pod: PodIdentity) => void;
  /** Called after a pod has changed: the kubelet must read it from the runtime again. */
  readonly onChanged: (uid: string) => void;
  /** Called when a pod is due for its next sync. If it is still desired, the kubelet sends its worker an update. */
  readonly onDue: (uid: string) => void;
}

/**
 * One worker per pod, by UID. A worker runs one call at a time, and merges the updates that arrive meanwhile. A pod
 * goes from sync to terminating to terminated, and never back: a pod added again under the same UID waits until the old
 * one is finished.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go podWorkers
 */
export class PodWorkers {
  readonly #options: PodWorkersOptions;
  readonly #workers = new Map<string, PodWorker>();
  readonly #timers = new Map<string, () => void>();
  readonly #turns = new StaticPodTurns((uid) => this.#workers.get(uid)?.state === 'sync');
  #synced = false;

  constructor(options: PodWorkersOptions) {
    this.#options = options;
  }

  /** Passes an update to the worker of a pod. Creates the worker if it does not exist. */
  update(update: PodUpdate): void {
    const { runtimePod } = update;
    const pod = identityOf(update);
    const known = this.#workers.get(pod.uid);
    const worker = known ?? this.#add(pod, update);
    const told = this.#complete(worker, update);
    if (known && worker.state !== 'sync' && update.type === 'create') {
      worker.restartRequested = true;
      return;
    }
    if (worker.state === 'finished') return;
    const ends = worker.state === 'sync' && this.#begins(worker, told);
    if (worker.state === 'terminated' && runtimePod && !told.pod) return;
    const shortened = this.#shorten(worker, told);
    worker.pending = told;
    if (ends || shortened) worker.abort?.abort(new PodInterrupted());
    void this.#work(worker);
  }

  /**
   * Terminates a pod, and resolves when none of its containers runs.
   *
   * @returns false when the pod has not stopped after 1.5 times its grace period, or 10 seconds if that is longer
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go killPodNow
   */
  killPod(pod: Pod, kill: NonNullable<PodUpdate['kill']>): Promise<boolean> {
    const { clock, recorder } = this.#options;
    const seconds = kill.graceSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 0;
    return new Promise((resolve) => {
      const cancel = clock.after(Math.max(10_000, seconds * 1_500), () => {
        recorder.event(
          pod,
          'Warning',
          'ExceededGracePeriod',
          'Container runtime did not kill the pod within specified grace period.',
        );
        resolve(false);
      });
      const done = (): void => {
        cancel();
        resolve(true);
      };
      this.update({ type: 'kill', pod, kill });
      const worker = this.#workers.get(pod.metadata.uid);
      if (worker?.state === 'terminating') worker.onKilled.push(done);
      else done();
    });
  }

  /**
   * Updates the set of desired pods, and returns the known pods. Workers of undesired pods are deleted if they are
   * finished, and terminate their pod otherwise.
   *
   * @param desired the UIDs of the desired pods
   *
   * Upstream: kubernetes/kubernetes@v1.36.3 pkg/kubelet/pod_workers.go SyncKnownPods
   */
  syncKnownPods(desired: ReadonlySet<string>): ReadonlyMap<string, KnownPod> {
    this.#synced = true;
    const known = new Map<string, KnownPod>();
    for (const worker of [...this.#workers.values()]) {
      const orphan = !desired.has(worker.uid);
      if ((worker.restartRequested || orphan) && this.#removed(worker, orphan)) continue;
      known.set(worker.uid, { state: worker.state, orphan });
    }
    return known;
  }

  /** Returns whether the pod has a worker. */
  knows(uid: string): boolean {
    return this.#workers.has(uid);
  }

  /** Returns whether the pod must terminate or has terminated. */
  isTerminationRequested(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker !== undefined && worker.state !== 'sync';
  }

  /** Returns whether containers of the pod may run. True for an unknown pod until the desired pods are known. */
  couldHaveRunningContainers(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker ? worker.state === 'sync' || worker.state === 'terminating' : !this.#synced;
  }

  /** Returns whether all work on the pod is finished. */
  isFinished(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker ? worker.state === 'finished' : this.#synced;
  }

  /** Returns whether the sandboxes of the pod may be removed. */
  shouldPodRuntimeBeRemoved(uid: string): boolean {
    const worker = this.#workers.get(uid);
    return worker ? !this.couldHaveRunningContainers(uid) : this.#synced;
  }

  /** Returns whether the dead containers and logs of the pod may be removed: it was evicted, or deleted and has stopped. */
  shouldPodContentBeRemoved(uid: string): boolean {
    const worker = this.#workers.get(uid);
    if (!worker) return this.#synced;
    return worker.evicted || (worker.deleted && !this.couldHaveRunningContainers(uid));
  }

  /** Returns whether the static pod of this full name is terminating. Its mirror pod stays in the API until then. */
  isTerminatingByFullName(name: string): boolean {
    const uid = this.#turns.holderOf(name);
    return uid !== undefined && this.#workers.get(uid)?.state === 'terminating';
  }

  #add(pod: PodIdentity, { pod: spec }: PodUpdate): PodWorker {
    // The kubelet has restarted, and the pod had ended before.
    const over = spec !== undefined && hasEnded(spec) && this.#isDead(pod.uid);
    const worker = newPodWorker(pod, over ? 'terminated' : 'sync');
    this.#workers.set(pod.uid, worker);
    if (spec && isStaticPod(spec)) this.#turns.add(fullName(pod), pod.uid);
    return worker;
  }

  /** Returns whether the pod has been observed without running containers. */
  #isDead(uid: string): boolean {
    const { cache } = this.#options;
    try {
      const status = cache.get(uid);
      if (!status) return cache.hasSeenAll;
      return (
        status.containerStatuses.every(({ state }) => state !== 'running') &&
        status.sandboxStatuses.every(({ state }) => state !== 'SANDBOX_READY')
      );
    } catch {
      return false;
    }
  }

  /** Replaces an observation in the runtime by the last known spec. */
  #complete(worker: PodWorker, update: PodUpdate): PodUpdate {
    if (!update.runtimePod || update.pod) return update;
    worker.observedRuntime = true;
    const known = worker.pending?.pod ?? worker.active?.pod;
    if (!known) return update;
    const { runtimePod: _, ...rest } = update;
    return { ...rest, pod: known };
  }

  /** Starts the termination if the update requires it. Returns whether it has started now. */
  #begins(worker: PodWorker, { type, pod, runtimePod, kill }: PodUpdate): boolean {
    const deleted = runtimePod !== undefined || pod?.metadata.deletionTimestamp !== undefined;
    if (!deleted && !(pod && hasEnded(pod)) && type !== 'kill') return false;
    worker.deleted ||= deleted;
    worker.evicted ||= kill?.evict ?? false;
    worker.state = 'terminating';
    return true;
  }

  /** Updates the grace period. Returns whether it is shorter than before. */
  #shorten(worker: PodWorker, { pod, kill }: PodUpdate): boolean {
    if (worker.state !== 'terminating') return false;
    worker.adjust = kill?.adjust ?? worker.adjust;
    if (pod?.metadata.deletionTimestamp !== undefined) worker.deleted = true;
    const before = worker.graceSeconds;
    worker.graceSeconds = pod ? effectiveGraceSeconds(before, pod, kill) : 1;
    return before !== 0 && worker.graceSeconds < before;
  }

  async #work(worker: PodWorker): Promise<void> {
    if (worker.working) return;
    worker.working = true;
    while (worker.pending && this.#workers.get(worker.uid) === worker) {
      if (!this.#mayStart(worker)) break;
      const update = worker.pending;
      worker.pending = undefined;
      worker.active = withPod(update, worker.active);
      worker.started = true;
      if (!worker.abort || worker.abort.signal.aborted) worker.abort = new AbortController();
      const { state } = worker;
      await this.#sync(worker, worker.active, worker.abort.signal).then(
        (outcome) => this.#succeeded(worker, state, outcome),
        (error: unknown) => this.#failed(worker, error),
      );
    }
    worker.working = false;
  }

  async #sync(worker: PodWorker, update: PodUpdate, signal: AbortSignal): Promise<Outcome> {
    const { syncer, cache, recorder } = this.#options;
    const { pod, mirrorPod, runtimePod } = update;
    if (!pod) {
      if (runtimePod) await syncer.syncTerminatingRuntimePod(runtimePod);
      return 'unchanged';
    }
    const podStatus = await cache.getNewerThan(worker, worker.lastSync, signal).catch((error: unknown) => {
      if (!signal.aborted)
        recorder.event(pod, 'Warning', 'FailedSync', `error determining status: ${messageOf(error)}`);
      throw error;
    });
    const sync = { pod, mirrorPod, podStatus, signal };
    try {
      if (worker.state === 'sync') return await syncer.syncPod(sync);
      if (worker.state === 'terminated') await syncer.syncTerminatedPod(sync);
      else {
        worker.startedTerminating = true;
        const { graceSeconds, adjust } = worker;
        await syncer.syncTerminatingPod({ ...sync, graceSeconds, adjust });
      }
      return 'unchanged';
    } finally {
      worker.lastSync = cache.stamp();
    }
  }

  /** Handles a successful sync. */
  #succeeded(worker: PodWorker, state: PodWorkerState, outcome: Outcome): void {
    if (state === 'terminated') this.#finish(worker);
    else if (state === 'terminating') {
      for (const done of worker.onKilled.splice(0)) done();
      if (!worker.active?.pod) this.#forget(worker);
      else {
        worker.state = 'terminated';
        this.#again(worker);
      }
    } else if (outcome === 'ended') {
      worker.state = 'terminating';
      worker.graceSeconds ||= effectiveGraceSeconds(0, worker.active?.pod as Pod);
      this.#again(worker);
    } else {
      if (outcome === 'changed') this.#options.onChanged(worker.uid);
      this.#due(worker.uid, RESYNC_MS);
    }
  }

  #failed(worker: PodWorker, error: unknown): void {
    const { clock, onError, onChanged } = this.#options;
    // The update that caused the interruption must not wait for the next full relist.
    if (error instanceof PodInterrupted) {
      onChanged(worker.uid);
      return;
    }
    onError(error, worker);
    const untilMs = error instanceof SyncFailure ? error.untilMs : undefined;
    const waitMs = untilMs === undefined ? BACK_OFF_MS : Math.max(0, untilMs - clock.now());
    this.#due(
      worker.uid,
      error instanceof NetworkNotReady ? NETWORK_BACK_OFF_MS : Math.min(waitMs, RESYNC_MS),
    );
  }

  /** Repeats the last update. */
  #again(worker: PodWorker): void {
    worker.pending ??= worker.active;
    void this.#work(worker);
  }

  #due(uid: string, ms: number): void {
    const { clock, random, onDue } = this.#options;
    this.#timers.get(uid)?.();
    const jittered = ms + (ms * random.int(JITTER_PERCENT + 1)) / 100;
    this.#timers.set(
      uid,
      clock.after(jittered, () => {
        this.#timers.delete(uid);
        onDue(uid);
      }),
    );
  }

  #finish(worker: PodWorker): void {
    worker.state = 'finished';
    worker.pending = undefined;
    this.#release(worker);
  }

  #forget(worker: PodWorker): void {
    this.#release(worker);
    this.#workers.delete(worker.uid);
  }

  #release(worker: PodWorker): void {
    this.#timers.get(worker.uid)?.();
    this.#timers.delete(worker.uid);
    this.#turns.release(fullName(worker), worker.uid);
  }

  /** Deletes a worker that is no longer needed. An undesired worker that is not finished repeats its last update. */
  #removed(worker: PodWorker, orphan: boolean): boolean {
    if (worker.state !== 'finished') {
      if (!orphan) return false;
      worker.deleted = true;
      if (worker.started || worker.observedRuntime) {
        if (worker.state === 'sync') {
          worker.state = 'terminating';
          const pod = worker.active?.pod;
          worker.graceSeconds = pod ? effectiveGraceSeconds(worker.graceSeconds, pod) : 1;
          worker.abort?.abort(new PodInterrupted());
        }
        this.#again(worker);
        return false;
      }
    }
    this.#forget(worker);
    return true;
  }

  /** Returns whether the worker may start. Static pods of one full name run one after the other. */
  #mayStart(worker: PodWorker): boolean {
    const pod = worker.pending?.pod;
    if (worker.started || !pod || !isStaticPod(pod)) return true;
    if (worker.state !== 'sync') {
      // The pod never ran and never will.
      this.#finish(worker);
      return false;
    }
    if (this.#turns.take(fullName(worker), worker.uid)) return true;
    this.#due(worker.uid, BACK_OFF_MS);
    return false;
  }
}

/** The outcome of a sync. */
type Outcome = Awaited<ReturnType<PodSyncer['syncPod']>>;

/** The abort reason of a sync that is obsolete. */
class PodInterrupted extends Error {
  override readonly name = 'PodInterrupted';
}
