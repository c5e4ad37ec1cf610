/** Level 5 · The status. */
import {
  allOf,
  type DeploymentStatus,
  getActualReplicaCountForReplicaSets,
  getAvailableReplicaCountForReplicaSets,
  getReadyReplicaCountForReplicaSets,
  getReplicaCountForReplicaSets,
  getTerminatingReplicaCountForReplicaSets,
  newDeploymentCondition,
  type Rollout,
  setDeploymentCondition,
} from '#given/24-deployment';
import type { Deployment } from '#harness';
import { fencepostsOf } from './fenceposts.ts';

export function calculateStatus(rollout: Rollout, nowMs: number): DeploymentStatus {
  const { deployment, newReplicaSet } = rollout;
  const { metadata, spec, status } = deployment;
  const all = allOf(rollout);
  const availableReplicas = getAvailableReplicaCountForReplicaSets(all);
  const terminatingReplicas = getTerminatingReplicaCountForReplicaSets(all);
  const enough = availableReplicas >= spec.replicas - fencepostsOf(deployment).maxUnavailable;
  const available = newDeploymentCondition(nowMs, {
    type: 'Available',
    status: enough ? 'True' : 'False',
    reason: enough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${enough ? 'has' : 'does not have'} minimum availability.`,
  });
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: getActualReplicaCountForReplicaSets(all),
    updatedReplicas: newReplicaSet?.status.replicas ?? 0,
    readyReplicas: getReadyReplicaCountForReplicaSets(all),
    availableReplicas,
    unavailableReplicas: Math.max(0, getReplicaCountForReplicaSets(all) - availableReplicas),
    ...(terminatingReplicas === undefined ? {} : { terminatingReplicas }),
    ...(status.collisionCount === undefined ? {} : { collisionCount: status.collisionCount }),
    conditions: setDeploymentCondition(status.conditions ?? [], available),
  };
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
