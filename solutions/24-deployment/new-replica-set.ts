/** Levels 7 and 8 · The ReplicaSet of the template: its creation and its updates. */
import {
  type DeploymentStatus,
  type DeploymentSyncContext,
  equalIgnoreHash,
  getDeploymentCondition,
  hasProgressDeadline,
  maxRevision,
  newDeploymentCondition,
  newReplicaSetAnnotations,
  REVISION,
  type Rollout,
  replicasAnnotations,
  setDeploymentCondition,
} from '#given/24-deployment';
import { controllerOf, type Deployment, deepEqual, replicaSets } from '#harness';
import { fencepostsOf } from './fenceposts.ts';
import { newRSNewReplicas } from './scale-up.ts';
import { newReplicaSetFor } from './template.ts';

export async function createNewReplicaSet(
  syncContext: DeploymentSyncContext,
  rollout: Rollout,
): Promise<Rollout> {
  const { deployment, old } = rollout;
  const { metadata, spec, status } = deployment;
  const empty = newReplicaSetFor(deployment);
  const newRevision = maxRevision(old) + 1;
  const annotations = {
    ...newReplicaSetAnnotations(deployment, {}, newRevision),
    ...replicasAnnotations(deployment, fencepostsOf(deployment).maxSurge),
  };
  const { replicaSet, existed } = await syncContext.control.create(deployment, {
    ...empty,
    metadata: { ...empty.metadata, annotations },
    spec: { ...empty.spec, replicas: newRSNewReplicas(deployment, old, 0) },
  });
  if (!existed) {
    const message = `Created new replica set "${replicaSet.metadata.name}"`;
    const begun = withProgressing(syncContext, deployment, { reason: 'NewReplicaSetCreated', message });
    const updated = await syncContext.control.updateStatus(deployment, begun, String(newRevision));
    return { ...rollout, deployment: updated, newReplicaSet: replicaSet };
  }
  // Either an earlier attempt created it, and the cache does not show it yet, or another template has this hash.
  const isOurs = controllerOf(replicaSet)?.uid === metadata.uid;
  if (isOurs && equalIgnoreHash(replicaSet.spec.template, spec.template)) {
    return { ...rollout, newReplicaSet: replicaSet };
  }
  const collisionCount = (status.collisionCount ?? 0) + 1;
  await syncContext.control.updateStatus(deployment, { ...status, collisionCount });
  throw new Error(`Failed to create ReplicaSet ${replicaSet.metadata.name}: the name is taken.`);
}

/** Returns the status with a condition for the started rollout; without a deadline, the unchanged status. */
function withProgressing(
  { context }: DeploymentSyncContext,
  deployment: Deployment,
  because: { readonly reason: string; readonly message: string },
): DeploymentStatus {
  if (!hasProgressDeadline(deployment)) return deployment.status;
  const condition = newDeploymentCondition(context.clock.now(), {
    type: 'Progressing',
    status: 'True',
    ...because,
  });
  const { conditions = [] } = deployment.status;
  return { ...deployment.status, conditions: setDeploymentCondition(conditions, condition) };
}

export async function syncRevision(syncContext: DeploymentSyncContext, rollout: Rollout): Promise<Rollout> {
  const { deployment, newReplicaSet, old } = rollout;
  if (!newReplicaSet) return rollout;
  const { metadata, spec } = newReplicaSet;
  const { annotations: before = {} } = metadata;
  const annotations = newReplicaSetAnnotations(deployment, before, maxRevision(old) + 1);
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  if (!deepEqual(annotations, before) || minReadySeconds !== (spec.minReadySeconds ?? 0)) {
    const updated = await syncContext.context.client.update(replicaSets, {
      ...newReplicaSet,
      metadata: { ...metadata, annotations },
      spec: { ...spec, minReadySeconds },
    });
    return { ...rollout, newReplicaSet: updated };
  }
  const current = before[REVISION] ?? '';
  const isNews = current !== deployment.metadata.annotations?.[REVISION];
  const progress = getDeploymentCondition(deployment.status, 'Progressing');
  // A controller that crashed before it reported the start of this rollout has left a condition about the previous one.
  const unsaid = !progress || (isNews && progress.reason === 'NewReplicaSetAvailable');
  const found = { reason: 'FoundNewReplicaSet', message: `Found new replica set "${metadata.name}"` };
  const status = unsaid ? withProgressing(syncContext, deployment, found) : deployment.status;
  return { ...rollout, deployment: await syncContext.control.updateStatus(deployment, status, current) };
}
