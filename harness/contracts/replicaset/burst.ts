/**
 * How many pods one sync creates or deletes at most.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go BurstReplicas
 */
export const BURST_REPLICAS = 500;

/**
 * How many active pods are too many; negative if some are missing. Never more than {@link BURST_REPLICAS} either way.
 *
 * 3 wanted, 5 active: 2. 5 wanted, 3 active: -2. 2,000 wanted, none active: -500.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/replicaset/replica_set.go ReplicaSetController.manageReplicas
 */
export function replicasDiff(replicas: number, active: number): number {
  return Math.max(-BURST_REPLICAS, Math.min(active - replicas, BURST_REPLICAS));
}
