/** Level 1 · The cache: objects by key, and by what index functions say of them. */
import type { Indexers, IndexReader, KubeObject } from '#harness';

/** Says under which key an object is kept. */
export type KeyFunc<T> = (object: T) => string;

/** `namespace/name`, or `name` for an object without a namespace. */
export function metaNamespaceKeyFunc(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

export class Indexer<T> implements IndexReader<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #indexers: Indexers<T>;
  readonly #objects = new Map<string, T>();
  /** By index name and value: the keys of exactly the objects in `#objects` that have that value. */
  readonly #indices: ReadonlyMap<string, Map<string, Set<string>>>;

  constructor(keyFunc: KeyFunc<T>, indexers: Indexers<T> = {}) {
    this.#keyFunc = keyFunc;
    this.#indexers = indexers;
    this.#indices = new Map(Object.keys(indexers).map((name) => [name, new Map()]));
  }

  add(object: T): void {
    this.update(object);
  }

  update(object: T): void {
    const key = this.#keyFunc(object);
    this.#remove(key);
    this.#objects.set(key, object);
    this.#eachIndexed(object, (index, value) => {
      const keys = index.get(value) ?? new Set();
      index.set(value, keys.add(key));
    });
  }

  delete(key: string): void {
    this.#remove(key);
  }

  replace(list: readonly T[]): void {
    for (const key of this.listKeys()) this.#remove(key);
    for (const object of list) this.update(object);
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
    return this.indexKeys(indexName, value).map((key) => this.#objects.get(key) as T);
  }

  indexKeys(indexName: string, value: string): string[] {
    const index = this.#indices.get(indexName);
    if (!index) throw new Error(`Failed to look up "${value}": there is no index named "${indexName}".`);
    return [...(index.get(value) ?? [])];
  }

  #remove(key: string): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    this.#objects.delete(key);
    this.#eachIndexed(object, (index, value) => {
      const keys = index.get(value);
      keys?.delete(key);
      // A value that nobody has any more would stay for ever, and values such as pod uids never come back.
      if (keys?.size === 0) index.delete(value);
    });
  }

  #eachIndexed(object: T, visit: (index: Map<string, Set<string>>, value: string) => void): void {
    for (const [name, index] of this.#indices) {
      for (const value of this.#indexers[name]?.(object) ?? []) visit(index, value);
    }
  }
}
