import { compareResourceVersion, type KubeObject, keyOf, keyToString, type SharedInformer } from '#harness';

/**
 * The objects of an informer, with the caller's own changes on top. The informer is behind the writes of its
 * controller, and the next decision must not ignore them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/volume/persistentvolume/pv_controller_base.go
 * storeObjectUpdate, pkg/scheduler/util/assumecache/assume_cache.go AssumeCache
 */
export class NewestObjects<T extends KubeObject> {
  readonly #informer: SharedInformer<T>;
  /** The accessors drop an object that is older than the informer's. */
  readonly #own = new Map<string, T>();

  constructor(informer: SharedInformer<T>) {
    this.#informer = informer;
  }

  /** Returns the newest known version of an object; undefined if the informer does not have it. */
  get(key: string): T | undefined {
    const seen = this.#informer.indexer.getByKey(key);
    return this.#newest(key, seen);
  }

  /** Returns all objects, each in its newest known version. */
  list(): readonly T[] {
    return this.#informer.indexer
      .list()
      .flatMap((seen) => this.#newest(keyToString(keyOf(seen)), seen) ?? []);
  }

  /** Records an own version: the answer to a write, or a change that will be written. An older version changes nothing. */
  put(object: T): void {
    const key = keyToString(keyOf(object));
    const known = this.get(key);
    if (known && isOlder(object, known)) return;
    this.#own.set(key, object);
  }

  /** Drops the own version of an object. */
  restore(key: string): void {
    this.#own.delete(key);
  }

  #newest(key: string, seen: T | undefined): T | undefined {
    const own = this.#own.get(key);
    if (!own) return seen;
    if (seen && !isOlder(own, seen)) return own;
    this.#own.delete(key);
    return seen;
  }
}

function isOlder({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return compareResourceVersion(a.resourceVersion, b.resourceVersion) < 0;
}
