import {
  bookmarkOf,
  type KeyRange,
  listOf,
  type ObjectListOptions,
  ObjectSource,
  type ObjectWatchOptions,
  parseResourceVersion,
  rangeIn,
  type Snapshot,
  type Wanted,
} from '#given/12-store';
import { isTooLargeResourceVersion, type KubeObject, type List, type Watch } from '#harness';
import { pageOf, wantedBy } from './lists.ts';
import type { WatchCache } from './watch-cache.ts';

/** Reads from the store or from the cache. */
export class ObjectReader extends ObjectSource<WatchCache> {
  /**
   * Returns a list. Given: it connects {@link wantedBy} with {@link pageOf}.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList
   */
  async list(options: ObjectListOptions): Promise<List<KubeObject>> {
    const range = rangeIn(this.context.prefix, options.namespace);
    const wanted = wantedBy(options);
    const isExact = wanted.state === 'exact';
    const { revision, entries } = await (isExact
      ? this.fromStore(range, wanted)
      : this.fromCache(range, wanted));
    // A cache that may answer with any state answers with all of it.
    const limit = wanted.state === 'any' ? 0 : (options.limit ?? 0);
    const page = pageOf(entries, range.key, { ...options, limit });
    return listOf(this.context.resource, { ...page, revision });
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
    return { revision: this.cache.position, entries: this.cache.list({ key: key + start, end }) };
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch */
  async watch(options: ObjectWatchOptions): Promise<Watch<KubeObject>> {
    const { matches = () => true, namespace, allowWatchBookmarks, sendInitialEvents } = options;
    const range = rangeIn(this.context.prefix, namespace);
    const revision = parseResourceVersion(options.resourceVersion);
    const isInitial = sendInitialEvents ?? !revision;
    await this.reached(revision === undefined ? await this.newest() : isInitial ? revision : 0);
    const after = isInitial || !revision ? this.cache.position : revision;
    const isIn = ({ metadata }: KubeObject) => namespace === undefined || metadata.namespace === namespace;
    const stream = this.cache.watch(after, (object) => isIn(object) && matches(object));
    if (!isInitial) return stream;
    for (const [, object] of this.cache.list(range))
      if (matches(object)) stream.push({ type: 'ADDED', object });
    if (sendInitialEvents && allowWatchBookmarks) stream.push(bookmarkOf(this.context.resource, after, true));
    return stream;
  }
}
