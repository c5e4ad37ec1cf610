/** Level 7 · Status, conditions, deadline. */
import { type Deployment, formatTime, type ReplicaSet } from '#harness';
import { MAX_INT32 } from './constants.ts';
import { maxUnavailable } from './fenceposts.ts';
import { getActualReplicaCountForReplicaSets, getReplicaCountForReplicaSets, sum } from './scale-up.ts';

export type DeploymentStatus = Deployment['status'];
export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

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

/** The condition, with both of its times set to `nowMs`. */
export function newCondition(
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

function deadlineMs({ spec }: Deployment, { lastUpdateTime }: DeploymentCondition): number {
  return Date.parse(lastUpdateTime ?? '') + spec.progressDeadlineSeconds * 1_000;
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
