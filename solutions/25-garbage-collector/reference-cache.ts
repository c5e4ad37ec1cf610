import type { ObjectReference } from './object-reference.ts';

/**
 * Owners that are known not to exist. One that is gone never comes back under its uid, so what is in here stays true,
 * and a thousand pods of one ReplicaSet need not ask a thousand times. The one that was not asked about for longest leaves.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/uid_cache.go ReferenceCache
 */
export class ReferenceCache {
  readonly #capacity: number;
  /** By key, the one that was used last at the end. */
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

  /** To ask counts as use. */
  has(reference: ObjectReference): boolean {
    const known = this.#references.has(keyOf(reference));
    if (known) this.add(reference);
    return known;
  }

  /** All of them, the one that was used last at the end. */
  list(): readonly ObjectReference[] {
    return [...this.#references.values()];
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: ObjectReference): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}
