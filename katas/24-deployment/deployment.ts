/**
 * Kata 24 · The Deployment controller. Read README.md beside this file, then begin at the top with Level 1.
 *
 * Levels 1 to 6 are pure functions. Levels marked ★ are optional.
 *
 * With your own design, implement only {@link deploymentController}: the laws decide.
 *
 * This is the only file that you edit. Objects from a client or a cache are shared and frozen: copy before you change.
 */
import {
  assembleDeploymentController,
  type DeploymentStatus,
  type DeploymentSyncContext,
  type Fenceposts,
  noOptionalParts,
  type OptionalParts,
  type PodTemplateSpec,
  type Rollout,
  type ScaleOrder,
} from '#given/24-deployment';
import {
  type Client,
  type Component,
  type Deployment,
  type intstr,
  type New,
  type ObjectKey,
  type Pod,
  type ReplicaSet,
  todo,
} from '#harness';

const KATA = '24-deployment';

// Level 1 · One template, one ReplicaSet

/**
 * Returns a short text that identifies a template. Templates that are equal in Kubernetes have one hash: the order of fields, empty or
 * absent fields, and the spelling of quantities do not matter. Other templates have another hash (almost always), and so has the same
 * template with another `collisionCount`. `semanticText` of the harness writes equal templates in one way.
 *
 * The hash is the value of a label and the end of a name: one to ten lower-case letters and digits. Without `collisionCount` it may
 * or may not equal the hash with 0.
 *
 * Differs: upstream hashes Go's print of the template, so its digits are others.
 *
 * @param template - the template of a Deployment, without the label `pod-template-hash`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_utils.go ComputeHash
 */
export function computeHash(template: PodTemplateSpec, collisionCount?: number): string {
  return todo(KATA, 'computeHash', 'Level 1');
}

/**
 * Returns the ReplicaSet to create for the current template of the Deployment, without replicas and annotations.
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
 * Returns the *new* ReplicaSet: it has the Deployment's template (`equalIgnoreHash`), whatever its hash. If there are several, the
 * first by age (`byCreationTimestamp`).
 *
 * @param all - the Deployment's ReplicaSets, in any order
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
 * Resolves `maxSurge` and `maxUnavailable`. A percentage refers to `desired`: surge rounds up, unavailable rounds down. Absent means 0. If
 * both are 0, one pod may be unavailable.
 *
 * @throws an Error for a text that is not a percentage, as `intstr.getScaledValueFromIntOrPercent` does (import `intstr` without `type`)
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
 * Returns the fenceposts of a Deployment. At most `spec.replicas` pods can be unavailable. Under `Recreate` both are 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go MaxSurge, MaxUnavailable
 */
export function fencepostsOf(deployment: Deployment): Fenceposts {
  return todo(KATA, 'fencepostsOf', 'Level 2');
}

// Level 3 · Scale up the new

/**
 * Returns the allowed size of the new ReplicaSet. In a rolling update all ReplicaSets together want at most `spec.replicas` plus surge,
 * and the new one at most `spec.replicas`. If the limit is reached, it keeps its size. {@link reconcileNewReplicaSet} handles a size above
 * `spec.replicas`. Under `Recreate`: `spec.replicas`.
 *
 * @param all - the Deployment's ReplicaSets, including the new one if it exists
 * @param current - the size of the new ReplicaSet
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
 * Decides the size of the new ReplicaSet: `spec.replicas` if it has more, otherwise {@link newRSNewReplicas}.
 *
 * @param all - the Deployment's ReplicaSets, including the new one
 * @returns one order, or none if the size does not change
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
// The available pods of a ReplicaSet are `status.availableReplicas`, but at most `spec.replicas`: the report may still count pods that
// the ReplicaSet must delete.
//
// Differs: upstream uses the whole report.

/**
 * Removes unavailable pods of old ReplicaSets, at most `maxCleanupCount`: all of the oldest ReplicaSet first, then those of the next.
 *
 * At most 5; the oldest has 4 pods, 1 available, the next 4, none available: they get 1 and 2.
 *
 * @param old - in any order
 * @returns an order for each ReplicaSet that changes
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go cleanupUnhealthyReplicas
 */
export function cleanupUnhealthyReplicas(old: readonly ReplicaSet[], maxCleanupCount: number): ScaleOrder[] {
  return todo(KATA, 'cleanupUnhealthyReplicas', 'Level 4');
}

/**
 * Removes as many pods of old ReplicaSets as `all` has available pods beyond the required number. The oldest ReplicaSet loses all its pods
 * before the next one loses any.
 *
 * @param all - the ReplicaSets whose available pods count: the old ones and the new one
 * @param old - the ReplicaSets that may shrink, in any order
 * @returns an order for each ReplicaSet that changes
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
 * Decides the sizes of the old ReplicaSets in a rolling update. Add the required number of available pods and the number of pods of the
 * new ReplicaSet that are not available yet. While all ReplicaSets together want at most that sum, remove nothing. Otherwise clean up
 * unhealthy pods, at most as many as the total exceeds the sum by; then {@link scaleDownOldReplicaSetsForRollingUpdate} decides about the rest.
 *
 * @param old - the old ReplicaSets with pods
 * @returns one order for each ReplicaSet that changes, with its size after both steps
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
 * Returns the status, by the unmodified reports of the ReplicaSets. A count of 0 may be written or omitted.
 *
 * | | |
 * |---|---|
 * | `observedGeneration` | the generation of this Deployment |
 * | `replicas`, `readyReplicas`, `availableReplicas`, `terminatingReplicas` | of all: `getActualReplicaCountForReplicaSets`, … |
 * | `updatedReplicas` | `replicas` of the new one |
 * | `unavailableReplicas` | the sum of `spec.replicas` of all, minus the available pods; at least 0 |
 * | `collisionCount` | unchanged |
 * | `conditions` | unchanged, except `Available` |
 *
 * `Available` is `True`, `MinimumReplicasAvailable`, if at most the allowed number of `spec.replicas` are missing; otherwise `False`,
 * `MinimumReplicasUnavailable`. `setDeploymentCondition` keeps an unchanged condition.
 *
 * @param nowMs - ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go calculateStatus
 */
export function calculateStatus(rollout: Rollout, nowMs: number): DeploymentStatus {
  return todo(KATA, 'calculateStatus', 'Level 5');
}

/**
 * Tests whether the roll-out is complete by this status: all `spec.replicas` are updated and available, no other pods exist, and the
 * status observes the Deployment's generation. An absent count is 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go DeploymentComplete
 */
export function deploymentComplete(deployment: Deployment, newStatus: DeploymentStatus): boolean {
  return todo(KATA, 'deploymentComplete', 'Level 5');
}

/**
 * Tests whether the new status shows progress over the Deployment's: more updated, ready or available pods, or fewer old pods
 * (`replicas` minus `updatedReplicas`). An absent count is 0.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go DeploymentProgressing
 */
export function deploymentProgressing(deployment: Deployment, newStatus: DeploymentStatus): boolean {
  return todo(KATA, 'deploymentProgressing', 'Level 5');
}

// Level 6 · Progress and the deadline

/**
 * Tests whether the deadline has passed, by the condition `Progressing` of this status.
 *
 * | | |
 * |---|---|
 * | no deadline (`hasProgressDeadline`), or no such condition | no |
 * | its reason is `NewReplicaSetAvailable` | no |
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
 * Returns the status in a roll-out: {@link calculateStatus}, and two more conditions.
 *
 * `ReplicaFailure` comes from `getReplicaFailure`, or is absent. Without a deadline, omit `Progressing`. With a deadline, the first row
 * that applies decides:
 *
 * | | `Progressing` |
 * |---|---|
 * | the Deployment's has the reason `NewReplicaSetAvailable`, and all existing pods are updated (`replicas` is `updatedReplicas`) | unchanged, even if pods are missing again |
 * | the roll-out is complete | `True`, `NewReplicaSetAvailable` |
 * | there is progress | `True`, `ReplicaSetUpdated`; `lastUpdateTime` is always now, which restarts the deadline |
 * | the deadline has passed | `False`, `ProgressDeadlineExceeded` |
 * | none of these | unchanged |
 *
 * @param nowMs - ms since 1970
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/progress.go syncRolloutStatus
 */
export function calculateRolloutStatus(rollout: Rollout, nowMs: number): DeploymentStatus {
  return todo(KATA, 'calculateRolloutStatus', 'Level 6');
}

/**
 * Returns the ms until the deadline passes, by the Deployment's condition `Progressing`.
 *
 * @param newStatus - the current status, which may be complete
 * @returns undefined without a deadline or condition, if the roll-out is complete, or if the condition already reports the passed deadline; 0
 * if less than a second is left
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
 * Creates the ReplicaSet of the template (`control.create`), as large as allowed, with its annotations: `newReplicaSetAnnotations`
 * with a revision above those of all old ones, and `replicasAnnotations`.
 *
 * If it was created, the Deployment gets that revision and, with a deadline, `Progressing` `True` `NewReplicaSetCreated`, in one
 * `control.updateStatus`. If the name exists (`existed`), there are two
 * cases. If the Deployment controls the existing ReplicaSet, and its template is equal, use it. Otherwise it is a collision: increase
 * `status.collisionCount` by one and throw.
 *
 * @param rollout - a roll-out without a new ReplicaSet
 * @returns the roll-out with the new ReplicaSet and the updated Deployment
 * @throws an Error after a collision; errors of `control`
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
 * Updates the new ReplicaSet, or else the Deployment: writes at most one of the two, and neither if both are up to date.
 *
 * Write the ReplicaSet, at the version that was read, if its annotations (`newReplicaSetAnnotations`, as in Level 7) or its
 * `minReadySeconds` are outdated. Otherwise the Deployment gets the revision of the ReplicaSet. With a deadline, `Progressing` becomes
 * `True` `FoundNewReplicaSet` in the same write if it is absent, or if it is `NewReplicaSetAvailable` although the revision is new.
 *
 * Differs: upstream sets no deadline if it crashes between the create of a ReplicaSet and the status.
 *
 * @returns the roll-out after the write; unchanged without a new ReplicaSet
 * @throws errors of the client or of `control`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go getNewReplicaSet
 */
export async function syncRevision(syncContext: DeploymentSyncContext, rollout: Rollout): Promise<Rollout> {
  return todo(KATA, 'syncRevision', 'Level 8');
}

// Level 9 · The sync

/** The optional parts: add a function of a ★ level here, or the controller does not call it. */
export const optionalParts: OptionalParts = { ...noOptionalParts };

/**
 * Takes one step of a rolling update. Creates the new ReplicaSet if it does not exist. Then scales the new one or, if it does not
 * change, the old ones: never both. Does not write the status.
 *
 * @returns the roll-out with the created or updated new ReplicaSet and Deployment
 * @throws errors of `control`
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/rolling.go rolloutRolling
 */
export async function rolloutRolling(syncContext: DeploymentSyncContext, rollout: Rollout): Promise<Rollout> {
  return todo(KATA, 'rolloutRolling', 'Level 9');
}

/**
 * Syncs one Deployment. Does nothing if the cache does not have it.
 *
 * - Claim its ReplicaSets: `control.claimReplicaSets`.
 * - While it is being deleted, write only {@link calculateStatus}.
 * - Call `control.markPaused` before you create, update or scale a ReplicaSet.
 * - Update the new ReplicaSet ({@link syncRevision}) before you scale.
 * - If it is paused, or its size has changed (`optionalParts.isScalingEvent`), do not roll out. Scale as `optionalParts.scale` decides; the
 *   status is {@link calculateStatus}.
 * - Otherwise take a step of the roll-out, by its strategy: {@link rolloutRolling} or `optionalParts.rolloutRecreate`. The status is
 *   {@link calculateRolloutStatus}, of the ReplicaSets that were read. If it is unchanged, no event comes before the deadline:
 *   `enqueueAfter` the time of {@link requeueStuckDeployment}.
 * - If the status before this sync reports a complete roll-out, and also while paused, delete the ReplicaSets of
 *   `optionalParts.findCleanableReplicaSets`.
 *
 * @param key - `namespace/name`
 * @throws every failure; the sync is retried with back-off
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/deployment_controller.go syncDeployment
 */
export async function syncDeployment(syncContext: DeploymentSyncContext, key: string): Promise<void> {
  return todo(KATA, 'syncDeployment', 'Level 9');
}

/** The Deployment controller. The handlers, the queue and the workers are complete. */
export const deploymentController: Component = assembleDeploymentController({ syncDeployment });

// Level 10 ★ · Scale in proportion. When these are written, put `isScalingEvent` and `scale` into `optionalParts`.

/**
 * Reports whether `spec.replicas` has changed since the ReplicaSets were sized: the `DESIRED_REPLICAS` of an active ReplicaSet is
 * another number (`getReplicasAnnotation`). Ignore ReplicaSets without this annotation. Under `Recreate`, return false if several
 * ReplicaSets are active: the roll-out has to remove one first.
 *
 * Differs: upstream returns true under `Recreate`, then scales nothing, and never continues the roll-out.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go isScalingEvent
 */
export function isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean {
  return todo(KATA, 'isScalingEvent', 'Level 10');
}

/**
 * Returns the number of pods that a ReplicaSet gains to keep its share; a negative number if it loses pods. The share is its
 * `spec.replicas` divided by its `MAX_REPLICAS`. Its new size is this share of the Deployment's `spec.replicas` plus surge, rounded
 * to the nearest integer (halves up).
 *
 * If the annotation is missing or 0, divide by the Deployment's `status.replicas`. If that is missing or 0, too, return 0. If the
 * Deployment wants 0 replicas, the ReplicaSet loses all its pods.
 *
 * It had 8 of 13 pods; the Deployment now wants 15 with a surge of 3: 18 × 8 ÷ 13 is 11.08, so it gains 3.
 *
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/util/deployment_util.go getReplicaSetFraction
 */
export function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  return todo(KATA, 'getReplicaSetFraction', 'Level 10');
}

/**
 * Returns the number of pods that a ReplicaSet gains when `replicasToAdd` pods are added in total, and other ReplicaSets already
 * got `replicasAdded` of them: its fraction, but at most the rest. If pods are removed, both numbers are negative, and the ReplicaSet
 * loses at most the rest. Return 0 if it has no replicas, if `replicasToAdd` is 0, or if nothing is left.
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
 * - If `findActiveOrLatest` finds a ReplicaSet, it gets `spec.replicas`.
 * - If the new ReplicaSet has all pods (`isSaturated`), the active old ReplicaSets get 0.
 * - Otherwise, in a rolling update, the sum of all sizes becomes `spec.replicas` plus the surge, or 0 if `spec.replicas` is 0.
 *   {@link getReplicaSetProportion} distributes the difference among the active ReplicaSets, the largest first. If sizes are equal,
 *   the youngest comes first when pods are added, the oldest when pods are removed. The first ReplicaSet absorbs the rounding error.
 *   No size becomes negative.
 *
 * @returns an order for each ReplicaSet whose size changes; in the first and third case also for each active ReplicaSet that keeps its
 * size but has outdated annotations (`replicasAnnotationsNeedUpdate`). Orders that shrink a ReplicaSet come first, because the
 * controller may crash between two writes
 *
 * Differs: upstream does not update the annotations of a single ReplicaSet of the right size, and writes the largest first.
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
 * Reports whether an old pod may still run: an old ReplicaSet reports a pod, or one of `oldPods` is neither `Failed` nor
 * `Succeeded`. A terminating pod runs until it no longer exists, and a pod whose phase is `Unknown` may run.
 *
 * @param oldPods the pods that old ReplicaSets control
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/recreate.go oldPodsRunning
 */
export function oldPodsRunning(old: readonly ReplicaSet[], oldPods: readonly Pod[]): boolean {
  return todo(KATA, 'oldPodsRunning', 'Level 11');
}

/**
 * Performs one step under `Recreate`. First scales the old ReplicaSets to 0. If none of them changed in this sync, and none of their
 * pods runs (`caches.podsOf`), creates the new ReplicaSet if it is missing, and scales it to all replicas.
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
 * Returns the old ReplicaSets to delete. The candidates are the first by `byRevision`, as many as exceed `revisionHistoryLimit`.
 * Ignore ReplicaSets with a `deletionTimestamp`. Keep a candidate that wants pods, reports pods, or has not observed its generation
 * yet, and delete no other ReplicaSet instead. A missing limit and `MAX_INT32` mean unlimited.
 *
 * Limit 2, revisions 1 to 4, and revision 1 still reports a pod: delete only revision 2.
 *
 * @returns the ReplicaSets in the order of their deletion
 * @see Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/deployment/sync.go cleanupDeployment
 */
export function findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  return todo(KATA, 'findCleanableReplicaSets', 'Level 12');
}

/**
 * Returns the ReplicaSet to roll back to.
 *
 * @param all the Deployment's ReplicaSets; ignore a ReplicaSet whose revision is not an integer
 * @param toRevision the revision to return to; 0 for the second highest
 * @throws Error `unable to find specified revision 7 in history`; `no rollout history found for deployment "web"` if `toRevision`
 * is 0 and fewer than two revisions exist
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
 * Implements `kubectl rollout undo [--to-revision=…]`: gives the Deployment the template of an earlier ReplicaSet again. The controller
 * handles it like any other new template.
 *
 * Read the ReplicaSets that the Deployment selects and controls from the server. Send one patch: the template of
 * {@link deploymentRevision} without its hash label, and `rolledBackAnnotations`. Nothing else changes.
 *
 * @returns `rolled back`; or, if the Deployment already has that template, `skipped rollback (current template already matches
 * revision 0)`, where 0 is `toRevision`
 * @throws the errors of {@link deploymentRevision}; an Error that names `kubectl rollout resume` if the Deployment is paused; the errors
 * of the client
 * @see Upstream: kubernetes/kubectl@v0.36.3 pkg/polymorphichelpers/rollback.go DeploymentRollbacker.Rollback
 */
export async function rollback(
  client: Pick<Client, 'get' | 'list' | 'patch'>,
  key: ObjectKey,
  toRevision = 0,
): Promise<string> {
  return todo(KATA, 'rollback', 'Level 12');
}
