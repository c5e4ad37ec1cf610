import type { KubeObject, OwnerReference } from '../../../api/objects.ts';
import { resourceFor } from '../oracle/object-histories.ts';

/** `configmap a/x`, `node n` */
export function nameOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind.toLowerCase()} ${namespace ? `${namespace}/` : ''}${name}`;
}

/** `ConfigMap x (uid 3f2a…)` */
export function describeOwner({ kind, name, uid }: OwnerReference): string {
  return `${kind} ${name} (uid ${uid.slice(0, 8)})`;
}

/** Returns the name of an object in the timeline: `configmaps/a/x`, `nodes/n`. */
export function rowName({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): string {
  const { plural = kind } = resourceFor(apiVersion, kind) ?? {};
  return [plural, ...(namespace ? [namespace] : []), name].join('/');
}
