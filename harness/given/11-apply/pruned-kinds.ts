/**
 * The kinds that a prune looks at, in its order: apiVersion and kind.
 *
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/util/prune/prune.go defaultNamespacedPruneResources,
 * defaultNonNamespacedPruneResources
 */
export const PRUNED_KINDS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'ConfigMap'],
  ['v1', 'Endpoints'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'Pod'],
  ['v1', 'ReplicationController'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['apps/v1', 'DaemonSet'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'ReplicaSet'],
  ['apps/v1', 'StatefulSet'],
  ['v1', 'Namespace'],
  ['v1', 'PersistentVolume'],
];
