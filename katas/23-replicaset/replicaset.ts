/**
 * Kata 23 · The ReplicaSet controller. Read README.md beside this file, then begin at the top: Level 1 is which pods count.
 *
 * Levels 1 to 4 and 6 are decisions on plain objects. Level 5 knows whether the cache shows what was done. Levels 7 to 9 are the
 * controller, which looks, decides and acts.
 *
 * To go your own way, write {@link replicaSetController} in any shape, leave the rest as it is, and let the laws decide.
 *
 * This is the only file that you edit. Objects that come from a client or a cache are shared and frozen: copy before you change.
 */
import {
  assembleReplicaSetController,
  type Client,
  type Clock,
  type Component,
  type ExpectationState,
  type Expected,
  type New,
  type Pod,
  type PodNews,
  type RankedPod,
  type ReplicaSet,
  type ReplicaSetSyncContext,
  todo,
} from '#harness';

const KATA = '23-replicaset';

// Level 1 · Which pods count, and what owns them

/**
 * Does the pod do its work, or will it? A pod that has ended (`Succeeded`, `Failed`) or that is being deleted (it has a
 * `deletionTimestamp`) does not come back. Every other pod is active, also one without a phase.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go IsPodActive
 */
export function isPodActive(pod: Pod): boolean {
  return todo(KATA, 'isPodActive', 'Level 1');
}

/** What a ReplicaSet does about a pod of its namespace. */
export type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

/**
 * What owns this pod? The `uid` names its controller; the name does not. `controllerOf(pod)` gives the owner that controls it;
 * `selectorOf(rs).matches(pod.metadata.labels)` says whether the ReplicaSet selects it.
 *
 * | the pod's controller | selected | the ReplicaSet | |
 * |---|---|---|---|
 * | another `uid` | either | either | `ignore` |
 * | this ReplicaSet | yes | either | `keep` |
 * | this ReplicaSet | no | lives | `release` |
 * | this ReplicaSet | no | is being deleted | `ignore` |
 * | none | yes | lives | `adopt`; `ignore` if the *pod* is being deleted |
 * | none | yes | is being deleted | `ignore` |
 * | none | no | either | `ignore` |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject
 */
export function classifyPod(pod: Pod, rs: ReplicaSet): Claim {
  return todo(KATA, 'classifyPod', 'Level 1');
}

// Level 2 · What a new pod looks like

/**
 * A pod for this ReplicaSet. Labels, annotations, finalizers and `spec` are those of the template; what the template does not
 * have is absent, not `undefined`. The namespace is the ReplicaSet's. `generateName` is the ReplicaSet's name and a hyphen:
 * `web-`. The one owner is `newControllerRef(rs)`. There is neither a name nor a status.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go GetPodFromTemplate
 */
export function newPod(rs: ReplicaSet): New<Pod> {
  return todo(KATA, 'newPod', 'Level 2');
}

// Level 3 · Which pods are deleted

/**
 * Which of two pods is deleted first? The first rule that tells them apart decides:
 *
 * | | goes first |
 * |---|---|
 * | 1 | the pod without a node (or with an empty one) |
 * | 2 | by phase: `Pending`, then `Unknown`, then `Running`; no phase, or another, counts as `Pending` |
 * | 3 | the pod that is not ready (`isReady`) |
 * | 4 | the lower deletion cost (`getDeletionCost`) |
 * | 5 | the higher `rank` |
 * | 6 | ready for a shorter time (`readySinceMs`); see below |
 * | 7 | more restarts: the highest `restartCount` of `containerStatuses` |
 * | 8 | more restarts of sidecars: the same of `initContainerStatuses`, for init containers whose `restartPolicy` is `Always` |
 * | 9 | created later; see below |
 *
 * Rules 6 and 9 compare two times. Equal times, or none on both sides, decide nothing. A missing time goes first. Otherwise the
 * smaller *magnitude* of the age goes first: log₂ of the age in nanoseconds, rounded down; an age of 0 or less is below
 * all. Within one magnitude the smaller `uid` decides, compared as strings, and no later rule is asked. So the oldest pod is not safe for ever.
 *
 * Ready for 5 h and for 8 h: one magnitude, so the uid decides. Ready for 1 h and for 8 h: the first pod goes first.
 *
 * @param nowMs ms since 1970
 * @returns negative if `a` goes first, positive if `b` does, 0 if nothing tells them apart
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ActivePodsWithRanks.Less
 */
export function compareActivePods(a: RankedPod, b: RankedPod, nowMs: number): number {
  return todo(KATA, 'compareActivePods', 'Level 3');
}

/**
 * The first `count` of the candidates in the order of {@link compareActivePods}. If all of them are to go, their order is free.
 * A new array; the candidates stay as they were. `getPodsRankedByRelatedPodsOnSameNode` gives the ranks.
 *
 * @param related the pods of every ReplicaSet of the same Deployment, with the candidates; none if the ReplicaSet has no controller
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go getPodsToDelete
 */
export function getPodsToDelete(
  candidates: readonly Pod[],
  related: readonly Pod[],
  count: number,
  nowMs: number,
): Pod[] {
  return todo(KATA, 'getPodsToDelete', 'Level 3');
}

// Level 4 · Slow start

/** @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go SlowStartInitialBatchSize */
export const SLOW_START_INITIAL_BATCH_SIZE = 1;

/** How far a slow start came, and the first failure, if there was one. */
export interface BatchResult {
  readonly successes: number;
  readonly error?: unknown;
}

/**
 * Calls `fn` `count` times, in batches that double. The calls of a batch run at once. A batch begins when every call of the batch
 * before has settled. After a batch in which a call failed, no other begins. It never rejects.
 *
 * 10 calls from 1: batches of 1, 2, 4, 3. If the third call fails: 1, 2, and no more; `successes` is 2.
 *
 * @param fn rejects, or throws, when it fails
 * @returns how many calls succeeded, and what the first call that failed (in the order of calls) rejected with; `error` is
 * absent if none failed
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go slowStartBatch
 */
export async function slowStartBatch(
  count: number,
  initialBatchSize: number,
  fn: () => Promise<void>,
): Promise<BatchResult> {
  return todo(KATA, 'slowStartBatch', 'Level 4');
}

// Level 5 · Expectations

/**
 * After this many ms a controller no longer believes that the cache will show what it waits for.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ExpectationsTimeout
 */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * For each ReplicaSet, what was done and is not in the cache yet. A controller that creates two pods, looks into a cache that does
 * not show them yet, and creates two more, has four.
 *
 * A controller that is about to act calls {@link begin}, and {@link expect} after each answer. Handlers call {@link observed}. An
 * event may be *faster* than the answer to the request that caused it: what was observed since `begin` is not awaited.
 *
 * What is awaited is a set of uids: to expect or to observe one twice counts once.
 *
 * Differs: upstream *counts* creations, before it creates; it keys deletions by namespace and name; and it acts on the cache if
 * there is no expectation, or an expired one.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ControllerExpectations,
 * UIDTrackingControllerExpectations
 */
export class Expectations {
  readonly clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.clock = clock;
  }

  /**
   * | | |
   * |---|---|
   * | never begun, or forgotten | `unknown` |
   * | in doubt since it was begun last | `unknown` |
   * | nothing is awaited | `fulfilled` |
   * | something is awaited, for at most {@link EXPECTATIONS_TIMEOUT_MS} since the last `begin` or `expect` | `pending` |
   * | something is awaited, for longer | `expired` |
   *
   * @param key the uid of a ReplicaSet
   */
  state(key: string): ExpectationState {
    return todo(KATA, 'Expectations.state', 'Level 5');
  }

  /**
   * The controller is about to act. From now on what is observed is remembered; what was observed before is forgotten. The doubt
   * ends, and the time starts again. What was awaited is still awaited; but if the time had run out, in doubt or not, it is not.
   */
  begin(key: string): void {
    todo(KATA, 'Expectations.begin', 'Level 5');
  }

  /** An answer did not come: `unknown` until {@link begin}. Nothing happens for a key that was never begun. */
  doubt(key: string): void {
    todo(KATA, 'Expectations.doubt', 'Level 5');
  }

  /**
   * Awaits that the cache shows these pods (`creations`), or that it stops showing them as active (`deletions`). If the same was observed
   * for a pod since {@link begin}, it is not awaited. Nor is the creation of a pod awaited if its deletion was observed since then.
   * Adds to what is awaited already; the time starts again. Nothing happens for a key that was never begun.
   *
   * @param uids of pods
   */
  expect(key: string, what: Expected, uids: readonly string[]): void {
    todo(KATA, 'Expectations.expect', 'Level 5');
  }

  /** The cache shows this pod, or shows it no longer as active. This may come before the pod is expected. */
  observed(key: string, what: Expected, uid: string): void {
    todo(KATA, 'Expectations.observed', 'Level 5');
  }

  /** Forgets the key: `unknown` again. */
  forget(key: string): void {
    todo(KATA, 'Expectations.forget', 'Level 5');
  }
}

/**
 * What a handler was told, in terms of the owners that are concerned. A controller has changed if its `uid` has.
 *
 * | | |
 * |---|---|
 * | `appearedTo` | the present controller, if it has changed or the pod was not there before; even if the pod is being deleted |
 * | `lostTo` | the former controller, if it has changed or the pod is gone; otherwise, if the pod is not active, its present controller |
 * | `wakes` | the present controller, always; and the former one, if it has changed or the pod is gone |
 * | `orphan` | the pod is there without a controller; and it was not there before, had a controller, or had other labels |
 *
 * A pod that comes and is not active has appeared *and* is lost.
 *
 * @param previous `undefined` if the pod has come
 * @param current `undefined` if the pod is gone; otherwise of the same `uid` as `previous`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go addPod, updatePod, deletePod
 */
export function podNews(previous: Pod | undefined, current: Pod | undefined): PodNews {
  return todo(KATA, 'podNews', 'Level 5');
}

// Level 6 · Status

export type ReplicaSetStatus = ReplicaSet['status'];
export type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

/** The pods that a status counts. */
export interface CountedPods {
  readonly active: readonly Pod[];
  /** Those that are being deleted and have not ended. */
  readonly terminating: readonly Pod[];
}

/**
 * The status that these pods make. Of the active ones:
 *
 * - `replicas`: how many there are;
 * - `fullyLabeledReplicas`: how many have every label of the template (all of them if it has none);
 * - `readyReplicas`, `availableReplicas`: `isReady`, and `isPodAvailable` with `spec.minReadySeconds` (absent: 0).
 *
 * The last three are left out if they are 0. `terminatingReplicas` counts the terminating pods, and is there also if it is 0.
 * `observedGeneration` is that of the status so far, if it has one.
 *
 * `conditions`, left out if there are none, are those of the status so far. Without a failure there is no `ReplicaFailure`. With a
 * failure and a `ReplicaFailure`, all stay as they are. With a failure and none, one is added: status `True`, the
 * failure's message, `lastTransitionTime` now (`formatTime`), and the reason `FailedCreate` if there are fewer active pods than
 * `spec.replicas`, `FailedDelete` if there are more, no reason if there are as many.
 *
 * 3 active, 2 of them ready, 1 terminating: `{ replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 2, availableReplicas: 2,
 * terminatingReplicas: 1 }`.
 *
 * @param failure what went wrong in this sync
 * @param nowMs ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set_utils.go calculateStatus
 */
export function calculateStatus(
  rs: ReplicaSet,
  pods: CountedPods,
  failure: Error | undefined,
  nowMs: number,
): ReplicaSetStatus {
  return todo(KATA, 'calculateStatus', 'Level 6');
}

/**
 * Writes a status if it says anything new. `observedGeneration` is the `generation` of `rs`, which was acted on; never that of a
 * newer version that a second try finds.
 *
 * If the status of `rs` says the same already (`isSameStatus`), nothing is sent.
 *
 * If the write fails, the ReplicaSet is read anew, and the same status is written into what came, once. There is no second try if what
 * came is another ReplicaSet (by `uid`), or if its status observes a *newer* generation than ours.
 *
 * You acted on generation 4, and meanwhile a user wrote generation 5: your status says `observedGeneration: 4`.
 *
 * Differs: upstream's second try writes over whatever it finds.
 *
 * @returns `rs` itself if nothing was sent; else what the server answered
 * @throws what the second write, or the read, rejected with; if there was no second try, an Error that names the ReplicaSet
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set_utils.go updateReplicaSetStatus
 */
export async function updateReplicaSetStatus(
  client: Pick<Client, 'get' | 'updateStatus'>,
  rs: ReplicaSet,
  newStatus: ReplicaSetStatus,
): Promise<ReplicaSet> {
  return todo(KATA, 'updateReplicaSetStatus', 'Level 6');
}

// Level 7 · Claiming

/**
 * Adopts and releases as {@link classifyPod} says, and gives the pods that the ReplicaSet has then.
 *
 * Before the first adoption the server is asked whether the ReplicaSet is alive (`readAlive`), once for all: the cache
 * may not know. If it is not, nothing is adopted, and that is a failure. What was adopted is noted in `written`, with the version
 * that the server answered.
 *
 * A pod that is not found any more does not count, and is no failure. If anything else fails, the other pods are claimed
 * all the same.
 *
 * One pod is its own, one is an orphan that it selects, one has lost its labels: it gives the first two.
 *
 * @param candidates active pods of the namespace of `rs`
 * @throws the first failure, after all candidates have been seen to
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go PodControllerRefManager.ClaimPods
 */
export async function claimPods(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  candidates: readonly Pod[],
): Promise<Pod[]> {
  return todo(KATA, 'claimPods', 'Level 7');
}

// Level 8 · Creating and deleting

/**
 * Creates `count` pods, by a slow start. The caller has called `begin`. Each pod that was created is expected, and its version noted in
 * `written`. If a pod *may* have been created although no answer came (`mayHaveHappened`), the expectations are in doubt.
 *
 * In a namespace that is going away (`isNamespaceTerminating`) nothing can be created, now or later: that is no failure.
 *
 * @returns the first failure; `undefined` if there was none
 */
export async function createPods(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  count: number,
): Promise<Error | undefined> {
  return todo(KATA, 'createPods', 'Level 8');
}

/**
 * Deletes `count` of the active pods, all at once, those that {@link getPodsToDelete} picks. The related pods are
 * `caches.related(rs)`. The caller has called `begin`.
 *
 * A deletion is expected once it is answered, also of a pod that the cache does not show yet. One that was refused is not awaited.
 * If a pod *may* have been deleted although no answer came, the expectations are in doubt.
 *
 * @returns the first failure; `undefined` if there was none
 */
export async function deletePods(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  active: readonly Pod[],
  count: number,
): Promise<Error | undefined> {
  return todo(KATA, 'deletePods', 'Level 8');
}

// Level 9 · The sync: its tests call these two functions, and then run the whole controller

/**
 * Brings one ReplicaSet to what it wants. If the cache does not have it, there is nothing to do.
 *
 * - Before all else the caches must have what was written for it (`written.ensureReady`): if not, the sync fails, and is tried again.
 * - Read the expectations and the pods in one go, with no `await` in between.
 * - Its pods are the active ones of those that it controls and of the orphans of its namespace, claimed.
 * - Unless its expectations are `pending` or it is being deleted, {@link manageReplicas}.
 * - Its status is always written, from the pods that were looked at: also while it is being deleted, and if something went wrong in
 *   {@link manageReplicas}. The terminating pods are its own selected pods that are being deleted and have not ended. The version
 *   that the server answered is noted in `written`.
 * - It looks again when the next pod becomes available by time alone (`nextAvailabilityMs`), and soon after what it waits for has
 *   expired. That is five minutes after the last `begin` or `expect`, and not after this sync. The queue keeps the earliest of several
 *   times for a key: an older timer may replace yours. If a sync comes too early, add the later time again.
 * - If something went wrong in {@link manageReplicas}, the sync fails, after all that.
 *
 * @throws what went wrong, also in claiming: the sync is tried again, later each time
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.syncReplicaSet
 */
export async function syncReplicaSet(syncContext: ReplicaSetSyncContext, key: string): Promise<void> {
  todo(KATA, 'syncReplicaSet', 'Level 9');
}

/**
 * Creates what is missing, or deletes what is too much. If nothing is, nothing is asked and nothing begun.
 *
 * To claim takes time. So each pod of `seen` is looked up in the cache again. It counts if the cache still shows it as active, and as the
 * ReplicaSet's own or as an orphan that it would adopt. A pod that went meanwhile must not be awaited: its event has come already.
 *
 * Then `begin`. Only `fulfilled` says that the cache shows all that was done before. Otherwise the server is asked first, for the ReplicaSet
 * (`readAlive`) and for its pods (`control.list`). Those of the list that are active are claimed, and count instead of `seen`. If the
 * ReplicaSet is not alive, nothing is done, and the expectations are in doubt. If one of these requests fails, the expectations are
 * in doubt, too, and what went wrong is returned like any other failure.
 *
 * The cache will show what the server has. Until then it is awaited:
 *
 * - creations of the claimed pods that the cache does not show as the ReplicaSet's own or as an orphan;
 * - deletions of pods of `seen` that the server does not show as active pods of the ReplicaSet, while the cache still does.
 *
 * The cache shows none of 2 wanted pods, the expectations are `expired`, the server has both: it creates nothing, and awaits two.
 *
 * Differs: upstream acts on its cache after a start, and when a deletion that it awaited has not shown for five minutes.
 *
 * @param seen the pods that it has, as far as the cache showed
 * @param state of its expectations when the cache was looked at
 * @returns what went wrong, with a pod or in asking the server; `undefined` if nothing did
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.manageReplicas
 */
export async function manageReplicas(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  seen: readonly Pod[],
  state: ExpectationState,
): Promise<Error | undefined> {
  return todo(KATA, 'manageReplicas', 'Level 9');
}

/**
 * The ReplicaSet controller: every ReplicaSet gets as many pods as it wants. This is given for the levels; on the free way it is all
 * that you write.
 *
 * It works until `context.signal` is aborted, and may be stopped at any moment and started again without a memory. What it
 * must keep to are the laws in README.md. By levels, `PodControl` tells Events of what it does, and Level 9 reads them.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.Run
 */
export const replicaSetController: Component = assembleReplicaSetController({
  newExpectations: ({ clock }) => new Expectations(clock),
  podNews,
  sync: syncReplicaSet,
});
