import type { ObjectReference } from './object-reference.ts';

/**
 * A least-recently-used cache of owners that do not exist. A deleted owner never comes back under its uid, so an entry
 * never becomes wrong. With the cache, a thousand pods of one ReplicaSet do not cause a thousand requests.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/uid_cache.go ReferenceCache
 */
export class ReferenceCache {
  readonly #capacity: number;
  /** By key; the most recently used reference is last. */
  readonly #references = new Map<string, ObjectReference>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(reference: ObjectReference): void {
    const key = keyOf(reference);
    this.#references.delete(key);
    this.#references.set(key, reference);
    const [oldest] = this.#references.keys();
    if (this.#references.size > this.#capacity && oldest !== undefined) this.#references.delete(oldest);
  }

  /** Reports whether the owner is known to be absent. A lookup counts as use. */
  has(reference: ObjectReference): boolean {
    const known = this.#references.has(keyOf(reference));
    if (known) this.add(reference);
    return known;
  }

  /** Returns all references; the most recently used one is last. */
  list(): readonly ObjectReference[] {
    return [...this.#references.values()];
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}
