import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import { deployments, replicaSets } from '../../api/resource.ts';
import { claimOwned } from '../claim-owned.ts';
import type { Client } from '../client.ts';

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
export function claimReplicaSets(
  client: Pick<Client, 'get' | 'patch'>,
  deployment: Deployment,
  candidates: readonly ReplicaSet[],
): Promise<ReplicaSet[]> {
  return claimOwned({
    client,
    owner: deployment,
    ownerResource: deployments,
    resource: replicaSets,
    candidates,
  });
}
