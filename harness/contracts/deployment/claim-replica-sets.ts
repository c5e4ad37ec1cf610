import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import { type Deployment, keyOf, keyToString, type ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import { deployments, replicaSets } from '../../api/resource.ts';
import { hasReason, isNotFound } from '../../api/status.ts';
import type { Client } from '../client.ts';
import { newControllerRef } from '../controller-ref.ts';

/**
 * Adopts the ReplicaSets that the Deployment selects and that have no controller. Releases owned ReplicaSets that it no
 * longer selects, as kata 23 does with pods. A Deployment that is being deleted does neither.
 *
 * Both patches check the `uid` of the ReplicaSet, without a `resourceVersion`: a concurrent change of the same
 * ReplicaSet does not fail them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go
 * ReplicaSetControllerRefManager.ClaimReplicaSets, RecheckDeletionTimestamp
 *
 * @param candidates the ReplicaSets of its namespace
 * @returns the ReplicaSets that it owns afterwards
 * @throws the error of the server; an Error when there is a ReplicaSet to adopt, but on the server the Deployment has
 * another uid or is being deleted
 */
export async function claimReplicaSets(
  client: Pick<Client, 'get' | 'patch'>,
  deployment: Deployment,
  candidates: readonly ReplicaSet[],
): Promise<ReplicaSet[]> {
  const { uid, deletionTimestamp } = deployment.metadata;
  const selector = labelSelectorAsSelector(deployment.spec.selector);
  const claimed: ReplicaSet[] = [];
  let alive: Promise<void> | undefined;
  for (const replicaSet of candidates) {
    const owner = controllerOf(replicaSet);
    const selected = selector.matches(replicaSet.metadata.labels);
    if (owner?.uid === uid && selected) claimed.push(replicaSet);
    else if (deletionTimestamp !== undefined) continue;
    else if (owner?.uid === uid) await release(client, deployment, replicaSet);
    else if (!owner && selected && replicaSet.metadata.deletionTimestamp === undefined) {
      // The cache may lag behind a deletion of the Deployment, so this reads it from the server, once.
      alive ??= mustBeAlive(client, deployment);
      await alive;
      const ownerReferences = [newControllerRef(deployment, 'Deployment')];
      const adopted = await patchOwners(client, replicaSet, ownerReferences);
      if (adopted) claimed.push(adopted);
    }
  }
  return claimed;
}

async function mustBeAlive(client: Pick<Client, 'get'>, deployment: Deployment): Promise<void> {
  const key = keyOf(deployment);
  const { uid, deletionTimestamp } = (await client.get(deployments, key)).metadata;
  if (uid === deployment.metadata.uid && deletionTimestamp === undefined) return;
  const why = deletionTimestamp === undefined ? 'it is another one now' : 'it is being deleted';
  throw new Error(`Failed to adopt for Deployment ${keyToString(key)}: ${why}.`);
}

async function release(
  client: Pick<Client, 'patch'>,
  { metadata }: Deployment,
  replicaSet: ReplicaSet,
): Promise<void> {
  try {
    await patchOwners(client, replicaSet, [{ $patch: 'delete', uid: metadata.uid }]);
  } catch (error) {
    // Another ReplicaSet has the name by now.
    if (!hasReason(error, 'Invalid')) throw error;
  }
}

/** Returns undefined if the ReplicaSet no longer exists. */
async function patchOwners(
  client: Pick<Client, 'patch'>,
  replicaSet: ReplicaSet,
  ownerReferences: readonly unknown[],
): Promise<ReplicaSet | undefined> {
  const body = { metadata: { uid: replicaSet.metadata.uid, ownerReferences } };
  try {
    return await client.patch(replicaSets, keyOf(replicaSet), { type: 'strategic', body });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
