import { noteCaught } from '../../contracts/caught.ts';
import type { KeyValue, ObjectStoreContext, WatchResponse } from '../../contracts/store/index.ts';
import { prefixRange } from '../../contracts/store/ranges.ts';
import { NotImplemented } from '../../contracts/todo.ts';

/** How long a cache waits before it lists again, in ms. */
const RELIST_AFTER_MS = 1_000;

/** A cache of a part of a store. */
interface StoreCache {
  /** Replaces everything by a list at a revision. */
  replace(kvs: readonly KeyValue[], revision: number): void;
  /** Takes a message of a watch that begins after the list. */
  apply(response: WatchResponse): void;
  endWatches(): void;
  /** Asks the store for progress. */
  requestProgress: () => void;
}

/**
 * Fills a cache until `signal` aborts: with a list, and then with a watch of all changes after it. Lists again when the
 * watch has ended.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.ListAndWatch, as used by
 * kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.startCaching
 */
export async function followStore(
  { store, prefix, clock, signal }: ObjectStoreContext,
  cache: StoreCache,
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
    } catch (error) {
      if (error instanceof NotImplemented) return;
      noteCaught(error);
    }
    cache.requestProgress = () => {};
    await new Promise<void>((resolve) => clock.after(RELIST_AFTER_MS, resolve));
  }
}
