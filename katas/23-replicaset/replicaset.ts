/**
 * Kata 23 · The ReplicaSet controller. Read README.md beside this file, then begin at the top: Level 1 is which pods
 * count.
 *
 * Levels 1 to 4 and 6 are decisions on plain objects, which change nothing; Level 5 knows whether the cache shows what we
 * did; Level 7 is the controller that looks, decides and acts.
 *
 * This is the only file that you edit. Signatures are what the tests use; inside, do as you like. Objects that come from
 * a client or a cache are shared and frozen: copy before you change.
 */
import {
  type Client,
  type Clock,
  type Component,
  type KubeObject,
  type New,
  type OwnerReference,
  type Pod,
  type ReplicaSet,
  todo,
} from '#harness';

const KATA = '23-replicaset';

// Level 1 · Which pods count, and whose they are

/**
 * Does the pod do its work, or will it?
 *
 * @returns false when its phase is `Succeeded` or `Failed`, or when it has a `deletionTimestamp`, whatever its phase;
 * true otherwise, also without a phase
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go IsPodActive
 */
export function isPodActive(pod: Pod): boolean {
  return todo(KATA, 'isPodActive', 'Level 1');
}

/**
 * @returns those that are active, in the order given, in a new array
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go FilterActivePods
 */
export function filterActivePods(all: readonly Pod[]): Pod[] {
  return todo(KATA, 'filterActivePods', 'Level 1');
}

/**
 * An object has any number of owners and at most one controller: the owner whose reference says `controller: true`.
 *
 * @returns that reference; `undefined` when there is none, though there may be owners
 * @see Upstream: kubernetes/apimachinery@v0.30.0 pkg/apis/meta/v1/controller_ref.go GetControllerOf
 */
export function getControllerOf(object: KubeObject): OwnerReference | undefined {
  return todo(KATA, 'getControllerOf', 'Level 1');
}

/** What a ReplicaSet does about an active pod of its namespace. */
export type Claim = 'keep' | 'adopt' | 'release' | 'ignore';

/**
 * Whose is this pod? The `uid` says who controls it, not the name: a ReplicaSet that was deleted and created again is
 * another one.
 *
 * | the pod's controller | labels match | ReplicaSet | |
 * |---|---|---|---|
 * | another `uid` | either | either | `ignore` |
 * | this ReplicaSet | yes | either | `keep` |
 * | this ReplicaSet | no | lives | `release` |
 * | this ReplicaSet | no | is being deleted | `ignore` |
 * | none | yes | lives | `adopt`; but `ignore` when the *pod* is being deleted |
 * | none | yes | is being deleted | `ignore` |
 * | none | no | either | `ignore` |
 *
 * @param pod of the namespace of `rs`; who asks has seen to that
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_ref_manager.go
 * BaseControllerRefManager.ClaimObject
 */
export function classifyPod(pod: Pod, rs: ReplicaSet): Claim {
  return todo(KATA, 'classifyPod', 'Level 1');
}

/**
 * Who might adopt this pod?
 *
 * @returns the ReplicaSets of the pod's namespace whose selector matches its labels, in the order given, whoever controls
 * it
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go getPodReplicaSets; there the
 * lister does it: kubernetes/client-go@v0.30.0 listers/apps/v1/replicaset_expansion.go GetPodReplicaSets
 */
export function getPodReplicaSets(pod: Pod, all: readonly ReplicaSet[]): ReplicaSet[] {
  return todo(KATA, 'getPodReplicaSets', 'Level 1');
}

// Level 2 · How many, and what they look like

/**
 * How many pods one sync creates or deletes at most.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go BurstReplicas
 */
export const BURST_REPLICAS = 500;

/**
 * @param replicas how many pods there are to be
 * @param active how many there are
 * @returns how many are too many; negative when some are missing; never more than {@link BURST_REPLICAS} either way
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go
 * ReplicaSetController.manageReplicas
 */
export function replicasDiff(replicas: number, active: number): number {
  return todo(KATA, 'replicasDiff', 'Level 2');
}

/**
 * The reference that makes this ReplicaSet the controller of a pod.
 *
 * @returns `apiVersion: 'apps/v1'`, `kind: 'ReplicaSet'` (an object out of a list does not say so itself), its name and
 * uid, `controller: true` and `blockOwnerDeletion: true`; nothing else
 * @see Upstream: kubernetes/apimachinery@v0.30.0 pkg/apis/meta/v1/controller_ref.go NewControllerRef
 */
export function newControllerRef(rs: ReplicaSet): OwnerReference {
  return todo(KATA, 'newControllerRef', 'Level 2');
}

/**
 * A pod for this ReplicaSet, from its template; without a status.
 *
 * `generateName` is the name of the ReplicaSet and a hyphen. The namespace is the ReplicaSet's. Labels, annotations and finalizers are those of the
 * template, not of the ReplicaSet; what the template does not have is absent, not `undefined`. A name that the template
 * has is passed over. The one owner is {@link newControllerRef}. `spec` is that of the template.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go GetPodFromTemplate
 */
export function newPod(rs: ReplicaSet): New<Pod> {
  return todo(KATA, 'newPod', 'Level 2');
}

// Level 3 · Whom to delete

/**
 * @returns the condition of type `Ready`; `undefined` without one
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/api/v1/pod/util.go GetPodReadyCondition
 */
export function getPodReadyCondition(pod: Pod): NonNullable<Pod['status']['conditions']>[number] | undefined {
  return todo(KATA, 'getPodReadyCondition', 'Level 3');
}

/**
 * @returns true when the condition `Ready` is `True`; whatever the phase
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/api/v1/pod/util.go IsPodReady
 */
export function isPodReady(pod: Pod): boolean {
  return todo(KATA, 'isPodReady', 'Level 3');
}

/**
 * What the annotation `controller.kubernetes.io/pod-deletion-cost` says: who costs less goes first.
 *
 * It is a decimal integer from -2³¹ to 2³¹-1. It begins with a digit from 1 to 9 or with a minus, or it is `0`: `+5`,
 * `05`, `1.5`, ` 5` and the empty text are not well-formed; `-05` is -5.
 *
 * @returns the cost; 0 when there is no annotation, or it is not well-formed or out of range
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/apis/core/helper/helpers.go GetDeletionCostFromPodAnnotations,
 * validFirstDigit
 */
export function getDeletionCost(pod: Pod): number {
  return todo(KATA, 'getDeletionCost', 'Level 3');
}

/** A pod, and how many active pods of its kin are on its node. */
export interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

/**
 * Pods that crowd one node are less worth than one that is alone.
 *
 * @param candidates those who may be deleted
 * @param related the kin: the pods of every ReplicaSet of the same Deployment, these among them
 * @returns each candidate, in the order given, with the number of *active* pods in `related` on its node. No node, and an
 * empty one, count as one node more
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go
 * getPodsRankedByRelatedPodsOnSameNode
 */
export function getPodsRankedByRelatedPodsOnSameNode(
  candidates: readonly Pod[],
  related: readonly Pod[],
): RankedPod[] {
  return todo(KATA, 'getPodsRankedByRelatedPodsOnSameNode', 'Level 3');
}

/**
 * Who is deleted first? The first of these that tells the two apart decides:
 *
 * 1. Without a node (or with an empty one) before with one.
 * 2. By phase: `Pending` before `Unknown` before `Running`. No phase, or another, counts as `Pending`.
 * 3. Not ready before ready ({@link isPodReady}).
 * 4. The lower {@link getDeletionCost} first.
 * 5. The higher rank first.
 * 6. If both are ready: ready for a shorter time first, by `lastTransitionTime` of the condition `Ready`; see below.
 * 7. More restarts first: the highest `restartCount` in `containerStatuses`, 0 without any.
 * 8. More restarts of sidecars first: the highest `restartCount` in `initContainerStatuses` of those init containers
 *    whose `restartPolicy` is `Always`.
 * 9. Created later first, by `creationTimestamp`; see below.
 *
 * Of two times (6 and 9): equal times, or none on both sides, decide nothing. Otherwise the one that is missing goes first.
 * Otherwise what counts is the magnitude of the age: log₂ of the age *in nanoseconds*, rounded down; an age of 0 or less is
 * below all. The smaller goes first. When both are of one magnitude the `uid` that comes first in the order of text goes
 * first, and that *decides*: restarts, or whatever else would come after, are not looked at. Only when the uids are equal,
 * too, does it go on. So no age is safe for ever, and who looks again finds the same order.
 *
 * @param nowMs ms since 1970
 * @returns negative when `a` goes first, positive when `b` does, 0 when nothing tells them apart
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go ActivePodsWithRanks.Less,
 * logarithmicRankDiff, afterOrZero, maxContainerRestarts
 */
export function compareActivePods(a: RankedPod, b: RankedPod, nowMs: number): number {
  return todo(KATA, 'compareActivePods', 'Level 3');
}

/**
 * @param related as for {@link getPodsRankedByRelatedPodsOnSameNode}
 * @param nowMs ms since 1970
 * @returns the first `count` of the candidates by {@link compareActivePods}, in that order, those that are equal in the
 * order given; when all of them are to go, all in the order given: nobody needs to sort. A new array; the candidates stay
 * as they were
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go getPodsToDelete
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

/** @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go SlowStartInitialBatchSize */
export const SLOW_START_INITIAL_BATCH_SIZE = 1;

/** How far a slow start came, and the first failure, if there was one. */
export interface BatchResult {
  readonly successes: number;
  readonly error?: unknown;
}

/**
 * Calls `fn` `count` times, in batches that double: with an initial size of 1, first 1, then 2, then 4, and in the last one
 * what is left. The calls of a batch run at once; a batch begins when every call of the one before has settled. After a
 * batch in which any call failed, no other begins: what is bound to fail (a quota that is used up) then fails a few times
 * and not five hundred.
 *
 * @param fn rejects, or throws, when it fails
 * @returns how many calls succeeded, those of the batch that failed included; and what the first call that failed, in the
 * order of calls, rejected with: `error` is absent when none failed. With a `count` of 0 nothing is called. Never rejects
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go slowStartBatch
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
 * After so long we no longer believe that what we wait for will come.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go ExpectationsTimeout
 */
export const EXPECTATIONS_TIMEOUT_MS = 300_000;

/**
 * What the cache is worth, as far as what we did ourselves is concerned. `unknown`: nobody can say, because we have
 * only begun, or because something was not answered. `pending`: it has yet to show something. `fulfilled`: it shows all
 * of it. `expired`: it has had its time to.
 */
export type ExpectationState = 'unknown' | 'pending' | 'fulfilled' | 'expired';

/**
 * For each key, what we did and have not seen in the cache yet. Whoever creates two pods, looks into a cache that does not
 * show them yet and creates two more, has four.
 *
 * Who is about to act calls {@link begin}, then `expect…` for whatever is done, then {@link end}; handlers call
 * `…Observed` as events come in. An event may be *faster* than the answer to the request that caused it: from `begin` to
 * `end` what was observed is remembered, so that what is expected after it was seen is not waited for.
 *
 * What is awaited is a set of uids: to expect one twice, or to observe one twice, counts once.
 *
 * Differs: upstream *counts* creations, and raises the count before it creates, because the name of a pod is not known
 * before the answer; it keys deletions by namespace and name; and it takes no expectation, and an expired one, for a licence
 * to act on the cache.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go ControllerExpectations,
 * UIDTrackingControllerExpectations
 */
export class Expectations {
  constructor(clock: Pick<Clock, 'now'>) {
    todo(KATA, 'Expectations', 'Level 5');
  }

  /**
   * - `unknown`: never begun, or deleted; or in doubt since it was begun last ({@link doubt}), whatever else is awaited
   *   and however long.
   * - `fulfilled`: nothing is awaited, be it because nothing was expected.
   * - `pending`: something is awaited, and no more than {@link EXPECTATIONS_TIMEOUT_MS} have passed since something was
   *   expected last.
   * - `expired`: something is awaited, and more have passed.
   */
  state(key: string): ExpectationState {
    return todo(KATA, 'Expectations.state', 'Level 5');
  }

  /** @returns in how many ms a `pending` one will be `expired`: 1 at least; `undefined` in every other state */
  expiresInMs(key: string): number | undefined {
    return todo(KATA, 'Expectations.expiresInMs', 'Level 5');
  }

  /**
   * Somebody is about to act. From now on what is observed is remembered, until {@link end}; nothing that was observed
   * before is. There is no doubt any more, and the time runs anew. What was awaited is still awaited; but if that had
   * expired, it is forgotten.
   */
  begin(key: string): void {
    todo(KATA, 'Expectations.begin', 'Level 5');
  }

  /** Something was not answered, or not looked at to the end: `unknown` until {@link begin}. Without `begin`, nothing. */
  doubt(key: string): void {
    todo(KATA, 'Expectations.doubt', 'Level 5');
  }

  /** Whoever acted is done: what is observed is not remembered any longer. What is awaited, and a doubt, stay. */
  end(key: string): void {
    todo(KATA, 'Expectations.end', 'Level 5');
  }

  /**
   * Awaits that the cache shows these pods, but for those of which that was observed since {@link begin}. Adds to what is
   * awaited already; the time runs anew. For a key that was never begun nothing happens.
   *
   * @param uids of pods that were created
   */
  expectCreations(key: string, uids: readonly string[]): void {
    todo(KATA, 'Expectations.expectCreations', 'Level 5');
  }

  /**
   * Like {@link expectCreations}: awaits that the cache stops showing these pods as active.
   *
   * @param uids of pods that are deleted
   */
  expectDeletions(key: string, uids: readonly string[]): void {
    todo(KATA, 'Expectations.expectDeletions', 'Level 5');
  }

  /** The cache shows this pod. One that nobody awaits does no harm; it may be expected yet. */
  creationObserved(key: string, uid: string): void {
    todo(KATA, 'Expectations.creationObserved', 'Level 5');
  }

  /** The cache does not show this pod as active any more. One that nobody awaits does no harm; it may be expected yet. */
  deletionObserved(key: string, uid: string): void {
    todo(KATA, 'Expectations.deletionObserved', 'Level 5');
  }

  /** The pod was not deleted, after all: its deletion is not awaited any longer. That is no observation. */
  deletionFailed(key: string, uid: string): void {
    todo(KATA, 'Expectations.deletionFailed', 'Level 5');
  }

  /** Forgets all about the key: `unknown` again. */
  deleteExpectations(key: string): void {
    todo(KATA, 'Expectations.deleteExpectations', 'Level 5');
  }
}

/** What a change of a pod means to those who may be its controller. */
export interface PodNews {
  /** For whom the pod is there from now on: who awaits it has seen it. */
  readonly appearedTo: OwnerReference | undefined;
  /** For whom it no longer counts: it is gone or going, has ended, or is no longer theirs. */
  readonly lostTo: OwnerReference | undefined;
  /** Who should have a look. */
  readonly wakes: readonly OwnerReference[];
  /** Nobody controls it: should whoever selects it have a look? */
  readonly orphan: boolean;
}

/**
 * What a handler was told, in terms of who is concerned. "Controller" is what {@link getControllerOf} says; it has changed
 * when its `uid` has.
 *
 * - `appearedTo`: the controller of a pod that was not there before, even if it is being deleted already; else `undefined`.
 * - `lostTo`: the former controller, when it has changed or the pod is gone; else the controller of a pod that is there and
 *   not active; else `undefined`. A pod that comes inactive is both: it has appeared and is lost.
 * - `wakes`: the former controller if it has changed (a pod that is gone has none any more), then the present one; each only
 *   if there is one. At every change, whatever it is: readiness counts, too.
 * - `orphan`: the pod is there without a controller, and that is new: it was not there before, or had a controller, or its
 *   labels have changed.
 *
 * @param previous `undefined` when the pod was added
 * @param current `undefined` when it is gone; otherwise of the same `uid` as `previous`
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go addPod, updatePod, deletePod
 */
export function podNews(previous: Pod | undefined, current: Pod | undefined): PodNews {
  return todo(KATA, 'podNews', 'Level 5');
}

// Level 6 · Status

/**
 * Has the pod been ready for long enough to be relied on?
 *
 * @param minReadySeconds with 0, ready is enough
 * @param nowMs ms since 1970
 * @returns true when it is ready and `lastTransitionTime` and `minReadySeconds` lie *strictly* before now: at that very ms
 * it is not available yet. One that does not say since when it is ready never is, unless `minReadySeconds` is 0
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/api/v1/pod/util.go IsPodAvailable
 */
export function isPodAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  return todo(KATA, 'isPodAvailable', 'Level 6');
}

/**
 * No event tells that a pod has become available: only time does.
 *
 * @param nowMs ms since 1970
 * @returns in how many ms the next of those that are ready and not available yet will be available: 1 at least;
 * `undefined` when there is none, or none says since when it is ready
 *
 * Differs: upstream looks again once, after `minReadySeconds`, and only when all are ready and not all available.
 */
export function nextAvailabilityMs(
  all: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  return todo(KATA, 'nextAvailabilityMs', 'Level 6');
}

export type ReplicaSetStatus = ReplicaSet['status'];
export type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

/**
 * @returns the conditions with this one as the last, in the place of the one of its type; but as they were, the old
 * condition with its time and its message, when that one has the same status *and* the same reason. A new array
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set_utils.go SetCondition
 */
export function setCondition(
  conditions: readonly ReplicaSetCondition[],
  condition: ReplicaSetCondition,
): ReplicaSetCondition[] {
  return todo(KATA, 'setCondition', 'Level 6');
}

/**
 * @returns the conditions of other types, in the order given, in a new array
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set_utils.go RemoveCondition
 */
export function removeCondition(
  conditions: readonly ReplicaSetCondition[],
  type: string,
): ReplicaSetCondition[] {
  return todo(KATA, 'removeCondition', 'Level 6');
}

/**
 * The status that these pods make.
 *
 * - `replicas`: how many there are; always there.
 * - `fullyLabeledReplicas`: how many have every label of the template (all, when it has none). It may ask for more than
 *   the selector.
 * - `readyReplicas`, `availableReplicas`: how many are ready, and available for `spec.minReadySeconds` (absent: 0).
 *   Of these three a count of none is left out, as on the wire.
 * - `observedGeneration`: that of the status so far, if it has one; {@link updateReplicaSetStatus} sets it.
 * - `conditions`, left out when there are none: those of the status so far. Without a failure, no `ReplicaFailure` among
 *   them. With a failure and a `ReplicaFailure` there already, all as they were. With a failure and none, one more
 *   ({@link setCondition}): status `True`, the failure's message, `lastTransitionTime` now, in the form of the API
 *   (`formatTime`), and the reason `FailedCreate` when fewer are there than `spec.replicas`, `FailedDelete` when more, no
 *   reason when just as many.
 *
 * @param active the active pods of this ReplicaSet, before anything was created or deleted
 * @param failure what went wrong with a pod in this sync
 * @param nowMs ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set_utils.go calculateStatus
 */
export function calculateStatus(
  rs: ReplicaSet,
  active: readonly Pod[],
  failure: Error | undefined,
  nowMs: number,
): ReplicaSetStatus {
  return todo(KATA, 'calculateStatus', 'Level 6');
}

/**
 * Writes a status, if it says anything new. `observedGeneration` becomes the `generation` of `rs`, which is what was acted
 * on: never that of a newer version that a second try finds.
 *
 * When the status of `rs` says the same already, nothing is sent. An absent count is 0, absent conditions are none.
 *
 * Otherwise it is `updateStatus` of `rs` with the new status, `resourceVersion` and all. When that fails, however, the
 * ReplicaSet is read anew, and the status is put into what came and sent once more, once. Not so when what came is another
 * one (by `uid`), or when its status observes a *newer* generation than ours: somebody knew more than we do.
 *
 * @returns `rs` itself when nothing was to be said; else what the server answered
 * @throws what the second try, or the reading, rejected with; an Error that names the ReplicaSet when there was nothing to
 * be tried again
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set_utils.go updateReplicaSetStatus.
 * Differs: there the second try writes over whatever it finds
 */
export async function updateReplicaSetStatus(
  client: Pick<Client, 'get' | 'updateStatus'>,
  rs: ReplicaSet,
  newStatus: ReplicaSetStatus,
): Promise<ReplicaSet> {
  return todo(KATA, 'updateReplicaSetStatus', 'Level 6');
}

// Level 7 · The controller

/**
 * The ReplicaSet controller: sees to it that every ReplicaSet has as many pods as it wants.
 *
 * **What it listens to.** Informers of ReplicaSets and of pods, and a queue of keys (`namespace/name`). Pods are found by
 * the uid of their controller, orphans by their namespace, ReplicaSets by the uid of their controller, through indexes;
 * every informer has the index `namespace`. The handlers, which only ever note and enqueue:
 * - A ReplicaSet that comes, changes or goes is enqueued, also by a resync. Expectations are kept by the *uid*; those of
 *   one that is gone are deleted. An update between two uids is a deletion and an addition; of a pod, too.
 * - A pod: {@link podNews}, if its `resourceVersion` has changed. `appearedTo` and `lostTo` are observed (by the uid of
 *   the owner and that of the pod), those in `wakes` enqueued; an owner is resolved by kind `ReplicaSet`, namespace, name
 *   *and* uid. For an orphan, all of {@link getPodReplicaSets} are enqueued.
 * - What a deletion brings may be a tombstone (`DeletedFinalStateUnknown`): what counts is the object in it.
 *
 * It starts the informers, waits for the caches, and has 5 workers work the queue off (`context.runWorkers`), each failure
 * logged. A sync that fails is tried again, later each time: the workers do that.
 *
 * **One sync**, of a key:
 * 1. The ReplicaSet, from the cache. None: nothing is to be done.
 * 2. The state of its expectations, *at the same moment* as the pods are looked at: before anything is awaited.
 * 3. Its active pods: of those that it controls and of the orphans in its namespace, as {@link classifyPod} says.
 *    Adopting is a strategic patch `{ metadata: { uid, ownerReferences: [ref] } }`, releasing one of
 *    `{ metadata: { uid, ownerReferences: [{ $patch: 'delete', uid: <of the ReplicaSet> }] } }`; both with the uid of the
 *    pod, so that another pod of that name is not touched (409). Before the first adoption of a sync the ReplicaSet is read
 *    from the server: when it is gone, another, or being deleted, nothing is adopted, and that is a failure. A pod that is
 *    not found any more is nothing to worry about and does not count; a release that is answered `Invalid` has happened
 *    already. Any other failure: the others are claimed all the same, but then the sync fails, and nothing more is done.
 * 4. Unless its expectations are `pending`, or it is being deleted: {@link replicasDiff}, and if that is not 0, what is
 *    missing is created or what is too much deleted. See below.
 * 5. {@link calculateStatus} and {@link updateReplicaSetStatus}, always, also for one that is being deleted, from the pods
 *    of step 3. While it is being deleted that is all that it does: what becomes of its pods the garbage collector
 *    decides.
 * 6. It looks again ({@link nextAvailabilityMs}) when the next pod becomes available by time alone, and
 *    ({@link Expectations.expiresInMs}) when what it waits for expires.
 * 7. If something went wrong with a pod in step 4, the sync fails with that, now.
 *
 * **Creating and deleting.** Only an expectation that is `fulfilled` says that the cache shows all that was done before.
 * With one that is `unknown` or `expired` the cache is not known to: so the server itself is asked before anything is
 * created or deleted. It reads the ReplicaSet (gone, another, or being deleted: nothing is done) and lists the pods that it
 * selects, without a `resourceVersion`: that is the newest. What is listed is claimed as in step 3, and how many to
 * create or delete is reckoned anew from both. What the server shows and the cache, looked at once more after the list,
 * does not is expected: creations of the pods that were its own in the list, deletions of those seen before that are not
 * there any more; what was observed since `begin` is not. A pod that is in the list is not being deleted, whatever was
 * asked for: `deletionFailed`. When the asking fails, it is in doubt, and the sync fails. When the ReplicaSet turns out to
 * be gone or going, there is still step 5. (Differs: upstream takes the cache for good after a restart and after five
 * minutes, and may create or delete too many: for the latter see the issue kubernetes/kubernetes#129795.)
 *
 * To create: {@link slowStartBatch} from {@link SLOW_START_INITIAL_BATCH_SIZE}, each {@link newPod}. Events on the
 * ReplicaSet: `Normal` `SuccessfulCreate` `Created pod: <name>`; `Warning` `FailedCreate` `Error creating: <message>`. When
 * the namespace is terminating (a cause with the reason `NamespaceTerminating` in the details of the status) no further
 * batch begins, and there is neither an event nor a failure: it will not get better, and not be worth another try.
 *
 * To delete: {@link getPodsToDelete}, `related` being the pods of all ReplicaSets that have the
 * same controller as this one, itself among them; none when it has no controller. All are deleted at once, each with its
 * uid as a precondition. Events: `Normal` `SuccessfulDelete` `Deleted pod: <name>`; `Warning`
 * `FailedDelete` `Error deleting: <message>`. NotFound and Conflict say that it is gone already, or that another has its
 * name: neither event nor failure; whether it is still awaited is all the same.
 *
 * The first failure of the creates, or of the deletes, is the failure of the sync and what the status tells. What was
 * *perhaps* done puts the expectations in doubt: an error whose `reasons[reason].written` is `unknown` (a timeout, say),
 * or a connection that broke; not one that was refused. It stays awaited until the server is asked. What was certainly
 * not done is not awaited: {@link Expectations.deletionFailed}.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/replicaset/replica_set.go ReplicaSetController:
 * syncReplicaSet, manageReplicas, claimPods; pkg/controller/controller_ref_manager.go PodControllerRefManager;
 * pkg/controller/controller_utils.go RealPodControl
 */
export const replicaSetController: Component = async (context) => {
  todo(KATA, 'replicaSetController', 'Level 7');
};
