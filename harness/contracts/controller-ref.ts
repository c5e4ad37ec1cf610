import type { KubeObject, OwnerReference } from '../api/objects.ts';

/**
 * Returns the reference that makes this object, of apps/v1 or batch/v1, the controller of another object. The caller passes the
 * kind, because an item of a list has no `kind` field.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/controller_ref.go NewControllerRef
 *
 * @param kind @defaultValue ReplicaSet
 */
export function newControllerRef(
  { metadata }: KubeObject,
  kind: 'ReplicaSet' | 'Deployment' | 'DaemonSet' | 'StatefulSet' | 'Job' | 'CronJob' = 'ReplicaSet',
): OwnerReference {
  const { name, uid } = metadata;
  const apiVersion = kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
