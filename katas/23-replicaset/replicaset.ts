/**
 * Kata 23 · The ReplicaSet controller. Read README.md beside this file, then begin at the top with Level 1.
 *
 * This is the only file that you edit. Objects from a client or a cache are shared and frozen: copy before you change.
 */
import {
  assembleReplicaSetController,
  type ExpectationState,
  type Expected,
  type PodNews,
  type RankedPod,
  type ReplicaSetSyncContext,
} from '#given/23-replicaset';
import { type Client, type Clock, type Component, type New, type Pod, type ReplicaSet, todo } from '#harness';

const KATA = '23-replicaset';

// Level 1 · Which pods count, and what owns them

/**
 * Tests whether a pod does its work, or will. A pod that has ended (`Succeeded`, `Failed`) or that is being deleted (it has a
 * `deletionTimestamp`) is not active. Every other pod is active, also without a phase.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go IsPodActive
 */
export function isPodActive(pod: Pod): boolean {
  return todo(KATA, 'isPodActive', 'Level 1');
}

/** The action of a ReplicaSet on a pod of its namespace. */
export type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

/**
 * Decides what a ReplicaSet does with a pod. Compare the `uid` of the controller, not its name. `controllerOf(pod)` returns the
 * controller; `selectorOf(rs).matches(pod.metadata.labels)` tests the labels.
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
 * Returns a pod for this ReplicaSet. Labels, annotations, finalizers and `spec` come from the template; omit the fields that the
 * template lacks. The namespace is the ReplicaSet's. `generateName` is its name and a hyphen: `web-`. The only owner is
 * `newControllerRef(rs)`. Set neither a name nor a status.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go GetPodFromTemplate
 */
export function newPod(rs: ReplicaSet): New<Pod> {
  return todo(KATA, 'newPod', 'Level 2');
}

// Level 3 · Which pods are deleted

/**
 * Compares two pods: which is deleted first? The first rule that finds a difference decides:
 *
 * | | goes first |
 * |---|---|
 * | 1 | the pod without a node (or with an empty node name) |
 * | 2 | by phase: `Pending`, `Unknown`, `Running`; any other phase, or none, counts as `Pending` |
 * | 3 | the pod that is not ready (`isReady`) |
 * | 4 | the lower deletion cost (`getDeletionCost`) |
 * | 5 | the higher `rank` |
 * | 6 | ready for a shorter time (`readySinceMs`); see below |
 * | 7 | more restarts: the highest `restartCount` of `containerStatuses` |
 * | 8 | more restarts of sidecars: the same for init containers whose `restartPolicy` is `Always` |
 * | 9 | created later; see below |
 *
 * Rules 6 and 9 compare two times. If both are equal or both missing, the next rule decides. A missing time goes first. Otherwise the
 * smaller *magnitude* of the age goes first: log₂ of the age in nanoseconds, rounded down; an age of 0 or less is below
 * all. Within one magnitude the smaller `uid` (as a string) decides, and no later rule applies.
 *
 * @param nowMs - ms since 1970
 * @returns negative if `a` goes first, positive if `b` does, 0 if no rule finds a difference
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ActivePodsWithRanks.Less
 */
export function compareActivePods(a: RankedPod, b: RankedPod, nowMs: number): number {
  return todo(KATA, 'compareActivePods', 'Level 3');
}

/**
 * Returns the first `count` candidates in the order of {@link compareActivePods}, in a new array; the candidates do not change. If
 * `count` covers all, the order is free. `getPodsRankedByRelatedPodsOnSameNode` returns the ranks.
 *
 * @param related - the pods of all ReplicaSets with the same controller, candidates included; empty if the ReplicaSet has no controller
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

/** The number of successful calls, and the first error, if any. */
export interface BatchResult {
  readonly successes: number;
  readonly error?: unknown;
}

/**
 * Calls `fn` `count` times, in batches that double. The calls of a batch run concurrently. A batch starts when all calls of the
 * previous batch have settled; after a batch with a failed call no other starts. Never rejects.
 *
 * 10 calls from 1, the third fails: batches of 1 and 2; `successes` is 2.
 *
 * @param fn - rejects or throws if it fails
 * @returns the number of successes, and the error of the first failed call in the order of calls; `error` is absent if no call failed
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
 * The time in ms after which an expectation expires.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ExpectationsTimeout
 */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * The writes of a controller that its cache does not show yet, for each ReplicaSet.
 *
 * A controller calls {@link begin} before it acts, and {@link expect} after each response. Handlers call {@link observed}. An
 * event may be *faster* than the response to the request that caused it: uids observed since `begin` are not expected any more.
 * Expected uids are sets: to expect or observe one twice counts once.
 *
 * Differs: upstream *counts* creations, and keys deletions by namespace and name.
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
   * | in doubt since the last `begin` | `unknown` |
   * | nothing is expected | `fulfilled` |
   * | something is expected, for at most {@link EXPECTATIONS_TIMEOUT_MS} since the last `begin` or `expect` | `pending` |
   * | something is expected, for longer | `expired` |
   *
   * @param key - the uid of a ReplicaSet
   */
  state(key: string): ExpectationState {
    return todo(KATA, 'Expectations.state', 'Level 5');
  }

  /**
   * Announces that the controller is about to act: ends the doubt, forgets earlier observations and restarts the time. It drops the
   * expected uids only if they have expired; this also holds for a key in doubt.
   */
  begin(key: string): void {
    todo(KATA, 'Expectations.begin', 'Level 5');
  }

  /** Records that a response did not come: `unknown` until {@link begin}. Does nothing for a key that was never begun. */
  doubt(key: string): void {
    todo(KATA, 'Expectations.doubt', 'Level 5');
  }

  /**
   * Expects that the cache shows these pods (`creations`), or stops showing them as active (`deletions`), in addition to earlier
   * expectations, and restarts the time. Skips a pod if {@link observed} was called for it with the same `what` since {@link begin}. Skips a
   * creation, too, if the deletion of the pod was observed since then. Does nothing for a key that was never begun.
   *
   * @param uids - of pods
   */
  expect(key: string, what: Expected, uids: readonly string[]): void {
    todo(KATA, 'Expectations.expect', 'Level 5');
  }

  /** Records that the cache shows this pod, or no longer shows it as active. This may come before the pod is expected. */
  observed(key: string, what: Expected, uid: string): void {
    todo(KATA, 'Expectations.observed', 'Level 5');
  }

  /** Forgets the key: `unknown` again. */
  forget(key: string): void {
    todo(KATA, 'Expectations.forget', 'Level 5');
  }
}

/**
 * Translates a change of a pod for the ReplicaSets concerned. The controller has changed if its `uid` has.
 *
 * | | |
 * |---|---|
 * | `appearedTo` | the current controller, if it has changed or the pod is new; even if the pod is being deleted |
 * | `lostTo` | the previous controller, if the pod had one and it has changed, or the pod is gone; otherwise, if the pod is not active, its current controller |
 * | `wakes` | the current controller, always; and the previous one, if it has changed or the pod is gone |
 * | `orphan` | true if the pod exists without a controller, and is new, had a controller, or had other labels |
 *
 * A pod that is new or adopted, and not active, has appeared *and* is lost.
 *
 * @param previous - undefined if the pod is new
 * @param current - undefined if the pod is gone; otherwise with the `uid` of `previous`
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
  /** Pods that are being deleted and have not ended. */
  readonly terminating: readonly Pod[];
}

/**
 * Returns the status for these pods. It counts active pods:
 *
 * - `replicas`: all of them;
 * - `fullyLabeledReplicas`: pods with every label of the template (all of them if it has none);
 * - `readyReplicas`, `availableReplicas`: `isReady`, and `isPodAvailable` with `spec.minReadySeconds` (absent: 0).
 *
 * Omit the last three if they are 0. `terminatingReplicas` counts the terminating pods; write it even if it is 0.
 * `observedGeneration` is that of the current status, if any.
 *
 * `conditions` are those of the current status; omit them if empty. Without a failure, remove `ReplicaFailure`. With a failure, keep an
 * existing `ReplicaFailure` unchanged; otherwise add one: status `True`, the failure's message, `lastTransitionTime` now (`formatTime`),
 * and the reason `FailedCreate` if there are fewer active pods than `spec.replicas`, `FailedDelete` if there are more, no reason if there
 * are as many.
 *
 * 3 active, 2 of them ready, 1 terminating: `{ replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 2, availableReplicas: 2,
 * terminatingReplicas: 1 }`.
 *
 * @param failure - the error of this sync
 * @param nowMs - ms since 1970
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
 * Writes a status, if it differs from that of `rs` (`isSameStatus`). `observedGeneration` is the `generation` of `rs`,
 * because the controller acted on `rs`; never the generation of a newer version that the retry reads.
 *
 * If the write fails, reads the ReplicaSet and writes the same status into it, once. Skips the second write if the server has
 * another ReplicaSet (by `uid`), or if its status observes a *newer* generation than ours.
 *
 * Differs: upstream's second write overwrites any status.
 *
 * @returns `rs` itself if nothing was sent; otherwise the server's response
 * @throws the error of the read or of the second write; an Error that names the ReplicaSet if it skips the second write
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
 * Adopts and releases pods according to {@link classifyPod}, and returns the resulting pods of the ReplicaSet.
 *
 * Before the first adoption, reads from the server whether the ReplicaSet is alive (`readAlive`), once for all
 * candidates: the cache may be out of date. If it is not alive, adopts nothing, and reports a failure.
 * Records each adoption in `written`, with the version that the server returned.
 *
 * If a pod no longer exists on the server, skips it without a failure. After any other failure, continues with the other pods.
 *
 * @param candidates - active pods in the namespace of `rs`
 * @throws the first failure, after all candidates
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
 * Creates `count` pods with a slow start. The caller has called `begin`. Expects each created pod, and records its version in `written`.
 * If a pod *may* have been created although no response came (`mayHaveHappened`), puts the expectations in doubt.
 *
 * In a terminating namespace (`isNamespaceTerminating`) no create can ever succeed. Do not report its rejection as a failure.
 *
 * @returns the first failure, or undefined
 */
export async function createPods(
  syncContext: ReplicaSetSyncContext,
  rs: ReplicaSet,
  count: number,
): Promise<Error | undefined> {
  return todo(KATA, 'createPods', 'Level 8');
}

/**
 * Deletes `count` of the active pods, chosen by {@link getPodsToDelete}, concurrently. The related pods are `caches.related(rs)`. The
 * caller has called `begin`.
 *
 * Expects a deletion after its response, also of a pod that the cache does not show yet. Does not expect a rejected deletion.
 * If a pod *may* have been deleted although no response came, puts the expectations in doubt.
 *
 * @returns the first failure, or undefined
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
 * Syncs one ReplicaSet. Does nothing if the cache does not have it.
 *
 * - First the caches must show its own writes (`written.ensureReady`): otherwise the sync fails, and is retried.
 * - Read the expectations and the pods together, without an `await` in between.
 * - Claim its active pods and the active orphans of its namespace.
 * - Unless its expectations are `pending` or it is being deleted, call {@link manageReplicas}.
 * - Always write the status, from the pods that were claimed: also while it is being deleted, and if {@link manageReplicas} failed.
 *   Terminating pods are its own selected pods that are being deleted and have not ended. Record the returned version in `written`.
 * - Sync again when the next pod becomes available by time alone (`nextAvailabilityMs`), and soon after an expectation
 *   expires: five minutes after the last `begin` or `expect`, not after this sync. The queue keeps the earliest of several times for a key,
 *   so an older timer may replace yours: if a sync comes too early, add the later time again.
 * - Finally, if {@link manageReplicas} failed, throw its failure.
 *
 * @throws also the failure of claiming; the sync is retried with back-off
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.syncReplicaSet
 */
export async function syncReplicaSet(syncContext: ReplicaSetSyncContext, key: string): Promise<void> {
  todo(KATA, 'syncReplicaSet', 'Level 9');
}

/**
 * Creates the missing pods, or deletes the surplus. If the number is right, sends nothing and does not `begin`.
 *
 * Claiming takes time. So look up each pod of `seen` in the cache again. It counts if the cache still shows it as active, and as the
 * ReplicaSet's own or as an orphan that it would adopt. Never expect a pod that left meanwhile: its event has come already.
 *
 * Then `begin`. If `state` is `fulfilled`, act on these pods. Otherwise first read the ReplicaSet (`readAlive`) and its pods
 * (`control.list`) from the server. Claim the active pods of the list; they count instead of `seen`. If the ReplicaSet is not alive, do
 * nothing and put the expectations in doubt. If one of these requests fails, put the expectations in doubt and return the failure.
 *
 * Until the cache shows the state of the server, expect:
 *
 * - creations of claimed pods that the cache does not show as the ReplicaSet's own or as an orphan;
 * - deletions of pods of `seen` that the server does not show as active pods of the ReplicaSet, while the cache still does.
 *
 * The cache shows none of 2 wanted pods, the expectations are `expired`, the server has both: create nothing, and expect two creations.
 *
 * Differs: upstream acts on its cache after a start, and when an expected deletion has expired.
 *
 * @param seen - the claimed pods, as the cache showed them
 * @param state - of the expectations when the cache was read
 * @returns the failure of a pod or of a read, or undefined
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
 * The ReplicaSet controller. By levels, it is complete. With your own design, implement only this function, in any shape.
 *
 * It works until `context.signal` is aborted, and may be stopped at any moment and started again without its memory. The laws in README.md
 * are its contract.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.Run
 */
export const replicaSetController: Component = assembleReplicaSetController({
  newExpectations: ({ clock }) => new Expectations(clock),
  podNews,
  sync: syncReplicaSet,
});
