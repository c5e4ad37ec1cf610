import { type KubeObject, keyOf, keyToString } from '../../api/objects.ts';
import { DeletedFinalStateUnknown, type Indexers, type IndexFunc, type IndexReader } from '../informer.ts';

/**
 * Returns the key of an object in a cache: `namespace/name`, or `name` for an object without a namespace.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/store.go MetaNamespaceKeyFunc
 */
export function metaNamespaceKeyFunc(object: KubeObject): string {
  if (object === last.object) return last.key;
  last = { object, key: keyToString(keyOf(object)) };
  return last.key;
}

/**
 * The last object, and its key. The caches of all processes receive an object one after the other, and look it up
 * several times: a string is hashed once.
 */
let last: { readonly object: KubeObject | undefined; readonly key: string } = { object: undefined, key: '' };

/**
 * One index of an {@link Indexer}: the keys of the objects that share a value.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/thread_safe_store.go storeIndex
 */
export interface CacheIndex<T> {
  /**
   * Replaces `previous`, the object under `key`, with `current`. `undefined` means that the key has no object, before
   * or after the change.
   */
  update(key: string, previous: T | undefined, current: T | undefined): void;

  /** Returns the keys of the objects that have this value, in any order; empty if no object has it. */
  keys(value: string): readonly string[];
}

/**
 * The cache of an informer: objects by key, their indexes, and the latest version that the cache has seen. It stores
 * the objects and updates the indexes, which `newIndex` creates.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/thread_safe_store.go threadSafeMap
 */
export class Indexer<T extends KubeObject> implements IndexReader<T> {
  #objects = new Map<string, T>();
  readonly #indexes: ReadonlyMap<string, CacheIndex<T>>;
  #resourceVersion = '';

  /** @param indexers maps the name of each index to a function that returns the index values of an object */
  constructor(indexers: Indexers<T>, newIndex: (indexFunc: IndexFunc<T>) => CacheIndex<T>) {
    this.#indexes = new Map(Object.entries(indexers).map(([name, indexFunc]) => [name, newIndex(indexFunc)]));
  }

  /** Stores an object. It replaces an object with the same key. */
  update(object: T): void {
    const key = metaNamespaceKeyFunc(object);
    this.#change(key, object);
    this.#objects.set(key, object);
    this.#resourceVersion = object.metadata.resourceVersion;
  }

  /**
   * Removes the object with this key. If the cache has no such object, only the version changes. A tombstone leaves the
   * version unchanged.
   */
  delete(object: T | DeletedFinalStateUnknown<T>): void {
    const isTombstone = object instanceof DeletedFinalStateUnknown;
    const key = isTombstone ? object.key : metaNamespaceKeyFunc(object);
    this.#change(key, undefined);
    this.#objects.delete(key);
    if (!isTombstone) this.#resourceVersion = object.metadata.resourceVersion;
  }

  /** Replaces the whole contents with these objects, in one step. */
  replace(objects: readonly T[], resourceVersion: string): void {
    const replacements = new Map(objects.map((object) => [metaNamespaceKeyFunc(object), object]));
    for (const key of this.#objects.keys()) if (!replacements.has(key)) this.#change(key, undefined);
    for (const [key, object] of replacements) this.#change(key, object);
    this.#objects = replacements;
    this.#resourceVersion = resourceVersion;
  }

  /** Advances the version of the cache: the resource has not changed up to this version. */
  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }

  getByKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  listKeys(): string[] {
    return [...this.#objects.keys()];
  }

  byIndex(indexName: string, value: string): T[] {
    const index = this.#indexes.get(indexName);
    if (!index) throw new Error(`Failed to look up "${value}": there is no index named "${indexName}".`);
    return index.keys(value).map((key) => this.#objects.get(key) as T);
  }

  lastStoreSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  #change(key: string, current: T | undefined): void {
    const previous = this.#objects.get(key);
    for (const index of this.#indexes.values()) index.update(key, previous, current);
  }
}
