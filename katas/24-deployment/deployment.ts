/**
 * Kata 24 · The Deployment controller. Read README.md beside this file, then begin at the top: Level 1 is how one template
 * is told from another.
 *
 * Levels 1 to 8 are decisions: pure functions of a Deployment and its ReplicaSets, which change nothing. Level 9 is the
 * controller that looks, decides and writes.
 *
 * This is the only file that you edit. Signatures are what the tests use; inside, do as you like. Objects that come from
 * a client or a cache are shared and frozen: copy before you change.
 */
import {
  type Client,
  type Component,
  type Deployment,
  type intstr,
  type KubeObject,
  type New,
  type ObjectKey,
  type Pod,
  type ReplicaSet,
  todo,
} from '#harness';

const KATA = '24-deployment';

export type PodTemplateSpec = Deployment['spec']['template'];
export type DeploymentStatus = Deployment['status'];
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

/** The label that tells the pods of one template from those of another. */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** Annotation: which roll-out this is: 1, 2, 3. On ReplicaSets, and copied to the Deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** Annotation: the revisions that a ReplicaSet had before, when it was rolled back to: `1,3`. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** Annotation: what the Deployment's `replicas` was when this ReplicaSet was sized last. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** Annotation: what `replicas` and surge together were then. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** In `progressDeadlineSeconds` and `revisionHistoryLimit` this stands for: none. */
export const MAX_INT32 = 2 ** 31 - 1;

/** How big a ReplicaSet is to become. Where the size stays, only its annotations are behind (Level 5). */
export interface ScaleOrder {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

// Level 1 · The template's hash, the new and the old

/**
 * A short text that stands for a template: the same for the same template, in whatever order its fields were written, and
 * whether a field is absent or `undefined`; another for another template, or for another number of collisions, as good as
 * always. It must do as a label's value and as the end of a name: lower-case letters and digits, at least one, ten at
 * most. Without `collisionCount` it may be the same as with 0, or not.
 *
 * Differs: upstream hashes what Go prints of the template, with FNV-32a, and writes the number in letters that spell no
 * words. Any hash that keeps the rules above is right here, so its digits will not be those of a real cluster.
 *
 * @param template as it stands in a Deployment: without the label {@link POD_TEMPLATE_HASH}
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go ComputeHash
 */
export function computeHash(template: PodTemplateSpec, collisionCount?: number): string {
  return todo(KATA, 'computeHash', 'Level 1');
}

/**
 * Are two templates the same, but for the label {@link POD_TEMPLATE_HASH}? The same means what it means to the apiserver
 * (`semanticEqual` of the harness): `1` cpu is `1000m`, and an empty map is one that is not there.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go EqualIgnoreHash
 */
export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return todo(KATA, 'equalIgnoreHash', 'Level 1');
}

/**
 * The ReplicaSet for the template that the Deployment has now, as it is to be created, with no replicas yet.
 *
 * @returns a ReplicaSet in the Deployment's namespace, named `<deployment>-<hash>`, where the hash is that of the template
 * and of `status.collisionCount`. The label {@link POD_TEMPLATE_HASH} with that hash is on top of the template's own
 * labels, in its own template and, with those, on the ReplicaSet itself; and its selector asks for that, too, on top of
 * all that the Deployment's selector asks for. It has the Deployment's `minReadySeconds`, and one owner: the
 * Deployment, with `controller` and `blockOwnerDeletion` true. `spec.replicas` is 0; annotations come in Levels 5 and 8
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/sync.go getNewReplicaSet
 */
export function newReplicaSetFor(deployment: Deployment): New<ReplicaSet> {
  return todo(KATA, 'newReplicaSetFor', 'Level 1');
}

/**
 * The *new* ReplicaSet: the one that has the Deployment's template. There should be one at most. Where there are more, the
 * oldest by `creationTimestamp`, and of those of the same second the first by name: anybody who looks must find the same.
 *
 * @param all the Deployment's ReplicaSets, in any order; does not change it
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go FindNewReplicaSet
 */
export function findNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
): ReplicaSet | undefined {
  return todo(KATA, 'findNewReplicaSet', 'Level 1');
}

/**
 * All but the new one (told apart by `uid`), in the order in which they came: those that have the template but are not the
 * oldest, too.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go FindOldReplicaSets
 */
export function findOldReplicaSets(deployment: Deployment, all: readonly ReplicaSet[]): ReplicaSet[] {
  return todo(KATA, 'findOldReplicaSets', 'Level 1');
}

/**
 * Those that are to have pods: `spec.replicas` is not 0. In the order in which they came.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/controller_utils.go FilterActiveReplicaSets
 */
export function filterActiveReplicaSets(all: readonly ReplicaSet[]): ReplicaSet[] {
  return todo(KATA, 'filterActiveReplicaSets', 'Level 1');
}

// Level 2 · Fenceposts

/** Between which a rolling update stays: numbers of pods. */
export interface Fenceposts {
  /** How many pods there may be beyond `replicas`. */
  readonly maxSurge: number;
  /** How many of `replicas` may be missing. */
  readonly maxUnavailable: number;
}

/**
 * What `maxSurge` and `maxUnavailable` come to. Percentages are of `desired`: those of the surge round up, those of the
 * unavailable down. Absent is 0. Where both come to 0, nothing could ever move: then one may be missing.
 *
 * @throws an Error when either is a text that is no percentage (`intstr` of the harness knows)
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go ResolveFenceposts
 */
export function resolveFenceposts(
  maxSurge: intstr.IntOrString | undefined,
  maxUnavailable: intstr.IntOrString | undefined,
  desired: number,
): Fenceposts {
  return todo(KATA, 'resolveFenceposts', 'Level 2');
}

/**
 * How many pods there may be beyond `spec.replicas`. Nothing under `Recreate`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go MaxSurge
 */
export function maxSurge(deployment: Deployment): number {
  return todo(KATA, 'maxSurge', 'Level 2');
}

/**
 * How many of `spec.replicas` may be missing in a rolling update: never more than there are. Nothing under `Recreate`, nor
 * of 0 replicas.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go MaxUnavailable
 */
export function maxUnavailable(deployment: Deployment): number {
  return todo(KATA, 'maxUnavailable', 'Level 2');
}

/**
 * How many pods must remain available in a rolling update. Under `Recreate` none.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go MinAvailable
 */
export function minAvailable(deployment: Deployment): number {
  return todo(KATA, 'minAvailable', 'Level 2');
}

// Level 3 · Scale up the new

/**
 * How many pods these ReplicaSets are to have: the sum of `spec.replicas`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go GetReplicaCountForReplicaSets
 */
export function getReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return todo(KATA, 'getReplicaCountForReplicaSets', 'Level 3');
}

/**
 * How many pods these ReplicaSets report: the sum of `status.replicas`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go GetActualReplicaCountForReplicaSets
 */
export function getActualReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return todo(KATA, 'getActualReplicaCountForReplicaSets', 'Level 3');
}

/**
 * How big the new ReplicaSet, which is not too big, may be now. In a rolling update: as much bigger as there is room for
 * between what all of them are to have and `spec.replicas` with the surge, but not bigger than `spec.replicas`; and where
 * there is no room, as big as it is. Under `Recreate`: `spec.replicas`.
 *
 * @param all all of the Deployment's ReplicaSets; the new one is among them, unless it does not exist yet
 * @param newReplicaSet only its `spec.replicas` counts
 * @throws Error under any other strategy
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go NewRSNewReplicas
 */
export function newRSNewReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: { readonly spec: { readonly replicas: number } },
): number {
  return todo(KATA, 'newRSNewReplicas', 'Level 3');
}

/**
 * What is to become of the new ReplicaSet: one that is bigger than `spec.replicas` shrinks to that, one that is smaller
 * grows as {@link newRSNewReplicas} says.
 *
 * @param all all of the Deployment's ReplicaSets, the new one among them
 * @returns one order, or none when it is to stay as it is
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/rolling.go reconcileNewReplicaSet
 */
export function reconcileNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  return todo(KATA, 'reconcileNewReplicaSet', 'Level 3');
}

// Level 4 · Scale down the old, unhealthy first

/**
 * How many pods of these ReplicaSets are available and will stay: the sum of `status.availableReplicas` (absent is 0), but
 * of each ReplicaSet no more than its `spec.replicas`. A status is always a little old: it may still count pods that
 * the ReplicaSet has been told to remove, and those are as good as gone.
 *
 * Differs: upstream adds up what is reported, and gives up for now where it meets a ReplicaSet that reports more than it
 * is to have.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go GetAvailableReplicaCountForReplicaSets
 */
export function getAvailableReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return todo(KATA, 'getAvailableReplicaCountForReplicaSets', 'Level 4');
}

/**
 * Takes the pods of old ReplicaSets that are not available. It can do no harm: a ReplicaSet that shrinks gives up first
 * what is not ready. Goes from the oldest ReplicaSet on, and from each takes all that is not available (as
 * {@link getAvailableReplicaCountForReplicaSets} counts), as long as there is some of `maxCleanupCount` left.
 *
 * @param old in any order; does not change it
 * @returns an order for each that changes, oldest first
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/rolling.go cleanupUnhealthyReplicas
 */
export function cleanupUnhealthyReplicas(old: readonly ReplicaSet[], maxCleanupCount: number): ScaleOrder[] {
  return todo(KATA, 'cleanupUnhealthyReplicas', 'Level 4');
}

/**
 * Takes pods of old ReplicaSets, available or not, as many as there are available ones in `all` beyond
 * {@link minAvailable}: from the oldest ReplicaSet as many as it has, the rest from the next.
 *
 * @param all whose available pods count: the old ones and the new one
 * @param old which may shrink; in any order; does not change it
 * @returns an order for each that changes, oldest first
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/rolling.go scaleDownOldReplicaSetsForRollingUpdate
 */
export function scaleDownOldReplicaSetsForRollingUpdate(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  return todo(KATA, 'scaleDownOldReplicaSetsForRollingUpdate', 'Level 4');
}

/**
 * What is to become of the old ReplicaSets in a rolling update. How many pods may go in all: what all ReplicaSets are to
 * have, less {@link minAvailable}, less the pods of the new one that are not available. If that is not above 0, nothing
 * happens. Else the unhealthy go, at most so many; and then, of what is left after that, what
 * {@link scaleDownOldReplicaSetsForRollingUpdate} says.
 *
 * @param old the old ReplicaSets; those that are to have no pods change nothing
 * @returns one order for each that changes, with the size that it has after both steps, oldest first
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/rolling.go reconcileOldReplicaSets
 */
export function reconcileOldReplicaSets(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  return todo(KATA, 'reconcileOldReplicaSets', 'Level 4');
}

// Level 5 · Scale in proportion

/**
 * Reads one of the two annotations that say for which size of the Deployment a ReplicaSet was sized.
 *
 * @returns `undefined` when it is not there, or no number from 0 to {@link MAX_INT32}
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go getIntFromAnnotation
 */
export function getReplicasAnnotation(
  replicaSet: ReplicaSet,
  annotation: typeof DESIRED_REPLICAS | typeof MAX_REPLICAS,
): number | undefined {
  return todo(KATA, 'getReplicasAnnotation', 'Level 5');
}

/**
 * The two annotations that a ReplicaSet is to carry when it is sized for this Deployment: {@link DESIRED_REPLICAS} is
 * `spec.replicas`, {@link MAX_REPLICAS} that and the surge.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go SetReplicasAnnotations
 */
export function replicasAnnotations(deployment: Deployment): Record<string, string> {
  return todo(KATA, 'replicasAnnotations', 'Level 5');
}

/**
 * Does the ReplicaSet lack one of {@link replicasAnnotations}, or say something else there?
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go ReplicasAnnotationsNeedUpdate
 */
export function replicasAnnotationsNeedUpdate(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  return todo(KATA, 'replicasAnnotationsNeedUpdate', 'Level 5');
}

/**
 * Has the ReplicaSet all that the Deployment asks for? Its `spec.replicas`, its {@link DESIRED_REPLICAS} and its available
 * pods must all be `spec.replicas` of the Deployment. Without a ReplicaSet: no.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go IsSaturated
 */
export function isSaturated(deployment: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  return todo(KATA, 'isSaturated', 'Level 5');
}

/**
 * The one ReplicaSet that a scaling is about, if it is about one.
 *
 * @returns the only active one; where none is active, the new one, or else the youngest of the old; where several are, or
 * none is there at all, `undefined`
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go FindActiveOrLatest
 */
export function findActiveOrLatest(
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ReplicaSet | undefined {
  return todo(KATA, 'findActiveOrLatest', 'Level 5');
}

/**
 * Has `spec.replicas` changed since the ReplicaSets were sized? Yes, when an active one has a {@link DESIRED_REPLICAS} that
 * is another number; one that has none says nothing. But no under `Recreate` when more than one is active: there is
 * nothing to be shared out among them, since one is to vanish.
 *
 * Differs: upstream says yes there, then scales nothing, and so never goes on with the roll-out.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/sync.go isScalingEvent
 */
export function isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean {
  return todo(KATA, 'isScalingEvent', 'Level 5');
}

/**
 * By how much a ReplicaSet is to grow (or, below 0, shrink) to have the share of the Deployment's size that it had before:
 * of `spec.replicas` and surge now, the share that its `spec.replicas` was of its {@link MAX_REPLICAS}, rounded to
 * the nearest, halves up; less what it has. Where that annotation is missing or 0, `status.replicas` of the Deployment
 * takes its place; where that is 0 or missing, too, the answer is 0. When the Deployment is to have 0 replicas: all that
 * it has, below 0.
 *
 * Differs: upstream divides by an annotation of 0 up to v1.31.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go getReplicaSetFraction
 */
export function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  return todo(KATA, 'getReplicaSetFraction', 'Level 5');
}

/**
 * By how much a ReplicaSet is to grow when so many are to be added in all, of which some have been given to others: its
 * fraction, but no more than is left. When pods are to be taken, the numbers are below 0, and it is no *less* than is
 * left. Nothing for a ReplicaSet without replicas, and when nothing is to be added or nothing is left.
 *
 * @param replicasToAdd in all; below 0: to take
 * @param replicasAdded of these, what others got
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go GetProportion
 */
export function getProportion(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  replicasToAdd: number,
  replicasAdded: number,
): number {
  return todo(KATA, 'getProportion', 'Level 5');
}

/**
 * Scales without rolling out: when `spec.replicas` changed in the midst of a roll-out, or while the Deployment is paused.
 *
 * - Is it about one ReplicaSet ({@link findActiveOrLatest}), that gets `spec.replicas`.
 * - Is the new one saturated, the active old ones get 0.
 * - Else, in a rolling update, what is missing to `spec.replicas` and surge (to 0, when 0 replicas are asked for), or is
 *   there beyond it, is shared out among the active ones by {@link getProportion}, one after the other: from the biggest to the
 *   smallest, and of equals the youngest first when pods are added, the oldest first when they are taken. What rounding
 *   leaves over goes to the first of them, or comes from it; none goes below 0.
 *
 * @returns an order for each whose size changes; and in the first and third case also for each active one of those it is
 * about whose size stays but whose annotations are behind ({@link replicasAnnotationsNeedUpdate}). Those that shrink come before those
 * that grow: between two writes nobody may be beyond the budget
 *
 * Differs: upstream leaves the annotations of an only ReplicaSet alone when its size is right already. Who dies at the wrong
 * moment then finds a change of size that is never done with.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/sync.go scale
 */
export function scale(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  return todo(KATA, 'scale', 'Level 5');
}

// Level 6 · Recreate

/**
 * Takes all pods of all old ReplicaSets, at once.
 *
 * @returns an order for each that has any
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/recreate.go scaleDownOldReplicaSetsForRecreate
 */
export function scaleDownOldReplicaSetsForRecreate(old: readonly ReplicaSet[]): ScaleOrder[] {
  return todo(KATA, 'scaleDownOldReplicaSetsForRecreate', 'Level 6');
}

/**
 * May anything old still run? Yes, when an old ReplicaSet reports any pod, or when one of their pods is there whose phase is
 * neither `Failed` nor `Succeeded`: one that is being deleted runs until it is gone, and of one that is `Unknown` nobody
 * knows.
 *
 * @param oldPods the pods that old ReplicaSets control
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/recreate.go oldPodsRunning
 */
export function oldPodsRunning(old: readonly ReplicaSet[], oldPods: readonly Pod[]): boolean {
  return todo(KATA, 'oldPodsRunning', 'Level 6');
}

// Level 7 · Status, conditions, deadline

/**
 * The condition of this type, if there is one.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go GetDeploymentCondition
 */
export function getDeploymentCondition(
  status: DeploymentStatus,
  type: string,
): DeploymentCondition | undefined {
  return todo(KATA, 'getDeploymentCondition', 'Level 7');
}

/**
 * The conditions with this one in the place of the one of its type. One that has the same status and the same reason is no
 * news: then the old one stays as it is. One that has the same status keeps the old `lastTransitionTime`.
 *
 * @returns what replaces comes last; does not change its argument
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go SetDeploymentCondition
 */
export function setDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  condition: DeploymentCondition,
): DeploymentCondition[] {
  return todo(KATA, 'setDeploymentCondition', 'Level 7');
}

/**
 * The conditions without the one of this type.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go RemoveDeploymentCondition
 */
export function removeDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  type: string,
): DeploymentCondition[] {
  return todo(KATA, 'removeDeploymentCondition', 'Level 7');
}

/**
 * Is a deadline set: `progressDeadlineSeconds` there, and not {@link MAX_INT32}?
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go HasProgressDeadline
 */
export function hasProgressDeadline(deployment: Deployment): boolean {
  return todo(KATA, 'hasProgressDeadline', 'Level 7');
}

/**
 * What the status is to say, going by what the ReplicaSets report: `observedGeneration` is that of the Deployment that was
 * looked at; `replicas`, `readyReplicas` and `availableReplicas` are sums of what all report; `updatedReplicas` is
 * what the new one reports; `unavailableReplicas` is what all are to have less what is available, or 0; `collisionCount` stays.
 * The conditions stay but for `Available`. It is `True` with the reason `MinimumReplicasAvailable` when `spec.replicas`
 * less {@link maxUnavailable} are available, else `False` with `MinimumReplicasUnavailable`.
 *
 * A count of 0 may be written or left out. The server leaves it out, so the status that you read back never has one: mind that
 * where you compare the two.
 *
 * @param nowMs ms since 1970, for the times of a condition that is new; `formatTime` of the harness writes them
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/sync.go calculateStatus
 */
export function calculateStatus(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  nowMs: number,
): DeploymentStatus {
  return todo(KATA, 'calculateStatus', 'Level 7');
}

/**
 * Is the roll-out over, by this status? All of `spec.replicas` are updated, there are no others, all are available, and the
 * status is about the Deployment's generation.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go DeploymentComplete
 */
export function deploymentComplete(deployment: Deployment, newStatus: DeploymentStatus): boolean {
  return todo(KATA, 'deploymentComplete', 'Level 7');
}

/**
 * Is the new status any progress over the one that the Deployment has? It is when more are updated, ready or available, or
 * when fewer are old (`replicas` less `updatedReplicas`).
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go DeploymentProgressing
 */
export function deploymentProgressing(deployment: Deployment, newStatus: DeploymentStatus): boolean {
  return todo(KATA, 'deploymentProgressing', 'Level 7');
}

/**
 * Has the deadline passed, by the condition `Progressing` of this status? No without a deadline or without that condition;
 * no when its reason is `NewReplicaSetAvailable`, for that roll-out is over; yes when its reason is
 * `ProgressDeadlineExceeded`. Else, when more than `progressDeadlineSeconds` have passed since its `lastUpdateTime`.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go DeploymentTimedOut
 */
export function deploymentTimedOut(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): boolean {
  return todo(KATA, 'deploymentTimedOut', 'Level 7');
}

/**
 * In how many ms it has to be looked whether the deadline has passed, since nothing else will happen then. It goes by the
 * condition `Progressing` that the Deployment has.
 *
 * @param newStatus the status that is right now, to see whether the roll-out is over
 * @returns `undefined`: there is nothing to look for, because there is no deadline or no such condition, because the
 * roll-out is complete or because its reason says already that the deadline has passed. 0: less than a second is left, or
 * none; look again at once. Else the ms from now to the deadline
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/progress.go requeueStuckDeployment
 */
export function requeueStuckDeployment(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): number | undefined {
  return todo(KATA, 'requeueStuckDeployment', 'Level 7');
}

/**
 * The condition `ReplicaFailure` of a ReplicaSet, as one of the Deployment: the same `type`, `status`, `reason`, `message` and
 * `lastTransitionTime`, and `lastUpdateTime` is that time, too. That of the new ReplicaSet goes before those of the old.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/progress.go getReplicaFailures
 */
export function getReplicaFailure(
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): DeploymentCondition | undefined {
  return todo(KATA, 'getReplicaFailure', 'Level 7');
}

/**
 * What the status is to say in a roll-out: {@link calculateStatus}, and two more conditions.
 *
 * `Progressing`: without a deadline there is none. With one, it stays as it is when the roll-out was complete before and
 * still is: its reason is `NewReplicaSetAvailable` and all pods are updated ones. Else the first of these that applies:
 *
 * - the roll-out is complete: `True`, `NewReplicaSetAvailable`;
 * - there is progress: `True`, `ReplicaSetUpdated`. Here `lastUpdateTime` is now even when status and reason stay (the deadline
 *   begins anew), while `lastTransitionTime` stays when the status was `True`;
 * - the deadline has passed: `False`, `ProgressDeadlineExceeded`;
 * - none: it stays.
 *
 * `ReplicaFailure`: that of {@link getReplicaFailure}, or none.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/progress.go syncRolloutStatus
 */
export function calculateRolloutStatus(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  nowMs: number,
): DeploymentStatus {
  return todo(KATA, 'calculateRolloutStatus', 'Level 7');
}

/**
 * What `Progressing` is to say because the Deployment was paused or resumed, so that the time in between does not count
 * against the deadline: `Unknown` with the reason `DeploymentPaused` when it is paused and does not say so yet, with
 * `DeploymentResumed` when it says so and is not paused any more.
 *
 * @returns `undefined` when nothing is to be said: also without a deadline, and when the deadline has been said to be exceeded
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/sync.go checkPausedConditions
 */
export function checkPausedConditions(
  deployment: Deployment,
  nowMs: number,
): DeploymentCondition | undefined {
  return todo(KATA, 'checkPausedConditions', 'Level 7');
}

// Level 8 · History and rollback

/**
 * The revision of a Deployment or a ReplicaSet, from its annotation.
 *
 * @returns 0 when it has none; `undefined` when it is no integer
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go Revision
 */
export function revision(object: KubeObject): number | undefined {
  return todo(KATA, 'revision', 'Level 8');
}

/**
 * The highest revision of these; 0 when there is none. What is no integer is passed over.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go MaxRevision
 */
export function maxRevision(all: readonly ReplicaSet[]): number {
  return todo(KATA, 'maxRevision', 'Level 8');
}

/**
 * The annotations that the new ReplicaSet is to have.
 *
 * - All that it has, and on top of them all that the Deployment has, but for
 *   `kubectl.kubernetes.io/last-applied-configuration`, the four of this kata and `deprecated.deployment.rollback.to`.
 * - {@link REVISION} becomes `newRevision`, unless it is as high or higher already: it never goes back.
 * - If it had another revision, and that was lower, it has been rolled back to: that one is appended to
 *   {@link REVISION_HISTORY}, with a comma. When the text would become longer than `historyCharsMax`, the oldest go; when it would
 *   even then, the history stays as it is. (The first one is written however long it is.)
 * - If the revision that it has is no integer, all its annotations stay as they are.
 *
 * @param current what it has; `{}` for one that is about to be made
 * @param historyCharsMax @defaultValue 2000
 * @returns new annotations; does not change its arguments
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/util/deployment_util.go SetNewReplicaSetAnnotations
 */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  current: Readonly<Record<string, string>>,
  newRevision: number,
  historyCharsMax = 2_000,
): Record<string, string> {
  return todo(KATA, 'newReplicaSetAnnotations', 'Level 8');
}

/**
 * Which old ReplicaSets are to be deleted: as many as there are beyond `revisionHistoryLimit`, the lowest revision first, and
 * the oldest of equals (and where one of the two has no number). Those that are being deleted count for nothing. One
 * that is to have pods, reports any, or has not reported on its generation yet, is not deleted; and no other in its place. A
 * limit that is missing, or {@link MAX_INT32}, means none.
 *
 * @returns in the order in which they are to go
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/sync.go cleanupDeployment
 */
export function findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  return todo(KATA, 'findCleanableReplicaSets', 'Level 8');
}

/**
 * The ReplicaSet to roll back to.
 *
 * @param all the Deployment's ReplicaSets; one whose revision is no integer is passed over
 * @param toRevision 0: to the one before the last, which has the second highest revision
 * @throws Error `unable to find specified revision 7 in history`; `no rollout history found for deployment "web"` when 0 was
 * asked for and there are not two
 * @see Upstream: kubernetes/kubectl@v0.30.0 pkg/polymorphichelpers/rollback.go deploymentRevision
 */
export function deploymentRevision(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  toRevision = 0,
): ReplicaSet {
  return todo(KATA, 'deploymentRevision', 'Level 8');
}

/**
 * What `kubectl rollout undo [--to-revision=…]` does: gives the Deployment the template of an earlier ReplicaSet again. It is
 * the client who does that; to the controller it is a template like any other.
 *
 * It reads the Deployment, lists the ReplicaSets that it selects, and takes those that it controls. The Deployment gets the
 * template of {@link deploymentRevision}, without the label {@link POD_TEMPLATE_HASH}; and of the annotations those that
 * {@link newReplicaSetAnnotations} copies come from the ReplicaSet, while the others stay those of the Deployment. One patch does both,
 * and nothing else changes.
 *
 * @returns `rolled back`; or, when the Deployment has that template, `skipped rollback (current template already matches
 * revision 0)`, with the `toRevision` that was given
 * @throws what {@link deploymentRevision} throws, and an Error that names `kubectl rollout resume` when the Deployment is
 * paused; what the client rejects with
 * @see Upstream: kubernetes/kubectl@v0.30.0 pkg/polymorphichelpers/rollback.go DeploymentRollbacker.Rollback
 */
export async function rollback(
  client: Pick<Client, 'get' | 'list' | 'patch'>,
  key: ObjectKey,
  toRevision = 0,
): Promise<string> {
  return todo(KATA, 'rollback', 'Level 8');
}

// Level 9 · The controller

/**
 * Sees to every Deployment of the cluster until it is asked to stop. It works as README.md says under Level 9, and by
 * these rules:
 *
 * - It adopts ReplicaSets that belong to nobody, that a Deployment selects and that are not being deleted, after it has asked the
 *   server whether the Deployment is still there, with the same `uid`, and not being deleted; it lets go of those that it owns and
 *   that are no longer selected. What belongs to somebody else it never touches. For a Deployment that is being deleted it does
 *   nothing but keep the status.
 * - Every write of a ReplicaSet is made on the `resourceVersion` of the ReplicaSet that was decided on; so is every deletion, by a
 *   precondition. A conflict is no accident: it looks and decides again.
 * - It sizes a ReplicaSet and sets {@link replicasAnnotations} in one write, and tells of it by an event on the Deployment:
 *   `Normal`, `ScalingReplicaSet`, `Scaled up replica set web-5d4 to 5 from 3` (`down`, too); of one that is made with replicas
 *   `Scaled up replica set web-5d4 to 3`.
 * - When the ReplicaSet that it wants to make exists already, it is either its own, of an earlier try, or there is a collision: then
 *   `status.collisionCount` becomes one more, and it tries again with that.
 * - When nothing else will happen, it looks again when the deadline has passed.
 * - Nothing that fails is given up: it tries again, later each time.
 *
 * @see Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment/deployment_controller.go DeploymentController
 */
export const deploymentController: Component = async (context) => {
  todo(KATA, 'deploymentController', 'Level 9');
};
