import type { KubeObject, ObjectKey } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { ObjectCache } from '../contracts/object-cache.ts';
import type { StoredObjects } from './storage/storage.ts';
import type { WatchCache } from './storage/watch-cache.ts';

/** The objects that one apiserver has observed. Only observers read the revisions; no component knows them. */
export interface ObservedObjects extends ObjectCache {
  /** The revision that the cache has reached. */
  readonly position: number;
  /** The newest revision of the storage. */
  readonly revision: number;
}

/**
 * Returns the objects that one apiserver has observed.
 *
 * Differs: upstream's authorizers and admission plugins have informers of their own, which can be behind the watch cache.
 */
export function objectCacheOf(storage: StoredObjects, cache: WatchCache): ObservedObjects {
  return {
    get position() {
      return cache.position;
    },
    get revision() {
      return storage.revision;
    },
    get: <T extends KubeObject>(resource: Resource<T>, key: ObjectKey) =>
      storage.get(resource, key, cache.position) as T | undefined,
    list: <T extends KubeObject>(resource: Resource<T>, namespace?: string) =>
      cache.list(resource, namespace) as unknown as readonly T[],
  };
}
