import {
  bookmarkOf,
  type KeyRange,
  keyIn,
  listOf,
  ObjectErrors,
  type ObjectListOptions,
  type ObjectPlace,
  type ObjectReadOptions,
  type ObjectStoreContext,
  type ObjectWatchOptions,
  parseResourceVersion,
  rangeIn,
  StoreError,
} from '#given/12-store';
import { errors, isTooLargeResourceVersion, type KubeObject, type List, type Watch } from '#harness';
import { type Entry, pageOf, type Wanted, wantedBy } from './lists.ts';
import { decode } from './objects.ts';
import type { WatchCache } from './watch-cache.ts';

/** The objects of a range at a revision. Given. */
export interface Snapshot {
  readonly revision: number;
  /** In the order of their keys. */
  readonly entries: readonly Entry[];
}

/** Reads from the store or from the cache. */
export class ObjectReader {
  readonly #context: ObjectStoreContext;
  readonly #errors: ObjectErrors;
  readonly #cache: WatchCache;

  constructor(context: ObjectStoreContext, cache: WatchCache) {
    this.#context = context;
    this.#errors = new ObjectErrors(context);
    this.#cache = cache;
  }

  /**
   * Reads a range of the store, at a revision or at the newest. Given.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GetList
   *
   * @throws StatusError Expired when the revision is compacted; Timeout when the store has not reached it
   */
  async fromStore(
    { key, end }: Required<KeyRange>,
    { revision, start }: Pick<Wanted, 'revision' | 'start'>,
  ): Promise<Snapshot> {
    const { store } = this.#context;
    try {
      const result = await store.range({ key: key + (start ?? ''), end, ...(revision && { revision }) });
      const entries = result.kvs.map((kv): Entry => [kv.key, decode(kv)]);
      return { revision: revision ?? result.revision, entries };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (error.code === 'Compacted') throw this.#errors.expiredList(start);
      throw errors.tooLargeResourceVersion(revision ?? 0, await this.newest());
    }
  }

  /**
   * Returns a list. Given: it connects {@link wantedBy} with {@link pageOf}.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList
   */
  async list(options: ObjectListOptions): Promise<List<KubeObject>> {
    const range = rangeIn(this.#context.prefix, options.namespace);
    const wanted = wantedBy(options);
    const isExact = wanted.state === 'exact';
    const { revision, entries } = await (isExact
      ? this.fromStore(range, wanted)
      : this.fromCache(range, wanted));
    // A cache that may answer with any state answers with all of it.
    const limit = wanted.state === 'any' ? 0 : (options.limit ?? 0);
    const page = pageOf(entries, range.key, { ...options, limit });
    return listOf(this.#context.resource, { ...page, revision });
  }

  /**
   * Returns an object: the newest from the store, any other state from the cache. Given.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.Get
   */
  async get(place: ObjectPlace, { resourceVersion }: ObjectReadOptions): Promise<KubeObject> {
    const { prefix, store } = this.#context;
    const key = keyIn(prefix, place);
    const revision = parseResourceVersion(resourceVersion);
    if (revision !== undefined) await this.reached(revision);
    const object =
      revision === undefined ? (await store.range({ key })).kvs.map(decode)[0] : this.#cache.get(key);
    if (!object) throw this.#errors.notFound(place);
    return object;
  }

  /** Waits until the cache has reached a revision. Given. @throws StatusError Timeout */
  reached(revision: number): Promise<void> {
    return this.#cache.reached(revision, this.#context.clock);
  }

  /** Returns the newest revision of the store. Given. */
  async newest(): Promise<number> {
    return (await this.#context.store.range({ key: this.#context.prefix })).revision;
  }

  // Level 10 · Which state

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList */
  async fromCache({ key, end }: Required<KeyRange>, wanted: Wanted): Promise<Snapshot> {
    const { state, start = '' } = wanted;
    const newest = state === 'newest' ? await this.newest() : undefined;
    try {
      await this.reached(newest ?? wanted.revision ?? 0);
    } catch (error) {
      if (newest === undefined || !isTooLargeResourceVersion(error)) throw error;
      return this.fromStore({ key, end }, { start });
    }
    return { revision: this.#cache.position, entries: this.#cache.list({ key: key + start, end }) };
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch */
  async watch(options: ObjectWatchOptions): Promise<Watch<KubeObject>> {
    const { matches = () => true, namespace, allowWatchBookmarks, sendInitialEvents } = options;
    const range = rangeIn(this.#context.prefix, namespace);
    const revision = parseResourceVersion(options.resourceVersion);
    const isInitial = sendInitialEvents ?? !revision;
    await this.reached(revision === undefined ? await this.newest() : isInitial ? revision : 0);
    const after = isInitial || !revision ? this.#cache.position : revision;
    const isIn = ({ metadata }: KubeObject) => namespace === undefined || metadata.namespace === namespace;
    const stream = this.#cache.watch(after, (object) => isIn(object) && matches(object));
    if (!isInitial) return stream;
    for (const [, object] of this.#cache.list(range))
      if (matches(object)) stream.push({ type: 'ADDED', object });
    if (sendInitialEvents && allowWatchBookmarks)
      stream.push(bookmarkOf(this.#context.resource, after, true));
    return stream;
  }
}
