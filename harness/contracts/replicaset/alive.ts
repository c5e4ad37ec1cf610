import type { ReplicaSet } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { replicaSets } from '../../api/resource.ts';
import { isNotFound } from '../../api/status.ts';
import type { Client } from '../client.ts';

/**
 * Reads the ReplicaSet from the server. A cache may not show yet that it is being deleted.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/controller_ref_manager.go RecheckDeletionTimestamp;
 * pkg/controller/replicaset/replica_set.go ReplicaSetController.claimPods
 *
 * @returns `undefined` if it does not exist, if its name now belongs to another ReplicaSet, or if it is being deleted
 * @throws any other error of the server
 */
export async function readAlive(
  client: Pick<Client, 'get'>,
  rs: ReplicaSet,
): Promise<ReplicaSet | undefined> {
  try {
    const fresh = await client.get(replicaSets, keyOf(rs));
    const { uid, deletionTimestamp } = fresh.metadata;
    return uid === rs.metadata.uid && deletionTimestamp === undefined ? fresh : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
