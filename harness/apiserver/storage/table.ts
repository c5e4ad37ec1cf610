import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { lowerBound } from '../../contracts/store/sorted-map.ts';
import { type ExactLabel, LabelIndex } from './label-index.ts';
import { SortedKeys } from './sorted-keys.ts';

/** The objects of one resource at the newest revision, by key and in the order of their keys. */
export class Table {
  readonly resource: Resource;
  readonly #objects = new Map<string, KubeObject>();
  readonly #keys = new SortedKeys();
  readonly #labels = new LabelIndex();

  constructor(resource: Resource) {
    this.resource = resource;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  has(key: string): boolean {
    return this.#objects.has(key);
  }

  /** Returns all objects, in no particular order. */
  all(): IterableIterator<KubeObject> {
    return this.#objects.values();
  }

  /** Stores an object. It replaces the object under the same key. */
  set(key: string, object: KubeObject): void {
    const previous = this.#objects.get(key);
    if (!previous) this.#keys.add(key);
    this.#objects.set(key, object);
    this.#labels.update(key, previous, object);
  }

  /** Removes an existing object. */
  delete(key: string): void {
    this.#labels.update(key, this.#objects.get(key), undefined);
    this.#objects.delete(key);
    this.#keys.delete(key);
  }

  /** Returns the keys that begin with `prefix`, starting at `from`, in order. */
  keysIn(prefix: string, from: string): readonly string[] {
    return inRange(this.#keys.all(), prefix, from);
  }

  /** Returns keys that begin with `prefix`, in order. They include the key of every object with these labels. */
  keysWith(labels: readonly ExactLabel[], prefix: string): readonly string[] {
    return [...this.#labels.candidates(labels, this.#objects)].filter((key) => key.startsWith(prefix)).sort();
  }
}

/** Returns the keys that begin with `prefix`, starting at `from`; `keys` are sorted. */
function inRange(keys: readonly string[], prefix: string, from: string): readonly string[] {
  if (!prefix && !from) return keys;
  const first = lowerBound(keys, from > prefix ? from : prefix);
  let end = first;
  while (end < keys.length && (keys[end] as string).startsWith(prefix)) end++;
  return keys.slice(first, end);
}
