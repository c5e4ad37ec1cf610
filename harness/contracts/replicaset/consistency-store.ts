import { compareResourceVersion } from '../../api/resource-version.ts';

/** A cache is older than what its own controller wrote: to act on it would be to act twice. */
export class ConsistencyError extends Error {
  override readonly name = 'ConsistencyError';
}

/**
 * Which version of each resource a controller wrote last, for each of the objects that it works for; and whether the caches have
 * come that far. It knows no time: however long a cache lags, the answer stays the same.
 *
 * A cache that does not know its version ({@link IndexReader.lastStoreSyncResourceVersion}) is never behind.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/consistency/consistency.go ConsistencyStore.
 * Differs: there the owner is a namespace and a name, and its uid stands in the record; here the owner is the uid
 */
export class ConsistencyStore {
  readonly #readers: Readonly<Record<string, () => string>>;
  readonly #written = new Map<string, Map<string, string>>();

  /** @param readers the version that each cache has reached, by the plural of its resource: `pods` */
  constructor(readers: Readonly<Record<string, () => string>>) {
    this.#readers = readers;
  }

  /**
   * Notes that something of this resource was written for `owner`.
   *
   * @param owner the uid of the object that the controller works for
   * @param resourceVersion what the server answered
   */
  wroteAt(owner: string, resource: string, resourceVersion: string): void {
    const versions = this.#written.get(owner) ?? new Map<string, string>();
    this.#written.set(owner, versions);
    const last = versions.get(resource);
    if (last === undefined || compareResourceVersion(last, resourceVersion) < 0) {
      versions.set(resource, resourceVersion);
    }
  }

  /**
   * Do the caches have all that was written for `owner`?
   *
   * @throws ConsistencyError if one of them does not
   */
  ensureReady(owner: string): void {
    for (const [resource, wrote] of this.#written.get(owner) ?? []) {
      const read = this.#readers[resource]?.() ?? '';
      if (read === '' || compareResourceVersion(wrote, read) <= 0) continue;
      throw new ConsistencyError(
        `read version: ${read} is not as new as written version: ${wrote} for group resource ${resource}`,
      );
    }
    this.#written.delete(owner);
  }

  /** Forgets what was written for `owner`. */
  clear(owner: string): void {
    this.#written.delete(owner);
  }
}
