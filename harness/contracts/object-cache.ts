import type { KubeObject, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';

/**
 * The objects that one apiserver has cached. Like every watch cache, it can be behind the storage.
 */
export interface ObjectCache {
  /** Returns the object as last observed; undefined if it is unknown. */
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): T | undefined;
  /** Returns the objects of one namespace, ordered by namespace and name. Absent or empty: of all namespaces. */
  list<T extends KubeObject>(resource: Resource<T>, namespace?: string): readonly T[];
}
