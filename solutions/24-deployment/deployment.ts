/**
 * The Deployment controller, solved: decisions first, each a pure function of a Deployment and its ReplicaSets, and then
 * the loop that carries them out.
 *
 * Upstream: kubernetes/kubernetes@v1.30.0 pkg/controller/deployment
 */
import {
  type Client,
  type Clock,
  type Component,
  type ComponentContext,
  DeletedFinalStateUnknown,
  type Deployment,
  deepEqual,
  deployments,
  type EventRecorder,
  formatTime,
  hasReason,
  type IndexReader,
  intstr,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  keyOf,
  keyToString,
  labels,
  type New,
  type ObjectKey,
  type OwnerReference,
  type Patch,
  type Pod,
  pods,
  type RateLimitingWorkQueue,
  type ReplicaSet,
  replicaSets,
  type SharedInformer,
  StatusError,
  semanticEqual,
} from '#harness';

export type PodTemplateSpec = Deployment['spec']['template'];
export type DeploymentStatus = Deployment['status'];
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

/** The label that tells the pods of one template from those of another. */
export const POD_TEMPLATE_HASH = 'pod-template-hash';

/** Which roll-out this is: 1, 2, 3. On ReplicaSets, and copied to the Deployment. */
export const REVISION = 'deployment.kubernetes.io/revision';
/** The revisions that a ReplicaSet had before, when it was rolled back to. */
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
/** What the Deployment's `replicas` was when this ReplicaSet was sized last. */
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
/** What `replicas` + surge was then. */
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** In `progressDeadlineSeconds` and `revisionHistoryLimit` this stands for: none. */
export const MAX_INT32 = 2 ** 31 - 1;

/** How big a ReplicaSet is to become. */
export interface ScaleOrder {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

// Level 1 · The template's hash, the new and the old

export function computeHash(template: PodTemplateSpec, collisionCount?: number): string {
  const text = canonical(template) + (collisionCount === undefined ? '' : `#${collisionCount}`);
  // Decimal digits would be as unique. These spell no words, as those of generated names.
  return [...String(fnv32a(text))].map((digit) => ALPHABET[Number(digit)]).join('');
}

/** What upstream's encoding makes of the digits 0 to 9. */
const ALPHABET = '456789bcdf';

/** JSON that does not depend on the order in which fields were written, nor on those that hold nothing. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`)
    .join(',')}}`;
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

export function equalIgnoreHash(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return semanticEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [POD_TEMPLATE_HASH]: hash, ...others } = template.metadata?.labels ?? {};
  if (hash === undefined) return template;
  return { ...template, metadata: { ...template.metadata, labels: others } };
}

export function newReplicaSetFor(deployment: Deployment): New<ReplicaSet> {
  const { metadata, spec, status } = deployment;
  const hash = computeHash(spec.template, status.collisionCount);
  const hashed = { ...spec.template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  return {
    metadata: {
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      // A name that follows from the template: who tries twice finds what the first try made.
      name: `${metadata.name}-${hash}`,
      labels: hashed,
      ownerReferences: [controllerRefTo(deployment)],
    },
    spec: {
      replicas: 0,
      ...(spec.minReadySeconds === undefined ? {} : { minReadySeconds: spec.minReadySeconds }),
      selector: {
        ...spec.selector,
        matchLabels: { ...spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash },
      },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels: hashed } },
    },
  };
}

function controllerRefTo({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

export function findNewReplicaSet({ spec }: Deployment, all: readonly ReplicaSet[]): ReplicaSet | undefined {
  return all.toSorted(byAge).find((replicaSet) => equalIgnoreHash(replicaSet.spec.template, spec.template));
}

export function findOldReplicaSets(deployment: Deployment, all: readonly ReplicaSet[]): ReplicaSet[] {
  const newest = findNewReplicaSet(deployment, all);
  return all.filter(({ metadata }) => metadata.uid !== newest?.metadata.uid);
}

export function filterActiveReplicaSets(all: readonly ReplicaSet[]): ReplicaSet[] {
  return all.filter(({ spec }) => spec.replicas > 0);
}

/** Oldest first; of those made in the same second, by name. */
function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [a.metadata, b.metadata];
  if (x.creationTimestamp !== y.creationTimestamp) return x.creationTimestamp < y.creationTimestamp ? -1 : 1;
  return x.name < y.name ? -1 : 1;
}

// Level 2 · Fenceposts

export interface Fenceposts {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

export function resolveFenceposts(
  maxSurge: intstr.IntOrString | undefined,
  maxUnavailable: intstr.IntOrString | undefined,
  desired: number,
): Fenceposts {
  const surge = intstr.getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, true);
  const unavailable = intstr.getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, false);
  // 10 % of 5 is half a pod, and that is none: with no surge either, nothing could ever move.
  const stuck = surge === 0 && unavailable === 0;
  return { maxSurge: surge, maxUnavailable: stuck ? 1 : unavailable };
}

export function maxSurge({ spec }: Deployment): number {
  return isRollingUpdate(spec) ? fencepostsOf(spec).maxSurge : 0;
}

export function maxUnavailable({ spec }: Deployment): number {
  if (!isRollingUpdate(spec) || spec.replicas === 0) return 0;
  return Math.min(fencepostsOf(spec).maxUnavailable, spec.replicas);
}

export function minAvailable(deployment: Deployment): number {
  if (!isRollingUpdate(deployment.spec)) return 0;
  return deployment.spec.replicas - maxUnavailable(deployment);
}

function fencepostsOf({ strategy, replicas }: Deployment['spec']): Fenceposts {
  const { rollingUpdate } = strategy;
  return resolveFenceposts(rollingUpdate?.maxSurge, rollingUpdate?.maxUnavailable, replicas);
}

function isRollingUpdate({ strategy }: Deployment['spec']): boolean {
  return strategy.type === 'RollingUpdate';
}

// Level 3 · Scale up the new

export function getReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all.map(({ spec }) => spec.replicas));
}

export function getActualReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all.map(({ status }) => status.replicas));
}

export function newRSNewReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: Pick<ReplicaSet, 'spec'>,
): number {
  const { spec } = deployment;
  switch (spec.strategy.type) {
    case 'Recreate':
      return spec.replicas;
    case 'RollingUpdate': {
      const room = spec.replicas + maxSurge(deployment) - getReplicaCountForReplicaSets(all);
      const missing = spec.replicas - newReplicaSet.spec.replicas;
      return newReplicaSet.spec.replicas + (room > 0 ? Math.min(room, missing) : 0);
    }
    default:
      throw new Error(`Failed to size the new ReplicaSet: unknown strategy "${spec.strategy.type}".`);
  }
}

export function reconcileNewReplicaSet(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const desired = deployment.spec.replicas;
  const shrinks = newReplicaSet.spec.replicas > desired;
  return orders([[newReplicaSet, shrinks ? desired : newRSNewReplicas(deployment, all, newReplicaSet)]]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Only those that ask for a change. */
function orders(sizes: readonly (readonly [ReplicaSet, number])[]): ScaleOrder[] {
  return sizes
    .filter(([{ spec }, replicas]) => spec.replicas !== replicas)
    .map(([replicaSet, replicas]) => ({ replicaSet, replicas }));
}

// Level 4 · Scale down the old, unhealthy first

/** A status may still count pods that the ReplicaSet has been told to remove: those are as good as gone. */
function availableOf({ spec, status }: ReplicaSet): number {
  return Math.min(status.availableReplicas ?? 0, spec.replicas);
}

export function getAvailableReplicaCountForReplicaSets(all: readonly ReplicaSet[]): number {
  return sum(all.map(availableOf));
}

export function cleanupUnhealthyReplicas(old: readonly ReplicaSet[], maxCleanupCount: number): ScaleOrder[] {
  let left = Math.max(0, maxCleanupCount);
  return orders(
    old.toSorted(byAge).map((replicaSet) => {
      const cleaned = Math.min(left, replicaSet.spec.replicas - availableOf(replicaSet));
      left -= cleaned;
      return [replicaSet, replicaSet.spec.replicas - cleaned];
    }),
  );
}

export function scaleDownOldReplicaSetsForRollingUpdate(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  let left = Math.max(0, getAvailableReplicaCountForReplicaSets(all) - minAvailable(deployment));
  return orders(
    old.toSorted(byAge).map((replicaSet) => {
      const removed = Math.min(left, replicaSet.spec.replicas);
      left -= removed;
      return [replicaSet, replicaSet.spec.replicas - removed];
    }),
  );
}

export function reconcileOldReplicaSets(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet,
): ScaleOrder[] {
  const all = [...old, newReplicaSet];
  // New pods that are not available yet may never be: what they add to the total is not there to be spent.
  const newUnavailable = newReplicaSet.spec.replicas - availableOf(newReplicaSet);
  const maxScaledDown = getReplicaCountForReplicaSets(all) - minAvailable(deployment) - newUnavailable;
  if (maxScaledDown <= 0) return [];

  const cleaned = resized(old, cleanupUnhealthyReplicas(old, maxScaledDown));
  const drained = resized(
    cleaned,
    scaleDownOldReplicaSetsForRollingUpdate(deployment, [...cleaned, newReplicaSet], cleaned),
  );
  return orders(old.map((replicaSet, i) => [replicaSet, drained[i]?.spec.replicas ?? 0] as const)).sort(
    (a, b) => byAge(a.replicaSet, b.replicaSet),
  );
}

/** What will be once these orders are written. */
function resized(all: readonly ReplicaSet[], changes: readonly ScaleOrder[]): ReplicaSet[] {
  const sizes = new Map(changes.map(({ replicaSet, replicas }) => [replicaSet.metadata.uid, replicas]));
  return all.map((replicaSet) => {
    const { metadata, spec } = replicaSet;
    return { ...replicaSet, spec: { ...spec, replicas: sizes.get(metadata.uid) ?? spec.replicas } };
  });
}

// Level 5 · Scale in proportion

export function getReplicasAnnotation(
  { metadata }: ReplicaSet,
  annotation: typeof DESIRED_REPLICAS | typeof MAX_REPLICAS,
): number | undefined {
  const text = metadata.annotations?.[annotation] ?? '';
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value <= MAX_INT32 ? value : undefined;
}

/** The annotations that a ReplicaSet is to carry when it is sized for this Deployment. */
export function replicasAnnotations(deployment: Deployment): Record<string, string> {
  const desired = deployment.spec.replicas;
  return { [DESIRED_REPLICAS]: `${desired}`, [MAX_REPLICAS]: `${desired + maxSurge(deployment)}` };
}

export function replicasAnnotationsNeedUpdate(deployment: Deployment, replicaSet: ReplicaSet): boolean {
  const current = replicaSet.metadata.annotations ?? {};
  return Object.entries(replicasAnnotations(deployment)).some(([key, value]) => current[key] !== value);
}

export function isSaturated({ spec }: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  if (!replicaSet) return false;
  return (
    replicaSet.spec.replicas === spec.replicas &&
    getReplicasAnnotation(replicaSet, DESIRED_REPLICAS) === spec.replicas &&
    (replicaSet.status.availableReplicas ?? 0) === spec.replicas
  );
}

export function findActiveOrLatest(
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ReplicaSet | undefined {
  const active = filterActiveReplicaSets(newReplicaSet ? [...old, newReplicaSet] : old);
  if (active.length > 1) return undefined;
  return active[0] ?? newReplicaSet ?? old.toSorted(byAge).at(-1);
}

export function isScalingEvent(deployment: Deployment, all: readonly ReplicaSet[]): boolean {
  const active = filterActiveReplicaSets(all);
  // Nothing is shared out among the ReplicaSets of a Recreate: one is to vanish before the other grows.
  if (!isRollingUpdate(deployment.spec) && active.length > 1) return false;
  return active.some((replicaSet) => {
    const desired = getReplicasAnnotation(replicaSet, DESIRED_REPLICAS);
    return desired !== undefined && desired !== deployment.spec.replicas;
  });
}

export function getReplicaSetFraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const { replicas } = replicaSet.spec;
  if (deployment.spec.replicas === 0) return -replicas;
  const before = getReplicasAnnotation(replicaSet, MAX_REPLICAS) || deployment.status.replicas || 0;
  if (before === 0) return 0;
  // Of what it was a share of then, it keeps its share now; halves go up.
  return Math.round((replicas * (deployment.spec.replicas + maxSurge(deployment))) / before) - replicas;
}

export function getProportion(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  replicasToAdd: number,
  replicasAdded: number,
): number {
  const allowed = replicasToAdd - replicasAdded;
  if (replicaSet.spec.replicas === 0 || replicasToAdd === 0 || allowed === 0) return 0;
  const fraction = getReplicaSetFraction(deployment, replicaSet);
  return replicasToAdd > 0 ? Math.min(fraction, allowed) : Math.max(fraction, allowed);
}

export function scale(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): ScaleOrder[] {
  const desired = deployment.spec.replicas;
  const active = filterActiveReplicaSets(newReplicaSet ? [...old, newReplicaSet] : old);
  const only = findActiveOrLatest(newReplicaSet, old);
  if (only) return stale(deployment, [[only, desired]], active);
  if (isSaturated(deployment, newReplicaSet))
    return orders(filterActiveReplicaSets(old).map((each) => [each, 0]));
  if (!isRollingUpdate(deployment.spec)) return [];

  const allowedSize = desired > 0 ? desired + maxSurge(deployment) : 0;
  const toAdd = allowedSize - getReplicaCountForReplicaSets(active);
  // The biggest come first; of equals, the newest gain first and the oldest lose first.
  active.sort((a, b) => b.spec.replicas - a.spec.replicas || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let added = 0;
  const sizes = active.map((replicaSet) => {
    const proportion = getProportion(deployment, replicaSet, toAdd, added);
    added += proportion;
    return [replicaSet, replicaSet.spec.replicas + proportion] as [ReplicaSet, number];
  });
  const [first] = sizes;
  // What rounding left over goes to the biggest.
  if (first) first[1] = Math.max(0, first[1] + toAdd - added);
  return stale(deployment, sizes, active);
}

/** Those that change, and those that stay but do not say yet for which size of the Deployment. */
function stale(
  deployment: Deployment,
  sizes: readonly (readonly [ReplicaSet, number])[],
  active: readonly ReplicaSet[],
): ScaleOrder[] {
  const grows = ({ replicaSet, replicas }: ScaleOrder): number =>
    Math.sign(replicas - replicaSet.spec.replicas);
  return (
    sizes
      .map(([replicaSet, replicas]) => ({ replicaSet, replicas }))
      .filter(
        (order) =>
          grows(order) !== 0 ||
          (active.includes(order.replicaSet) && replicasAnnotationsNeedUpdate(deployment, order.replicaSet)),
      )
      // Nobody else writes between two of these, but the controller may die there: first make room, then use it.
      .sort((a, b) => Number(grows(a) > 0) - Number(grows(b) > 0))
  );
}

// Level 6 · Recreate

export function scaleDownOldReplicaSetsForRecreate(old: readonly ReplicaSet[]): ScaleOrder[] {
  return orders(old.map((replicaSet) => [replicaSet, 0]));
}

export function oldPodsRunning(old: readonly ReplicaSet[], oldPods: readonly Pod[]): boolean {
  if (getActualReplicaCountForReplicaSets(old) > 0) return true;
  return oldPods.some(({ status }) => status.phase !== 'Failed' && status.phase !== 'Succeeded');
}

// Level 7 · Status, conditions, deadline

export function getDeploymentCondition(
  { conditions = [] }: DeploymentStatus,
  type: string,
): DeploymentCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

export function setDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  condition: DeploymentCondition,
): DeploymentCondition[] {
  const current = conditions.find(({ type }) => type === condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return [...conditions];
  const since = current?.status === condition.status ? current.lastTransitionTime : undefined;
  return [
    ...removeDeploymentCondition(conditions, condition.type),
    { ...condition, ...(since === undefined ? {} : { lastTransitionTime: since }) },
  ];
}

export function removeDeploymentCondition(
  conditions: readonly DeploymentCondition[],
  type: string,
): DeploymentCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== MAX_INT32;
}

export function calculateStatus(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  nowMs: number,
): DeploymentStatus {
  const all = newReplicaSet ? [...old, newReplicaSet] : old;
  const { collisionCount, conditions = [] } = deployment.status;
  const availableReplicas = sum(all.map(({ status }) => status.availableReplicas ?? 0));
  const available = availableReplicas >= deployment.spec.replicas - maxUnavailable(deployment);
  return {
    ...nonzero({
      observedGeneration: deployment.metadata.generation ?? 0,
      replicas: getActualReplicaCountForReplicaSets(all),
      updatedReplicas: newReplicaSet?.status.replicas ?? 0,
      readyReplicas: sum(all.map(({ status }) => status.readyReplicas ?? 0)),
      availableReplicas,
      unavailableReplicas: Math.max(0, getReplicaCountForReplicaSets(all) - availableReplicas),
    }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: setDeploymentCondition(
      conditions,
      available
        ? newCondition(nowMs, {
            type: 'Available',
            status: 'True',
            reason: 'MinimumReplicasAvailable',
            message: 'Deployment has minimum availability.',
          })
        : newCondition(nowMs, {
            type: 'Available',
            status: 'False',
            reason: 'MinimumReplicasUnavailable',
            message: 'Deployment does not have minimum availability.',
          }),
    ),
  };
}

/** Go leaves out what is 0; a status with zeros would differ from the one that it is compared with. */
function nonzero<K extends string>(counts: Readonly<Record<K, number>>): Partial<Record<K, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<
    Record<K, number>
  >;
}

function newCondition(
  nowMs: number,
  condition: Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>,
): DeploymentCondition {
  const now = formatTime(nowMs);
  return { ...condition, lastUpdateTime: now, lastTransitionTime: now };
}

export function deploymentComplete({ metadata, spec }: Deployment, newStatus: DeploymentStatus): boolean {
  return (
    (newStatus.updatedReplicas ?? 0) === spec.replicas &&
    (newStatus.replicas ?? 0) === spec.replicas &&
    (newStatus.availableReplicas ?? 0) === spec.replicas &&
    (newStatus.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

export function deploymentProgressing({ status }: Deployment, newStatus: DeploymentStatus): boolean {
  const oldPods = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus): number =>
    replicas - updatedReplicas;
  return (
    (newStatus.updatedReplicas ?? 0) > (status.updatedReplicas ?? 0) ||
    oldPods(newStatus) < oldPods(status) ||
    (newStatus.readyReplicas ?? 0) > (status.readyReplicas ?? 0) ||
    (newStatus.availableReplicas ?? 0) > (status.availableReplicas ?? 0)
  );
}

export function deploymentTimedOut(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): boolean {
  const condition = getDeploymentCondition(newStatus, 'Progressing');
  if (!hasProgressDeadline(deployment) || !condition) return false;
  // Whatever a finished roll-out is waiting for, it is not itself.
  if (condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return deadlineMs(deployment, condition) < nowMs;
}

function deadlineMs({ spec }: Deployment, { lastUpdateTime = '' }: DeploymentCondition): number {
  return Date.parse(lastUpdateTime) + spec.progressDeadlineSeconds * 1_000;
}

export function requeueStuckDeployment(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const condition = getDeploymentCondition(deployment.status, 'Progressing');
  if (!hasProgressDeadline(deployment) || !condition) return undefined;
  if (deploymentComplete(deployment, newStatus) || condition.reason === 'ProgressDeadlineExceeded') {
    return undefined;
  }
  const afterMs = deadlineMs(deployment, condition) - nowMs;
  return afterMs < 1_000 ? 0 : afterMs;
}

export function getReplicaFailure(
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): DeploymentCondition | undefined {
  const found = [...(newReplicaSet ? [newReplicaSet] : []), ...old]
    .flatMap(({ status }) => status.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure');
  if (!found) return undefined;
  const { lastTransitionTime } = found;
  return { ...found, ...(lastTransitionTime === undefined ? {} : { lastUpdateTime: lastTransitionTime }) };
}

export function calculateRolloutStatus(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  nowMs: number,
): DeploymentStatus {
  const status = calculateStatus(deployment, newReplicaSet, old, nowMs);
  const counted = status.conditions ?? [];
  const progressed = hasProgressDeadline(deployment)
    ? withProgress(deployment, newReplicaSet, status, nowMs)
    : removeDeploymentCondition(counted, 'Progressing');
  const failure = getReplicaFailure(newReplicaSet, old);
  const conditions = failure
    ? setDeploymentCondition(progressed, failure)
    : removeDeploymentCondition(progressed, 'ReplicaFailure');
  return { ...status, conditions };
}

/** The conditions, with what can be said of progress since the status that the Deployment has. */
function withProgress(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  status: DeploymentStatus,
  nowMs: number,
): readonly DeploymentCondition[] {
  const { conditions = [] } = status;
  const current = getDeploymentCondition(deployment.status, 'Progressing');
  const isCompleteAlready =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable';
  if (isCompleteAlready) return conditions;
  const subject = newReplicaSet
    ? `ReplicaSet "${newReplicaSet.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const progressing = (reason: string, value: 'True' | 'False', what: string): DeploymentCondition =>
    newCondition(nowMs, { type: 'Progressing', status: value, reason, message: `${subject} ${what}.` });

  if (deploymentComplete(deployment, status)) {
    const condition = progressing('NewReplicaSetAvailable', 'True', 'has successfully progressed');
    return setDeploymentCondition(conditions, condition);
  }
  if (deploymentProgressing(deployment, status)) {
    const condition = progressing('ReplicaSetUpdated', 'True', 'is progressing');
    const since = current?.status === 'True' ? current.lastTransitionTime : undefined;
    // Each step starts the deadline anew: even where status and reason stay, the time of the update must not.
    return [
      ...removeDeploymentCondition(conditions, 'Progressing'),
      { ...condition, ...(since === undefined ? {} : { lastTransitionTime: since }) },
    ];
  }
  if (deploymentTimedOut(deployment, status, nowMs)) {
    const condition = progressing('ProgressDeadlineExceeded', 'False', 'has timed out progressing');
    return setDeploymentCondition(conditions, condition);
  }
  return conditions;
}

export function checkPausedConditions(
  deployment: Deployment,
  nowMs: number,
): DeploymentCondition | undefined {
  const current = getDeploymentCondition(deployment.status, 'Progressing');
  if (!hasProgressDeadline(deployment) || current?.reason === 'ProgressDeadlineExceeded') return undefined;
  const paused = deployment.spec.paused ?? false;
  const saysPaused = current?.reason === 'DeploymentPaused';
  if (paused === saysPaused) return undefined;
  const [reason, message] = paused
    ? ['DeploymentPaused', 'Deployment is paused']
    : ['DeploymentResumed', 'Deployment is resumed'];
  return newCondition(nowMs, { type: 'Progressing', status: 'Unknown', reason, message });
}

// Level 8 · History and rollback

export function revision({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[REVISION] ?? '0';
  return /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}

export function maxRevision(all: readonly ReplicaSet[]): number {
  return Math.max(0, ...all.map((replicaSet) => revision(replicaSet) ?? 0));
}

/** What of the Deployment's annotations is not for its ReplicaSets, and the other way round. */
const ANNOTATIONS_TO_SKIP: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

/** About a hundred revisions. */
const REVISION_HISTORY_CHARS_MAX = 2_000;

export function newReplicaSetAnnotations(
  deployment: Deployment,
  current: Readonly<Record<string, string>>,
  newRevision: number,
  historyCharsMax = REVISION_HISTORY_CHARS_MAX,
): Record<string, string> {
  const annotations = { ...current, ...copied(deployment.metadata.annotations) };
  const { [REVISION]: old = '', [REVISION_HISTORY]: history = '' } = current;
  if (!/^([+-]?\d+)?$/.test(old)) return { ...current };
  // Those that came after this one may have been deleted since: a revision never goes back.
  if (Number(old) >= newRevision) return annotations;
  annotations[REVISION] = String(newRevision);
  if (old === '') return annotations;
  const revisions = history === '' ? [] : history.split(',');
  if (revisions.length === 0) return { ...annotations, [REVISION_HISTORY]: old };
  revisions.push(old);
  while (revisions.length > 1 && revisions.join(',').length > historyCharsMax) revisions.shift();
  const text = revisions.join(',');
  return text.length > historyCharsMax ? annotations : { ...annotations, [REVISION_HISTORY]: text };
}

function copied(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !ANNOTATIONS_TO_SKIP.has(key)));
}

export function findCleanableReplicaSets(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit;
  if (limit === undefined || limit === MAX_INT32) return [];
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  // One that still has pods is not deleted, and its place is not given to the next.
  return alive
    .toSorted(byRevision)
    .slice(0, Math.max(0, alive.length - limit))
    .filter(
      ({ metadata, spec, status }) =>
        spec.replicas === 0 &&
        status.replicas === 0 &&
        (status.observedGeneration ?? 0) >= (metadata.generation ?? 0),
    );
}

function byRevision(a: ReplicaSet, b: ReplicaSet): number {
  const [x, y] = [revision(a), revision(b)];
  return x === undefined || y === undefined || x === y ? byAge(a, b) : x - y;
}

export function deploymentRevision(
  { metadata }: Deployment,
  all: readonly ReplicaSet[],
  toRevision = 0,
): ReplicaSet {
  const known = all.filter((replicaSet) => revision(replicaSet) !== undefined);
  if (toRevision !== 0) {
    const found = toRevision > 0 && known.find((replicaSet) => revision(replicaSet) === toRevision);
    if (found) return found;
    throw new Error(`unable to find specified revision ${toRevision} in history`);
  }
  const previous = known.toSorted(byRevision).at(-2);
  if (previous) return previous;
  throw new Error(`no rollout history found for deployment "${metadata.name}"`);
}

function rollbackPatch(deployment: Deployment, target: ReplicaSet): Patch {
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) =>
    ANNOTATIONS_TO_SKIP.has(key),
  );
  const annotations = { ...Object.fromEntries(kept), ...copied(target.metadata.annotations) };
  return {
    type: 'json',
    body: [
      { op: 'replace', path: '/spec/template', value: withoutHash(target.spec.template as PodTemplateSpec) },
      { op: 'replace', path: '/metadata/annotations', value: annotations },
    ],
  };
}

export async function rollback(
  client: Pick<Client, 'get' | 'list' | 'patch'>,
  key: ObjectKey,
  toRevision = 0,
): Promise<string> {
  const deployment = await client.get(deployments, key);
  const { items } = await client.list(replicaSets, {
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    labelSelector: labels.labelSelectorAsSelector(deployment.spec.selector).toString(),
  });
  const owned = items.filter((item) => controllerOf(item)?.uid === deployment.metadata.uid);
  const target = deploymentRevision(deployment, owned, toRevision);
  if (deployment.spec.paused) {
    throw new Error(
      `you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume deployment/${key.name}' and try again`,
    );
  }
  if (equalIgnoreHash(target.spec.template, deployment.spec.template)) {
    return `skipped rollback (current template already matches revision ${toRevision})`;
  }
  await client.patch(deployments, key, rollbackPatch(deployment, target));
  return 'rolled back';
}

function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller);
}

// Level 9 · The controller

const WORKERS = 5;
/** So that a timer which fires a little early does not find the deadline a little ahead. */
const DEADLINE_SKEW_MS = 1_000;

/** A Deployment and its ReplicaSets, as one sync sees them and as its writes change them. */
interface Rollout {
  readonly deployment: Deployment;
  readonly newReplicaSet: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

class DeploymentController {
  readonly #context: ComponentContext;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #recorder: EventRecorder;
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #deployments: SharedInformer<Deployment>;
  readonly #replicaSets: SharedInformer<ReplicaSet>;
  readonly #pods: IndexReader<Pod>;

  constructor(context: ComponentContext) {
    const { client, clock, recorder, informers } = context;
    this.#context = context;
    this.#client = client;
    this.#clock = clock;
    this.#recorder = recorder;
    this.#queue = context.newWorkQueue<string>();
    this.#deployments = informers.forResource(deployments);
    this.#replicaSets = informers.forResource(replicaSets);
    const podInformer = informers.forResource(pods, { controller: byController });
    this.#pods = podInformer.indexer;
    this.#deployments.addEventHandler({
      onAdd: (deployment) => this.#enqueue(deployment),
      onUpdate: (_, deployment) => this.#enqueue(deployment),
    });
    this.#replicaSets.addEventHandler({
      onAdd: (replicaSet) => this.#replicaSetChanged(replicaSet),
      onUpdate: (previous, current) => this.#replicaSetUpdated(previous, current),
      onDelete: (gone) => this.#replicaSetChanged(lastState(gone), { deleted: true }),
    });
    podInformer.addEventHandler({ onDelete: (gone) => this.#podDeleted(lastState(gone)) });
  }

  async run(): Promise<void> {
    const { informers, runWorkers, log } = this.#context;
    informers.start();
    await informers.waitForCacheSync();
    await runWorkers({
      queue: this.#queue,
      workers: WORKERS,
      sync: (key) => this.syncDeployment(key),
      onError: (error, key) => log(`will sync ${key} again: ${error}`),
    });
  }

  async syncDeployment(key: string): Promise<void> {
    const cached = this.#deployments.indexer.getByKey(key);
    if (!cached) return;
    if (deepEqual(cached.spec.selector, {})) return this.#refuseToSelectAll(cached);
    const owned = await this.#claimReplicaSets(cached);
    if (cached.metadata.deletionTimestamp !== undefined) {
      return this.#syncStatus(rolloutOf(cached, owned), calculateStatus);
    }
    const deployment = await this.#markPaused(cached);
    const rollout = await this.#syncRevision(rolloutOf(deployment, owned));
    if (deployment.spec.paused || isScalingEvent(deployment, allOf(rollout))) return this.#sync(rollout);
    if (deployment.spec.strategy.type === 'Recreate') return this.#rolloutRecreate(rollout);
    return this.#rolloutRolling(rollout);
  }

  // Who needs to be looked at

  #enqueue(deployment: Deployment): void {
    this.#queue.add(keyToString(keyOf(deployment)));
  }

  #replicaSetChanged(replicaSet: ReplicaSet, { deleted = false } = {}): void {
    const owner = controllerOf(replicaSet);
    if (owner) this.#enqueueOwner(replicaSet, owner);
    // An orphan: somebody may want it, unless it is going.
    if (owner || deleted || replicaSet.metadata.deletionTimestamp !== undefined) return;
    for (const deployment of this.#deployments.indexer.byIndex('namespace', namespaceOf(replicaSet))) {
      if (selects(deployment, replicaSet)) this.#enqueue(deployment);
    }
  }

  #replicaSetUpdated(previous: ReplicaSet, current: ReplicaSet): void {
    if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
    const owner = controllerOf(previous);
    if (owner && owner.uid !== controllerOf(current)?.uid) this.#enqueueOwner(previous, owner);
    this.#replicaSetChanged(current);
  }

  /** A Recreate waits for the old pods to be gone, and no ReplicaSet says when the last one is. */
  #podDeleted(pod: Pod): void {
    const owner = controllerOf(pod);
    if (owner?.kind !== 'ReplicaSet') return;
    const key = keyToString({ namespace: namespaceOf(pod), name: owner.name });
    const replicaSet = this.#replicaSets.indexer.getByKey(key);
    if (replicaSet?.metadata.uid !== owner.uid) return;
    const controller = controllerOf(replicaSet);
    if (controller) this.#enqueueOwner(replicaSet, controller);
  }

  /** Wakes the Deployment that a controllerRef points to, if it is still that one and not another of its name. */
  #enqueueOwner(owned: KubeObject, { kind, name, uid }: OwnerReference): void {
    if (kind !== 'Deployment') return;
    const key = keyToString({ namespace: namespaceOf(owned), name });
    const deployment = this.#deployments.indexer.getByKey(key);
    if (deployment?.metadata.uid === uid) this.#enqueue(deployment);
  }

  // Whose is it

  /** The Deployment's ReplicaSets: adopts what matches and belongs to nobody, lets go of what no longer matches. */
  async #claimReplicaSets(deployment: Deployment): Promise<ReplicaSet[]> {
    const { uid, deletionTimestamp } = deployment.metadata;
    const selector = labels.labelSelectorAsSelector(deployment.spec.selector);
    const claimed: ReplicaSet[] = [];
    let mayAdopt: Promise<void> | undefined;
    for (const replicaSet of this.#replicaSets.indexer.byIndex('namespace', namespaceOf(deployment))) {
      const owner = controllerOf(replicaSet);
      const matches = selector.matches(replicaSet.metadata.labels);
      if (owner?.uid === uid && matches) {
        claimed.push(replicaSet);
      } else if (deletionTimestamp !== undefined) {
        // Who is going away takes nothing and gives nothing: that is the garbage collector's.
      } else if (owner?.uid === uid) {
        await this.#release(deployment, replicaSet);
      } else if (!owner && matches && replicaSet.metadata.deletionTimestamp === undefined) {
        // The cache may not know yet that this Deployment is going, or gone: ask, once.
        mayAdopt ??= this.#mustStillBe(deployment);
        await mayAdopt;
        const adopted = await this.#adopt(deployment, replicaSet);
        if (adopted) claimed.push(adopted);
      }
    }
    return claimed;
  }

  async #mustStillBe(deployment: Deployment): Promise<void> {
    const key = keyOf(deployment);
    const fresh = await this.#client.get(deployments, key);
    if (fresh.metadata.uid !== deployment.metadata.uid) {
      throw new Error(`Failed to adopt for Deployment ${keyToString(key)}: it is another one now.`);
    }
    if (fresh.metadata.deletionTimestamp !== undefined) {
      throw new Error(`Failed to adopt for Deployment ${keyToString(key)}: it is being deleted.`);
    }
  }

  #adopt(deployment: Deployment, replicaSet: ReplicaSet): Promise<ReplicaSet | undefined> {
    const { uid } = replicaSet.metadata;
    const metadata = { uid, ownerReferences: [controllerRefTo(deployment)] };
    return this.#patchOwners(replicaSet, { metadata });
  }

  async #release({ metadata }: Deployment, replicaSet: ReplicaSet): Promise<void> {
    const ownerReferences = [{ $patch: 'delete', uid: metadata.uid }];
    await this.#patchOwners(replicaSet, {
      metadata: { uid: replicaSet.metadata.uid, ownerReferences },
    }).catch((error: unknown) => {
      // It is another ReplicaSet of that name by now.
      if (!hasReason(error, 'Invalid')) throw error;
    });
  }

  /** Gives nothing when the ReplicaSet is gone: then there is nothing left to own. */
  #patchOwners(replicaSet: ReplicaSet, body: unknown): Promise<ReplicaSet | undefined> {
    return this.#client
      .patch(replicaSets, keyOf(replicaSet), { type: 'strategic', body })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
  }

  // What to do

  async #refuseToSelectAll(deployment: Deployment): Promise<void> {
    const message = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#recorder.event(deployment, 'Warning', 'SelectingAll', message);
    const { generation = 0 } = deployment.metadata;
    if ((deployment.status.observedGeneration ?? 0) >= generation) return;
    await this.#updateStatus(deployment, { ...deployment.status, observedGeneration: generation });
  }

  /** So that the time for which it was paused does not count against the deadline. */
  async #markPaused(deployment: Deployment): Promise<Deployment> {
    const condition = checkPausedConditions(deployment, this.#clock.now());
    if (!condition) return deployment;
    const { conditions = [] } = deployment.status;
    return this.#updateStatus(deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, condition),
    });
  }

  /** Paused, or to be scaled: nothing is rolled out. */
  async #sync(rollout: Rollout): Promise<void> {
    const { deployment, newReplicaSet, old } = rollout;
    await this.#carryOut(deployment, scale(deployment, newReplicaSet, old));
    if (deployment.spec.paused) await this.#cleanup(rollout);
    await this.#syncStatus(rollout, calculateStatus);
  }

  async #rolloutRolling(before: Rollout): Promise<void> {
    const rollout = before.newReplicaSet ? before : await this.#createNew(before);
    const { deployment, newReplicaSet, old } = rollout;
    if (!newReplicaSet) return;
    // One of the two a sync: the second would be decided on what the first has just changed.
    const up = reconcileNewReplicaSet(deployment, allOf(rollout), newReplicaSet);
    const active = filterActiveReplicaSets(old);
    const changes = up.length > 0 ? up : reconcileOldReplicaSets(deployment, active, newReplicaSet);
    await this.#carryOut(deployment, changes);
    if (changes.length === 0) await this.#cleanupIfComplete(rollout);
    await this.#syncStatus(rollout, calculateRolloutStatus);
  }

  async #rolloutRecreate(before: Rollout): Promise<void> {
    const down = scaleDownOldReplicaSetsForRecreate(before.old);
    await this.#carryOut(before.deployment, down);
    const oldPods = before.old.flatMap(({ metadata }) => this.#pods.byIndex('controller', metadata.uid));
    if (down.length > 0 || oldPodsRunning(before.old, oldPods)) {
      return this.#syncStatus(before, calculateRolloutStatus);
    }
    const rollout = before.newReplicaSet ? before : await this.#createNew(before);
    const { deployment, newReplicaSet } = rollout;
    if (!newReplicaSet) return;
    await this.#carryOut(deployment, orders([[newReplicaSet, deployment.spec.replicas]]));
    await this.#cleanupIfComplete(rollout);
    await this.#syncStatus(rollout, calculateRolloutStatus);
  }

  /** Brings the new ReplicaSet's annotations up to date, and the Deployment's revision after them. */
  async #syncRevision(rollout: Rollout): Promise<Rollout> {
    const { deployment, newReplicaSet, old } = rollout;
    if (!newReplicaSet) return rollout;
    const { metadata, spec } = newReplicaSet;
    const annotations = newReplicaSetAnnotations(
      deployment,
      metadata.annotations ?? {},
      maxRevision(old) + 1,
    );
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    if (
      !deepEqual(annotations, metadata.annotations ?? {}) ||
      minReadySeconds !== (spec.minReadySeconds ?? 0)
    ) {
      const updated = await this.#client.update(replicaSets, {
        ...newReplicaSet,
        metadata: { ...metadata, annotations },
        spec: { ...spec, minReadySeconds },
      });
      return { ...rollout, newReplicaSet: updated };
    }
    const current = metadata.annotations?.[REVISION] ?? '';
    const isNews = current !== deployment.metadata.annotations?.[REVISION];
    const progress = getDeploymentCondition(deployment.status, 'Progressing');
    // Who died between making this ReplicaSet and saying so has left a status that speaks of the last roll-out, which is
    // over: nobody would notice that this one is stuck.
    const unsaid = !progress || (isNews && progress.reason === 'NewReplicaSetAvailable');
    const condition =
      hasProgressDeadline(deployment) && unsaid
        ? newCondition(this.#clock.now(), {
            type: 'Progressing',
            status: 'True',
            reason: 'FoundNewReplicaSet',
            message: `Found new replica set "${metadata.name}"`,
          })
        : undefined;
    return { ...rollout, deployment: await this.#setRevision(deployment, current, condition) };
  }

  async #setRevision(
    deployment: Deployment,
    current: string,
    condition: DeploymentCondition | undefined,
  ): Promise<Deployment> {
    const { metadata, status } = deployment;
    const known = metadata.annotations?.[REVISION] === current;
    if (known && !condition) return deployment;
    const { conditions = [] } = status;
    return this.#client.updateStatus(deployments, {
      ...deployment,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [REVISION]: current } },
      status: condition ? { ...status, conditions: setDeploymentCondition(conditions, condition) } : status,
    });
  }

  /** Makes the ReplicaSet of the template. Gives no new one when the namespace is going away: then none is to be. */
  async #createNew(rollout: Rollout): Promise<Rollout> {
    const { deployment, old } = rollout;
    const empty = newReplicaSetFor(deployment);
    const replicas = newRSNewReplicas(deployment, old, empty);
    const newRevision = maxRevision(old) + 1;
    const wanted: New<ReplicaSet> = {
      ...empty,
      metadata: {
        ...empty.metadata,
        annotations: {
          ...newReplicaSetAnnotations(deployment, {}, newRevision),
          ...replicasAnnotations(deployment),
        },
      },
      spec: { ...empty.spec, replicas },
    };
    let created: ReplicaSet;
    try {
      created = await this.#client.create(replicaSets, wanted);
    } catch (error) {
      if (isAlreadyExists(error)) return this.#alreadyThere(rollout, wanted, error);
      if (isNamespaceTerminating(error)) return rollout;
      await this.#reportCreateError(deployment, wanted, error);
      throw error;
    }
    const { name } = created.metadata;
    if (replicas > 0) this.#tell(deployment, `Scaled up replica set ${name} to ${replicas}`);
    const condition = hasProgressDeadline(deployment)
      ? newCondition(this.#clock.now(), {
          type: 'Progressing',
          status: 'True',
          reason: 'NewReplicaSetCreated',
          message: `Created new replica set "${name}"`,
        })
      : undefined;
    const updated = await this.#setRevision(deployment, String(newRevision), condition);
    return { ...rollout, deployment: updated, newReplicaSet: created };
  }

  /**
   * There is a ReplicaSet of that name. Either it is the one that was wanted, made by an earlier try of which the cache
   * does not know yet; or another template has the same hash, and the next try must have another.
   */
  async #alreadyThere(rollout: Rollout, wanted: New<ReplicaSet>, error: StatusError): Promise<Rollout> {
    const { deployment } = rollout;
    const { namespace, name = '' } = wanted.metadata;
    const existing = await this.#client.get(
      replicaSets,
      namespace === undefined ? { name } : { namespace, name },
    );
    const isOurs = controllerOf(existing)?.uid === deployment.metadata.uid;
    if (isOurs && equalIgnoreHash(existing.spec.template, deployment.spec.template)) {
      return { ...rollout, newReplicaSet: existing };
    }
    const { status } = deployment;
    await this.#updateStatus(deployment, { ...status, collisionCount: (status.collisionCount ?? 0) + 1 });
    throw error;
  }

  async #reportCreateError(deployment: Deployment, wanted: New<ReplicaSet>, error: unknown): Promise<void> {
    if (!(error instanceof StatusError)) return;
    const message = `Failed to create new replica set "${wanted.metadata.name}": ${error.message}`;
    this.#recorder.event(deployment, 'Warning', 'ReplicaSetCreateError', message);
    if (!hasProgressDeadline(deployment)) return;
    const { conditions = [] } = deployment.status;
    const condition = newCondition(this.#clock.now(), {
      type: 'Progressing',
      status: 'False',
      reason: 'ReplicaSetCreateError',
      message,
    });
    await this.#updateStatus(deployment, {
      ...deployment.status,
      conditions: setDeploymentCondition(conditions, condition),
    }).catch(() => {}); // The bigger trouble is the one that is being reported.
  }

  /** Sizes ReplicaSets, one after the other, each only if it still is what the decision was made on. */
  async #carryOut(deployment: Deployment, changes: readonly ScaleOrder[]): Promise<void> {
    for (const { replicaSet, replicas } of changes) {
      const { metadata, spec } = replicaSet;
      await this.#client.update(replicaSets, {
        ...replicaSet,
        metadata: {
          ...metadata,
          annotations: { ...metadata.annotations, ...replicasAnnotations(deployment) },
        },
        spec: { ...spec, replicas },
      });
      if (replicas === spec.replicas) continue;
      const direction = replicas > spec.replicas ? 'up' : 'down';
      this.#tell(
        deployment,
        `Scaled ${direction} replica set ${metadata.name} to ${replicas} from ${spec.replicas}`,
      );
    }
  }

  async #cleanupIfComplete(rollout: Rollout): Promise<void> {
    const { deployment } = rollout;
    if (deploymentComplete(deployment, deployment.status)) await this.#cleanup(rollout);
  }

  async #cleanup({ deployment, old }: Rollout): Promise<void> {
    for (const { metadata } of findCleanableReplicaSets(deployment, old)) {
      const { uid, resourceVersion } = metadata;
      await this.#client
        .delete(replicaSets, keyOf({ metadata }), { preconditions: { uid, resourceVersion } })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
  }

  async #syncStatus(
    { deployment, newReplicaSet, old }: Rollout,
    calculate: typeof calculateStatus,
  ): Promise<void> {
    const nowMs = this.#clock.now();
    const status = calculate(deployment, newReplicaSet, old, nowMs);
    if (!deepEqual(status, deployment.status)) {
      await this.#updateStatus(deployment, status);
      return;
    }
    if (calculate !== calculateRolloutStatus) return;
    // Nothing moves, so nothing will wake this Deployment: only the clock can say that it is stuck.
    const afterMs = requeueStuckDeployment(deployment, status, nowMs);
    if (afterMs === undefined) return;
    this.#queue.addAfter(keyToString(keyOf(deployment)), afterMs + DEADLINE_SKEW_MS);
  }

  #updateStatus(deployment: Deployment, status: DeploymentStatus): Promise<Deployment> {
    return this.#client.updateStatus(deployments, { ...deployment, status });
  }

  #tell(deployment: Deployment, message: string): void {
    this.#recorder.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
}

function rolloutOf(deployment: Deployment, owned: readonly ReplicaSet[]): Rollout {
  const newReplicaSet = findNewReplicaSet(deployment, owned);
  return { deployment, newReplicaSet, old: owned.filter((each) => each !== newReplicaSet) };
}

function allOf({ newReplicaSet, old }: Rollout): readonly ReplicaSet[] {
  return newReplicaSet ? [...old, newReplicaSet] : old;
}

function selects({ spec }: Deployment, { metadata }: ReplicaSet): boolean {
  const selector = labels.labelSelectorAsSelector(spec.selector);
  return !selector.empty && selector.matches(metadata.labels);
}

function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? '';
}

function lastState<T>(gone: T | DeletedFinalStateUnknown<T>): T {
  return gone instanceof DeletedFinalStateUnknown ? gone.object : gone;
}

function byController(pod: Pod): readonly string[] {
  const owner = controllerOf(pod);
  return owner ? [owner.uid] : [];
}

function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false;
  return (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}

/** The Deployment controller: what the rest of a cluster knows of this kata. */
export const deploymentController: Component = (context) => new DeploymentController(context).run();
