/**
 * Kata 24 · The Deployment controller. Read README.md beside this file, then begin at the top: Level 1 is how one template
 * is told from another.
 *
 * Levels 1 to 6 are decisions: pure functions of a Deployment and its ReplicaSets, which change nothing. Levels 7 to 9 are the
 * controller, which looks, decides and writes. Levels 10 to 12, marked ★, can wait until the laws are green.
 *
 * To go your own way, write {@link deploymentController} in any shape, leave the rest as it is, and let the laws decide.
 *
 * Everywhere you are free in the texts of conditions, in the order of writes that do not depend on each other, and in the digits of
 * a hash. This is the only file that you edit. Objects that come from a client or a cache are shared and frozen: copy before
 * you change.
 */
import {
  assembleDeploymentController,
  type Client,
  type Component,
  type Deployment,
  type DeploymentStatus,
  type DeploymentSyncContext,
  type Fenceposts,
  type intstr,
  type New,
  noOptionalParts,
  type ObjectKey,
  type OptionalParts,
  type Pod,
  type PodTemplateSpec,
  type ReplicaSet,
  type Rollout,
  type ScaleOrder,
  todo,
} from '#harness';

const KATA = '24-deployment';

// Level 1 · One template, one ReplicaSet

/**
 * A short text that stands for a template. Templates that are equal to Kubernetes have one hash: the order of fields makes no
 * difference, nor does a field that is empty or absent, nor the spelling of an amount. Other templates have another hash, as good as
 * always; and so has the same template with another number of collisions. `semanticText` of the harness writes what is equal in
 * one way.
 *
 * It is to be the value of a label and the end of a name: one to ten lower-case letters and digits. Without `collisionCount` it may be
 * the same as with 0, or not.
 *
 * `{ env: [] }` and `{}`: one hash. `nginx:1` and `nginx:2`: two.
 *
 * Differs: upstream hashes what Go prints of the template, with FNV-32a. The digits are not those of a real cluster.
 *
 * @param template as it stands in a Deployment: without the label `pod-template-hash`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ComputeHash
 */
export function computeHash(template: PodTemplateSpec, collisionCount?: number): string {
  return todo(KATA, 'computeHash', 'Level 1');
}

/**
 * The ReplicaSet for the template that the Deployment has now, as it is to be created, with no replicas yet and no annotations.
 *
 * | | |
 * |---|---|
 * | name | `generateReplicaSetName(deployment, hash)`; the hash is that of the template and of `status.collisionCount` |
 * | namespace, `minReadySeconds` | the Deployment's; absent if it has none |
 * | labels, and those of its template | the template's labels and `POD_TEMPLATE_HASH` |
 * | selector | the Deployment's, and that label |
 * | owner | `newControllerRef(deployment, 'Deployment')` |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go getNewReplicaSet
 */
export function newReplicaSetFor(deployment: Deployment): New<ReplicaSet> {
  return todo(KATA, 'newReplicaSetFor', 'Level 1');
}

/**
 * The *new* ReplicaSet: the one that has the Deployment's template (`equalIgnoreHash`), whatever its hash. If there are several, the
 * first by age (`byCreationTimestamp`): every sync finds the same one.
 *
 * @param all the Deployment's ReplicaSets, in any order
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go FindNewReplicaSet
 */
export function findNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
): ReplicaSet | undefined {
  return todo(KATA, 'findNewReplicaSet', 'Level 1');
}

// Level 2 · Fenceposts

/**
 * What `maxSurge` and `maxUnavailable` come to. A percentage is of `desired`: that of the surge is rounded up, that of the
 * unavailable down. Absent is 0. If both come to 0, one may be missing: otherwise nothing could ever move.
 *
 * 25% and 25% of 3: 1 and 0. 0% and 10% of 5: 0 and 1.
 *
 * @throws an Error if either is a text that is no percentage: `intstr.getScaledValueFromIntOrPercent` does (import `intstr` without `type`)
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go ResolveFenceposts
 */
export function resolveFenceposts(
  maxSurge: intstr.IntOrString | undefined,
  maxUnavailable: intstr.IntOrString | undefined,
  desired: number,
): Fenceposts {
  return todo(KATA, 'resolveFenceposts', 'Level 2');
}

/**
 * The fenceposts of a Deployment. No more can be missing than `spec.replicas`. Under `Recreate` both are 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go MaxSurge, MaxUnavailable
 */
export function fencepostsOf(deployment: Deployment): Fenceposts {
  return todo(KATA, 'fencepostsOf', 'Level 2');
}

// Level 3 · Scale up the new

/**
 * How big the new ReplicaSet may be now. In a rolling update all ReplicaSets together are to have no more than `spec.replicas`
 * and the surge; the new one no more than `spec.replicas`. If there is no room, it keeps what it has. It is not asked of one that has more
 * than `spec.replicas`: {@link reconcileNewReplicaSet} shrinks that. Under `Recreate`: `spec.replicas`.
 *
 * 10 replicas, surge 3, the old has 8, the new has 2: it may have 5.
 *
 * @param all the Deployment's ReplicaSets, the new one among them if it exists
 * @param current what the new one has
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go NewRSNewReplicas
 */
export function newRSNewReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  current: number,
): number {
  return todo(KATA, 'newRSNewReplicas', 'Level 3');
}

/**
 * What is to become of the new ReplicaSet. If it has more than `spec.replicas`, it shrinks to that. Otherwise
 * {@link newRSNewReplicas} says.
 *
 * @param all the Deployment's ReplicaSets, the new one among them
 * @returns one order, or none if it stays as it is
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go reconcileNewReplicaSet
 */
export function reconcileNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  return todo(KATA, 'reconcileNewReplicaSet', 'Level 3');
}

// Level 4 · Scale down the old, unhealthy first
//
// How many pods of a ReplicaSet are available? `status.availableReplicas`, but no more than `spec.replicas`: the report may still
// count pods that the ReplicaSet has been told to remove.
//
// Differs: upstream takes the report as it is.

/**
 * Takes pods of old ReplicaSets that are not available, at most `maxCleanupCount`. All that are not available in the oldest
 * ReplicaSet go first, then those of the next. It does no harm: a ReplicaSet that shrinks gives up first what is not ready.
 *
 * At most 5; the oldest has 4 of which 1 is available, the next 4 of which 0 are: they get 1 and 2.
 *
 * @param old in any order
 * @returns an order for each that changes
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go cleanupUnhealthyReplicas
 */
export function cleanupUnhealthyReplicas(old: readonly ReplicaSet[], maxCleanupCount: number): ScaleOrder[] {
  return todo(KATA, 'cleanupUnhealthyReplicas', 'Level 4');
}

/**
 * Takes as many pods of old ReplicaSets as there are available pods in `all` beyond those that must be. The oldest ReplicaSet gives
 * all that it has before the next one gives any.
 *
 * 10 replicas of which 2 may be missing, 10 available: 2 go.
 *
 * @param all whose available pods count: the old ones and the new one
 * @param old which may shrink, in any order
 * @returns an order for each that changes
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go scaleDownOldReplicaSetsForRollingUpdate
 */
export function scaleDownOldReplicaSetsForRollingUpdate(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  return todo(KATA, 'scaleDownOldReplicaSetsForRollingUpdate', 'Level 4');
}

/**
 * What is to become of the old ReplicaSets in a rolling update. Two numbers are added: how many
 * pods must be available, and how many of the new one are not available yet. As long as all ReplicaSets together are to have no more than
 * that sum, none may go. Otherwise the unhealthy go, at most as many as the sum is exceeded by; and then
 * {@link scaleDownOldReplicaSetsForRollingUpdate} says what goes of the rest.
 *
 * 10 replicas of which 2 may be missing; old: 8, all available; new: 5, of which 1 is available. 13 exceed 8 and 4 by 1. One goes.
 *
 * @param old those that are to have pods
 * @returns one order for each that changes, with the size that it has after both
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go reconcileOldReplicaSets
 */
export function reconcileOldReplicaSets(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  return todo(KATA, 'reconcileOldReplicaSets', 'Level 4');
}

// Level 5 · The status

/**
 * What the status is to say, going by what the ReplicaSets report, as they report it. A count of 0 may be written or left out.
 *
 * | | |
 * |---|---|
 * | `observedGeneration` | the generation of the Deployment that was looked at |
 * | `replicas`, `readyReplicas`, `availableReplicas`, `terminatingReplicas` | of all: `getActualReplicaCountForReplicaSets`, … |
 * | `updatedReplicas` | `replicas` of the new one |
 * | `unavailableReplicas` | what all are to have, less what is available; never below 0 |
 * | `collisionCount` | stays |
 * | `conditions` | stay, except for `Available` |
 *
 * `Available` is `True`, `MinimumReplicasAvailable`, if no more of `spec.replicas` are missing than may be; otherwise `False`,
 * `MinimumReplicasUnavailable`. If that is no news, it stays as it was: `setDeploymentCondition`.
 *
 * @param nowMs ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go calculateStatus
 */
export function calculateStatus(rollout: Rollout, nowMs: number): DeploymentStatus {
  return todo(KATA, 'calculateStatus', 'Level 5');
}

/**
 * Is the roll-out over, by this status? All of `spec.replicas` are updated, all are available, there are no others, and the
 * status is about the Deployment's generation. A count that is absent is 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go DeploymentComplete
 */
export function deploymentComplete(deployment: Deployment, newStatus: DeploymentStatus): boolean {
  return todo(KATA, 'deploymentComplete', 'Level 5');
}

/**
 * Is the new status any progress over the one that the Deployment has? More are updated, ready or available, or fewer are old
 * (`replicas` less `updatedReplicas`). A pod that is ready no longer is no progress. A count that is absent is 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go DeploymentProgressing
 */
export function deploymentProgressing(deployment: Deployment, newStatus: DeploymentStatus): boolean {
  return todo(KATA, 'deploymentProgressing', 'Level 5');
}

// Level 6 · Progress and the deadline

/**
 * Has the deadline passed, by the condition `Progressing` of this status?
 *
 * | | |
 * |---|---|
 * | no deadline (`hasProgressDeadline`), or no such condition | no |
 * | its reason is `NewReplicaSetAvailable`: that roll-out is over | no |
 * | its reason is `ProgressDeadlineExceeded` | yes |
 * | more than `progressDeadlineSeconds` have passed since its `lastUpdateTime` | yes |
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go DeploymentTimedOut
 */
export function deploymentTimedOut(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): boolean {
  return todo(KATA, 'deploymentTimedOut', 'Level 6');
}

/**
 * What the status is to say in a roll-out: {@link calculateStatus}, and two more conditions.
 *
 * `ReplicaFailure` is that of `getReplicaFailure`, or none. Without a deadline there is no `Progressing`. With one, the first row
 * that applies says what it is:
 *
 * | | `Progressing` |
 * |---|---|
 * | the Deployment's has the reason `NewReplicaSetAvailable`, and all pods that are there are updated (`replicas` is `updatedReplicas`) | stays, also if pods are missing again |
 * | the roll-out is complete | `True`, `NewReplicaSetAvailable` |
 * | there is progress | `True`, `ReplicaSetUpdated`; `lastUpdateTime` is now in any case: the deadline begins anew |
 * | the deadline has passed | `False`, `ProgressDeadlineExceeded` |
 * | none of these | stays |
 *
 * @param nowMs ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go syncRolloutStatus
 */
export function calculateRolloutStatus(rollout: Rollout, nowMs: number): DeploymentStatus {
  return todo(KATA, 'calculateRolloutStatus', 'Level 6');
}

/**
 * In how many ms to look whether the deadline has passed; nothing else will happen then. It goes by the condition `Progressing` that
 * the Deployment has.
 *
 * The condition was updated 180 s ago, the deadline is 600 s: 420,000.
 *
 * @param newStatus the status that is right now: is the roll-out over?
 * @returns `undefined` if there is nothing to look for: no deadline, no such condition, the roll-out is complete, or the condition
 * says already that the deadline has passed. 0 if less than a second is left
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go requeueStuckDeployment
 */
export function requeueStuckDeployment(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): number | undefined {
  return todo(KATA, 'requeueStuckDeployment', 'Level 6');
}

// Level 7 · The new ReplicaSet is created

/**
 * Creates the ReplicaSet of the template (`control.create`), as big as it may be, with its annotations: `newReplicaSetAnnotations`
 * with a revision above that of all old ones, and `replicasAnnotations`.
 *
 * If it was created, the Deployment gets that revision and, with a deadline, `Progressing` `True` `NewReplicaSetCreated`, in one
 * `control.updateStatus`; the deadline begins now, also if the condition said so before. If the name was taken (`existed`), there are two cases. The Deployment controls what has it, and its template is
 * the same: then that is the new ReplicaSet. Otherwise it is a collision: `status.collisionCount` grows by one, and the function
 * throws. The next try has another hash.
 *
 * @param rollout one without a new ReplicaSet
 * @returns the roll-out with the new ReplicaSet, and with the Deployment as it is now
 * @throws an Error after a collision; whatever `control` rejects with
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go getNewReplicaSet
 */
export async function createNewReplicaSet(
  syncContext: DeploymentSyncContext,
  rollout: Rollout,
): Promise<Rollout> {
  return todo(KATA, 'createNewReplicaSet', 'Level 7');
}

// Level 8 · The new ReplicaSet is kept up to date

/**
 * Brings the new ReplicaSet up to date, and the Deployment after it. At most one of the two is written; if all is as it should be,
 * neither.
 *
 * The ReplicaSet is written, on the version that was looked at, if its annotations (`newReplicaSetAnnotations`, as in Level 7) or its
 * `minReadySeconds` are behind. Otherwise the Deployment gets the revision that the ReplicaSet has. With a deadline, `Progressing` becomes
 * `True` `FoundNewReplicaSet` in the same write, if there is none; or if it says `NewReplicaSetAvailable` although the revision is
 * news. Then it speaks of the last roll-out, and no deadline would hold for this one.
 *
 * @returns the roll-out as its writes have left it; the same if there is no new ReplicaSet
 * @throws whatever the client or `control` rejects with
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go getNewReplicaSet
 */
export async function syncRevision(syncContext: DeploymentSyncContext, rollout: Rollout): Promise<Rollout> {
  return todo(KATA, 'syncRevision', 'Level 8');
}

// Level 9 · The sync

/** The optional parts. The controller calls a function of a ★ level only if you add it here: `{ ...noOptionalParts, isScalingEvent, scale }`. */
export const optionalParts: OptionalParts = { ...noOptionalParts };

/**
 * One step of a rolling update. The new ReplicaSet is created if there is none. Then the new one is sized, or, if it stays as it is,
 * the old ones are: never both, because the second decision would rest on what the first has just changed. The status is not written
 * here.
 *
 * @returns the roll-out; its new ReplicaSet and its Deployment are those that were created and updated
 * @throws whatever `control` rejects with
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go rolloutRolling
 */
export async function rolloutRolling(syncContext: DeploymentSyncContext, rollout: Rollout): Promise<Rollout> {
  return todo(KATA, 'rolloutRolling', 'Level 9');
}

/**
 * Brings one Deployment a step nearer to what it asks for. Nothing is to be done for one that the cache does not have.
 *
 * - Its ReplicaSets are those that it claims: `control.claimReplicaSets`.
 * - While it is being deleted, nothing is written but {@link calculateStatus}.
 * - `control.markPaused` comes next, before a ReplicaSet is created, updated or sized. A paused time does not count against the deadline.
 * - The new ReplicaSet is up to date ({@link syncRevision}) before anything is sized.
 * - Paused, or if the size has changed (`optionalParts.isScalingEvent`): nothing is rolled out. `optionalParts.scale` says what is sized, and
 *   the status is {@link calculateStatus}.
 * - Otherwise a step of the roll-out, by its strategy: {@link rolloutRolling} or `optionalParts.rolloutRecreate`. The status is
 *   {@link calculateRolloutStatus}, of the ReplicaSets as they were seen. If it is no news, nothing will happen until the deadline:
 *   `enqueueAfter` the time that {@link requeueStuckDeployment} says.
 * - Once the status that the Deployment had before this sync says that the roll-out is complete, and also while it is paused, what
 *   `optionalParts.findCleanableReplicaSets` finds is deleted.
 *
 * What fails is thrown: the sync is tried again, later each time.
 *
 * @param key `namespace/name`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/deployment_controller.go syncDeployment
 */
export async function syncDeployment(syncContext: DeploymentSyncContext, key: string): Promise<void> {
  return todo(KATA, 'syncDeployment', 'Level 9');
}

/** The Deployment controller: what the rest of a cluster knows of this kata. The handlers, the queue and the workers are given. */
export const deploymentController: Component = assembleDeploymentController({ syncDeployment });

// Level 10 ★ · Scale in proportion. When these are written, put `isScalingEvent` and `scale` into `optionalParts`.

/**
 * Has `spec.replicas` changed since the ReplicaSets were sized? Yes, if an active one has a `DESIRED_REPLICAS` that is another
 * number (`getReplicasAnnotation`); one that has none says nothing. But no under `Recreate` if several are active: one is to vanish.
 *
 * Differs: upstream says yes there, then scales nothing, and never goes on with the roll-out.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go isScalingEvent
 */
export function isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean {
  return todo(KATA, 'isScalingEvent', 'Level 10');
}

/**
 * By how many pods a ReplicaSet is to grow to keep its share. Its share is what its `spec.replicas` was of its `MAX_REPLICAS`; it gets
 * that share of `spec.replicas` and surge now, rounded to the nearest, halves up. Below 0 it shrinks.
 *
 * If that annotation is missing or 0, the Deployment's `status.replicas` takes its place; if that is missing or 0, too, the answer is 0.
 * If the Deployment is to have 0 replicas, all go.
 *
 * 8 of 13 then, 15 and a surge of 3 now: 18 × 8 ÷ 13 is 11.08, so 3 more.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go getReplicaSetFraction
 */
export function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  return todo(KATA, 'getReplicaSetFraction', 'Level 10');
}

/**
 * By how many pods a ReplicaSet is to grow if `replicasToAdd` are added in all, and others have got `replicasAdded` of them: its
 * fraction, but no more than is left. Both numbers are below 0 if pods are taken; then it is no *less* than is left. 0 for a
 * ReplicaSet without replicas, and if nothing is to be added or nothing is left.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go GetReplicaSetProportion
 */
export function getReplicaSetProportion(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  replicasToAdd: number,
  replicasAdded: number,
): number {
  return todo(KATA, 'getReplicaSetProportion', 'Level 10');
}

/**
 * Scales without rolling out.
 *
 * - `findActiveOrLatest` finds one: that gets `spec.replicas`.
 * - The new one has all (`isSaturated`): the active old ones get 0.
 * - Otherwise, in a rolling update, all together get `spec.replicas` and the surge; 0 if `spec.replicas` is 0. What is missing or too
 *   many is shared out by {@link getReplicaSetProportion} among the active ones, the biggest first; of equals, the youngest first if pods
 *   are added, the oldest first if pods are taken. What rounding leaves over goes to the first, or comes from it. None goes below 0.
 *
 * @returns an order for each whose size changes; in the first and third case also for each active one whose size stays but whose
 * annotations are behind (`replicasAnnotationsNeedUpdate`). Those that shrink come before those that grow: the controller may die
 * between two writes
 *
 * Differs: upstream leaves the annotations of a single ReplicaSet alone if its size is right, and writes the biggest first.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go scale
 */
export function scale(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  return todo(KATA, 'scale', 'Level 10');
}

// Level 11 ★ · Recreate. When these are written, put `rolloutRecreate` into `optionalParts`.

/**
 * May anything old still run? Yes, if an old ReplicaSet reports a pod, or if one of their pods is neither `Failed` nor
 * `Succeeded`. A pod that is being deleted runs until it is gone, and an `Unknown` one may run.
 *
 * @param oldPods the pods that old ReplicaSets control
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/recreate.go oldPodsRunning
 */
export function oldPodsRunning(old: readonly ReplicaSet[], oldPods: readonly Pod[]): boolean {
  return todo(KATA, 'oldPodsRunning', 'Level 11');
}

/**
 * One step under `Recreate`. The old ReplicaSets get no pods. Once none of their pods runs (`caches.podsOf`), and not in a sync that has
 * sized one, the new ReplicaSet is created if there is none, and gets all.
 *
 * @returns as {@link rolloutRolling} does
 * @throws whatever `control` rejects with
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/recreate.go rolloutRecreate
 */
export async function rolloutRecreate(
  syncContext: DeploymentSyncContext,
  rollout: Rollout,
): Promise<Rollout> {
  return todo(KATA, 'rolloutRecreate', 'Level 11');
}

// Level 12 ★ · History and rollback. When it is written, put `findCleanableReplicaSets` into `optionalParts`.

/**
 * Which old ReplicaSets are to be deleted: as many as there are beyond `revisionHistoryLimit`, in the order of `byRevision`. Those
 * that are being deleted count for nothing. One that is to have pods, reports any, or has not reported on its generation yet, is not
 * deleted; and no other in its place. A limit that is missing, or `MAX_INT32`, means none.
 *
 * Limit 2, revisions 1 to 4, and revision 1 still reports a pod: only revision 2 goes.
 *
 * @returns in the order in which they are to go
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go cleanupDeployment
 */
export function findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  return todo(KATA, 'findCleanableReplicaSets', 'Level 12');
}

/**
 * The ReplicaSet to roll back to.
 *
 * @param all the Deployment's ReplicaSets; one whose revision is no integer does not count
 * @param toRevision 0: to the one before the last, which has the second highest revision
 * @throws Error `unable to find specified revision 7 in history`; `no rollout history found for deployment "web"` if 0 was
 * asked for and there are not two
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollback.go deploymentRevision
 */
export function deploymentRevision(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  toRevision = 0,
): ReplicaSet {
  return todo(KATA, 'deploymentRevision', 'Level 12');
}

/**
 * What `kubectl rollout undo [--to-revision=…]` does: gives the Deployment the template of an earlier ReplicaSet again. To the controller
 * it is a template like any other.
 *
 * The ReplicaSets are those that the Deployment selects and controls, as the server has them. The Deployment gets the template of
 * {@link deploymentRevision}, without the label of its hash, and `rolledBackAnnotations`, in one patch. Nothing else changes.
 *
 * @returns `rolled back`; or, if the Deployment has that template already, `skipped rollback (current template already matches
 * revision 0)`, with the `toRevision` that was given
 * @throws what {@link deploymentRevision} throws; an Error that names `kubectl rollout resume` if the Deployment is paused; whatever the
 * client rejects with
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollback.go DeploymentRollbacker.Rollback
 */
export async function rollback(
  client: Pick<Client, 'get' | 'list' | 'patch'>,
  key: ObjectKey,
  toRevision = 0,
): Promise<string> {
  return todo(KATA, 'rollback', 'Level 12');
}
