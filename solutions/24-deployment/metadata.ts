/** What several levels read of any object: its namespace, and the owner reference that names its controller. */
import type { KubeObject, OwnerReference } from '#harness';

/** The reference by which an object says that `owner` is its controller. */
export function controllerRefTo({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The reference to the controller of an object; `undefined` when it has none. */
export function controllerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller);
}

/** The namespace of an object; empty when it has none. */
export function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? '';
}
