import type { KubeObject, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { ObjectCache } from '../contracts/object-cache.ts';
import type { StoredObjects } from './storage/storage.ts';
import type { WatchCache } from './storage/watch-cache.ts';

/**
 * Returns the objects that one apiserver has observed.
 *
 * Differs: upstream's authorizers and admission plugins have informers of their own, which can be behind the watch cache.
 */
export function objectCacheOf(storage: StoredObjects, cache: WatchCache): ObjectCache {
  return {
    get: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) =>
      storage.get(resource, key, cache.position) as T | undefined,
    list: <T extends KubeObject>(resource: Resource<T>, namespace?: string) =>
      cache.list(resource, namespace) as unknown as readonly T[],
  };
}
