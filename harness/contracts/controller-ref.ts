import type { KubeObject, OwnerReference } from '../api/objects.ts';

/**
 * Returns the reference that makes this object, of apps/v1, the controller of another object. The caller passes the
 * kind, because an item of a list has no `kind` field.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/controller_ref.go NewControllerRef
 *
 * @param kind @defaultValue ReplicaSet
 */
export function newControllerRef(
  { metadata }: KubeObject,
  kind: 'ReplicaSet' | 'Deployment' | 'DaemonSet' | 'StatefulSet' = 'ReplicaSet',
): OwnerReference {
  const { name, uid } = metadata;
  return { apiVersion: 'apps/v1', kind, name, uid, controller: true, blockOwnerDeletion: true };
}
