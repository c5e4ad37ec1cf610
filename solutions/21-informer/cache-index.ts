/** Level 1 · One index of the cache. */
import type { CacheIndex } from '#given/21-informer';
import type { IndexFunc } from '#harness';

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/thread_safe_store.go storeIndex */
export class Index<T> implements CacheIndex<T> {
  readonly #indexFunc: IndexFunc<T>;
  /** For each value, the keys of exactly the objects that have it now. */
  readonly #keysByValue = new Map<string, Set<string>>();

  constructor(indexFunc: IndexFunc<T>) {
    this.#indexFunc = indexFunc;
  }

  update(key: string, previous: T | undefined, current: T | undefined): void {
    for (const value of previous === undefined ? [] : this.#indexFunc(previous)) {
      const keys = this.#keysByValue.get(value);
      keys?.delete(key);
      // Otherwise, unused values would stay in memory forever: values such as uids never come back.
      if (keys?.size === 0) this.#keysByValue.delete(value);
    }
    for (const value of current === undefined ? [] : this.#indexFunc(current)) {
      const keys = this.#keysByValue.get(value) ?? new Set();
      this.#keysByValue.set(value, keys.add(key));
    }
  }

  keys(value: string): readonly string[] {
    return [...(this.#keysByValue.get(value) ?? [])];
  }
}
