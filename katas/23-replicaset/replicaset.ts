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
  type ReplicaSetDesk,
  todo,
} from '#harness';

const KATA = '23-replicaset';

// Level 1 · Which pods count, and whose they are

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
 * Whose is this pod? The `uid` names its controller; the name does not. `controllerOf(pod)` gives the owner that controls it;
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
 * all. Within one magnitude the `uid` decides, in the order of text, and no later rule is asked. So the oldest pod is not safe for ever.
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
 * @param related the pods of every ReplicaSet of the same Deployment, the candidates among them
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
 * After so many ms a controller no longer believes that the cache will show what it waits for.
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
   * | something is awaited, for at most {@link EXPECTATIONS_TIMEOUT_MS} since something was expected last | `pending` |
   * | something is awaited, for longer | `expired` |
   *
   * @param key the uid of a ReplicaSet
   */
  state(key: string): ExpectationState {
    return todo(KATA, 'Expectations.state', 'Level 5');
  }

  /**
   * The controller is about to act. From now on what is observed is remembered; nothing that was observed before is. The doubt
   * ends, and the time runs anew. What was awaited is still awaited; but if that had expired, it is not.
   */
  begin(key: string): void {
    todo(KATA, 'Expectations.begin', 'Level 5');
  }

  /** An answer did not come: `unknown` until {@link begin}. Nothing happens for a key that was never begun. */
  doubt(key: string): void {
    todo(KATA, 'Expectations.doubt', 'Level 5');
  }

  /**
   * Awaits that the cache shows these pods, or that it stops showing them as active; except for pods of which that was
   * observed since {@link begin}, and for pods that no longer count since then. Adds to what is awaited already; the time runs
   * anew. Nothing happens for a key that was never begun.
   *
   * @param uids of pods
   */
  expect(key: string, what: Expected, uids: readonly string[]): void {
    todo(KATA, 'Expectations.expect', 'Level 5');
  }

  /** The cache shows this pod, or shows it no longer as active. It need not be awaited; it may be expected later. */
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
 * | `lostTo` | the former controller, if it has changed or the pod is gone; else the controller of a pod that is not active |
 * | `wakes` | the former controller if it has changed or the pod is gone, and the present one, at every change |
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
 * @param failure what went wrong with a pod in this sync
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
 * If the status of `rs` says the same already, nothing is sent. An absent count is 0 and absent conditions are none; but an absent
 * `terminatingReplicas` is not 0.
 *
 * If the write fails, the ReplicaSet is read anew, and the same status is written into what came, once. Not if what came is
 * another ReplicaSet (by `uid`), or its status observes a *newer* generation than ours.
 *
 * You acted on generation 4, and meanwhile a user wrote generation 5: your status says `observedGeneration: 4`.
 *
 * Differs: upstream's second try writes over whatever it finds.
 *
 * @returns `rs` itself if nothing was sent; else what the server answered
 * @throws what the second try, or the reading, rejected with; an Error that names the ReplicaSet if there was no second try
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
  desk: ReplicaSetDesk,
  rs: ReplicaSet,
  candidates: readonly Pod[],
): Promise<Pod[]> {
  return todo(KATA, 'claimPods', 'Level 7');
}

// Level 8 · Creating and deleting

/**
 * Creates `count` pods, by a slow start. Each pod that was created is expected, and its version noted in `written`. If a
 * pod *may* have been created although no answer came (`mayHaveHappened`), the expectations are in doubt.
 *
 * In a namespace that is going away (`isNamespaceTerminating`) nothing can be created, now or later: that is no failure.
 *
 * @returns the first failure; `undefined` if there was none
 */
export async function createPods(
  desk: ReplicaSetDesk,
  rs: ReplicaSet,
  count: number,
): Promise<Error | undefined> {
  return todo(KATA, 'createPods', 'Level 8');
}

/**
 * Deletes `count` of the active pods, all at once, those that {@link getPodsToDelete} picks. The kin are
 * `caches.related(rs)`.
 *
 * A deletion is expected once it is answered, also of a pod that the cache does not show yet. One that was refused is not awaited.
 * If a pod *may* have been deleted although no answer came, the expectations are in doubt.
 *
 * @returns the first failure; `undefined` if there was none
 */
export async function deletePods(
  desk: ReplicaSetDesk,
  rs: ReplicaSet,
  active: readonly Pod[],
  count: number,
): Promise<Error | undefined> {
  return todo(KATA, 'deletePods', 'Level 8');
}

// Level 9 · The sync

/**
 * Brings one ReplicaSet to what it wants. Nothing is to be done for one that the cache does not have.
 *
 * - Before all else the caches must have what was written for it (`written.ensureReady`): if not, the sync fails, and is tried again.
 * - What the expectations say must be said of the very pods that are looked at: between the two nothing is awaited.
 * - Its pods are the active ones of those that it controls and of the orphans of its namespace, claimed.
 * - Unless its expectations are `pending` or it is being deleted, {@link manageReplicas}.
 * - Its status is always written, also while it is being deleted, from the pods that were looked at. Terminating are pods of its
 *   own that it selects, that are being deleted and have not ended. The version is noted in `written`.
 * - It looks again when the next pod becomes available by time alone (`nextAvailabilityMs`), and when what it waits for has expired.
 * - If something went wrong with a pod, the sync fails, after all that.
 *
 * @throws what went wrong: the sync is tried again, later each time
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.syncReplicaSet
 */
export async function syncReplicaSet(desk: ReplicaSetDesk, key: string): Promise<void> {
  todo(KATA, 'syncReplicaSet', 'Level 9');
}

/**
 * Creates what is missing, or deletes what is too much. If nothing is, nothing is asked and nothing begun.
 *
 * Only `fulfilled` says that the cache shows all that was done before. Otherwise the server is asked first: for the ReplicaSet
 * (`readAlive`), then for its pods (`control.list`). What it has of them is claimed, and counts instead of what the cache
 * showed. If the ReplicaSet is not alive, nothing is done.
 *
 * What the server shows and the cache does not yet is expected: creations of pods that it has by now; deletions of
 * pods in `seen` that are not in the list while the cache still shows them as ones that count.
 *
 * If the server was not asked to the end, the expectations are in doubt.
 *
 * The cache shows none of 2 wanted pods, the expectations are `expired`, the server has both: it creates nothing, and awaits two.
 *
 * Differs: upstream acts on its cache after a start, and when a deletion that it awaited has not shown for five minutes.
 *
 * @param seen the pods that it has, as far as the cache showed
 * @param state of its expectations when the cache was looked at
 * @returns what went wrong with a pod. @throws if the server could not be asked
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.manageReplicas
 */
export async function manageReplicas(
  desk: ReplicaSetDesk,
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
 * must keep to are the laws in README.md, and {@link syncReplicaSet}.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.Run
 */
export const replicaSetController: Component = assembleReplicaSetController({
  newExpectations: ({ clock }) => new Expectations(clock),
  podNews,
  sync: syncReplicaSet,
});
