import { compareResourceVersion } from '../../api/resource-version.ts';

/**
 * A cache is older than the writes of its own controller. A controller that acted on such a cache would act twice.
 */
export class ConsistencyError extends Error {
  override readonly name = 'ConsistencyError';
}

/**
 * The last version of each resource that a controller wrote, for each object it works for. It checks whether the caches
 * have reached those versions. Time does not matter: the answer stays the same however long a cache lags.
 *
 * A cache that does not know its version ({@link IndexReader.lastStoreSyncResourceVersion}) counts as up to date.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 pkg/controller/util/consistency/consistency.go ConsistencyStore.
 * Differs: upstream's owner is a namespace and a name, with the uid in the record; here the owner is the uid
 */
export class ConsistencyStore {
  readonly #readers: Readonly<Record<string, () => string>>;
  readonly #written = new Map<string, Map<string, string>>();

  /** @param readers return the version that each cache has reached, by the plural of its resource: `pods` */
  constructor(readers: Readonly<Record<string, () => string>>) {
    this.#readers = readers;
  }

  /**
   * Records a write to this resource for `owner`.
   *
   * @param owner the uid of the object that the controller works for
   * @param resourceVersion the version in the server's response
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
   * Checks that the caches contain all writes for `owner`.
   *
   * @throws ConsistencyError if a cache does not
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

  /** Deletes the record of `owner`. */
  clear(owner: string): void {
    this.#written.delete(owner);
  }
}
