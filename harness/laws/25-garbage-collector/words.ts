import type { KubeObject, OwnerReference } from '../../api/objects.ts';

/** `configmap a/x`, `node n` */
export function nameOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind.toLowerCase()} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** `ConfigMap x (uid 3f2a…)` */
export function describeOwner({ kind, name, uid }: OwnerReference): string {
  return `${kind} ${name} (uid ${uid.slice(0, 8)})`;
}
