/** Level 6 · Progress and the deadline. */
import {
  type DeploymentCondition,
  type DeploymentStatus,
  getDeploymentCondition,
  getReplicaFailure,
  hasProgressDeadline,
  newDeploymentCondition,
  type Rollout,
  removeDeploymentCondition,
  replaceDeploymentCondition,
  setDeploymentCondition,
} from '#given/24-deployment';
import type { Deployment } from '#harness';
import { calculateStatus, deploymentComplete, deploymentProgressing } from './status.ts';

export function deploymentTimedOut(
  deployment: Deployment,
  newStatus: DeploymentStatus,
  nowMs: number,
): boolean {
  const condition = getDeploymentCondition(newStatus, 'Progressing');
  if (!hasProgressDeadline(deployment) || !condition) return false;
  // A complete rollout cannot time out.
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

export function calculateRolloutStatus(rollout: Rollout, nowMs: number): DeploymentStatus {
  const status = calculateStatus(rollout, nowMs);
  const progressed = hasProgressDeadline(rollout.deployment)
    ? withProgress(rollout, status, nowMs)
    : removeDeploymentCondition(status.conditions ?? [], 'Progressing');
  const failure = getReplicaFailure(rollout);
  const conditions = failure
    ? setDeploymentCondition(progressed, failure)
    : removeDeploymentCondition(progressed, 'ReplicaFailure');
  return { ...status, conditions };
}

/** Returns the conditions, updated by the progress since the Deployment's last status. */
function withProgress(
  { deployment, newReplicaSet }: Rollout,
  status: DeploymentStatus,
  nowMs: number,
): readonly DeploymentCondition[] {
  const { conditions = [], replicas, updatedReplicas } = status;
  const before = getDeploymentCondition(deployment.status, 'Progressing')?.reason;
  if (before === 'NewReplicaSetAvailable' && replicas === updatedReplicas) return conditions;
  const subject = newReplicaSet
    ? `ReplicaSet "${newReplicaSet.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const progress = (reason: string, value: 'True' | 'False', verb: string): DeploymentCondition => {
    const message = `${subject} ${verb}.`;
    return newDeploymentCondition(nowMs, { type: 'Progressing', status: value, reason, message });
  };
  if (deploymentComplete(deployment, status)) {
    const complete = progress('NewReplicaSetAvailable', 'True', 'has successfully progressed');
    return setDeploymentCondition(conditions, complete);
  }
  if (deploymentProgressing(deployment, status)) {
    // Each step restarts the deadline, even if status and reason stay the same.
    return replaceDeploymentCondition(conditions, progress('ReplicaSetUpdated', 'True', 'is progressing'));
  }
  if (!deploymentTimedOut(deployment, status, nowMs)) return conditions;
  const late = progress('ProgressDeadlineExceeded', 'False', 'has timed out progressing');
  return setDeploymentCondition(conditions, late);
}
