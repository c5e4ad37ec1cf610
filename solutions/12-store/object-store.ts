import { type NewObjectStore, type ObjectStoreContext, prefixRange } from '#given/12-store';
import { ObjectReader } from './object-reader.ts';
import { ObjectWriter } from './objects.ts';
import { WatchCache } from './watch-cache.ts';

/** How long the cache waits before it lists again, in ms. Given. */
export const RELIST_AFTER_MS = 1_000;

/** Opens the objects of a resource. Given: it connects your parts. */
export const newObjectStore: NewObjectStore = (context) => {
  const cache = new WatchCache();
  const writer = new ObjectWriter(context);
  const reader = new ObjectReader(context, cache);
  void follow(context, cache);
  return {
    create: (object) => writer.create(object),
    update: (place, change, preconditions) => writer.write(place, change, preconditions),
    delete: (place, preconditions) => writer.write(place, () => undefined, preconditions),
    get: (place, options = {}) => reader.get(place, options),
    list: (options = {}) => reader.list(options),
    watch: (options = {}) => reader.watch(options),
  };
};

/**
 * Fills a cache: a list, and then a watch of all changes after it. Lists again when the watch has ended. Given: kata 21
 * is about it.
 */
async function follow(
  { store, prefix, clock, signal }: ObjectStoreContext,
  cache: WatchCache,
): Promise<void> {
  const range = prefixRange(prefix);
  signal.addEventListener('abort', () => cache.endWatches(), { once: true });
  while (!signal.aborted) {
    try {
      const { kvs, revision } = await store.range(range);
      const watch = store.watch({ ...range, startRevision: revision + 1 });
      const stop = (): void => watch.stop();
      signal.addEventListener('abort', stop, { once: true });
      cache.replace(kvs, revision);
      cache.requestProgress = () => watch.requestProgress();
      for await (const response of watch) cache.apply(response);
      signal.removeEventListener('abort', stop);
    } catch {
      // The store cannot be reached now.
    }
    cache.requestProgress = () => {};
    await new Promise<void>((resolve) => clock.after(RELIST_AFTER_MS, resolve));
  }
}
