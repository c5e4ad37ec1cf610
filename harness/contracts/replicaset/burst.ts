/**
 * The maximum number of pods that one sync creates or deletes.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go BurstReplicas
 */
export const BURST_REPLICAS = 500;

/**
 * Returns the number of surplus active pods; negative if pods are missing. It is limited to {@link BURST_REPLICAS} in
 * both directions.
 *
 * 3 wanted, 5 active: 2. 5 wanted, 3 active: -2. 2,000 wanted, 0 active: -500.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.manageReplicas
 */
export function replicasDiff(replicas: number, active: number): number {
  return Math.max(-BURST_REPLICAS, Math.min(active - replicas, BURST_REPLICAS));
}
