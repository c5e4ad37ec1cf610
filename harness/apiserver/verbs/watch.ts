import { deepFreeze } from '../../api/freeze.ts';
import type { KubeObject } from '../../api/objects.ts';
import { groupVersion, type Resource } from '../../api/resource.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import { apiTypes } from '../../api/table/table.ts';
import { type Bookmark, INITIAL_EVENTS_END, type WatchEvent } from '../../api/watch-event.ts';
import type { Watch, WatchOptions } from '../../contracts/client.ts';
import { WatchQueue } from '../../contracts/watch-queue.ts';
import { unmarshal } from '../schema/unmarshal.ts';
import { eventFor, type Watcher } from '../storage/watch-cache.ts';
import { mustBeValidOptions, validateWatchOptions } from '../validation/list-options.ts';
import type { Registry } from './registry.ts';
import { parseResourceVersion } from './resource-version.ts';
import { parseSelection } from './selection.ts';

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go defaultBookmarkFrequency */
const BOOKMARK_EVERY_MS = 60_000;
/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cache_watcher.go cacheWatcher.nextBookmarkTime */
const BOOKMARK_BEFORE_END_MS = 2_000;
/** Upstream: kubernetes/apiserver@v0.36.3 pkg/server/config.go MinRequestTimeout */
const TIMEOUT_SECONDS_MIN = 1_800;

/**
 * Opens a stream. It sends the present state if requested, or the changes since the resourceVersion, and then new
 * changes when this replica sees them. If bookmarks are requested, one of them marks the end of the present state.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch
 */
export async function watch<T extends KubeObject>(
  registry: Registry,
  resource: Resource<T>,
  options: WatchOptions,
): Promise<Watch<T>> {
  const { cache, storage, clock, random, servesStreamingLists } = registry;
  mustBeValidOptions('ListOptions', validateWatchOptions(options, servesStreamingLists));
  const predicate = parseSelection(registry.kindOf(resource), options);
  // Undefined means the newest revision; 0 means any revision that the replica has.
  const revision = parseResourceVersion(options.resourceVersion) ?? storage.revision;
  const isLegacy = !options.resourceVersion || options.resourceVersion === '0';
  const { signal, allowWatchBookmarks, sendInitialEvents = isLegacy } = options;
  signal?.throwIfAborted();
  if (sendInitialEvents) {
    const late = await cache.reached(revision, signal).catch((error: unknown) => error);
    if (late instanceof StatusError) return refused(late);
    if (late !== undefined) throw late;
    // A listener added from here on would miss an abort during the wait.
    signal?.throwIfAborted();
  }
  const from = sendInitialEvents || revision === 0 ? cache.position : revision;
  if (from < cache.oldest) return refused(errors.tooOldResourceVersion(from, cache.oldest));

  const stops: (() => void)[] = [];
  const stream = new WatchQueue<T>(() => {
    for (const stop of stops) stop();
  });
  const watcher: Watcher = {
    scope: predicate.scope,
    matches: predicate.matches,
    send: (event) => {
      // A watch can start in this replica's future; earlier events are not new to it.
      if (Number((event.object as KubeObject).metadata.resourceVersion) > from)
        stream.push(event as WatchEvent<T>);
    },
    end: () => stream.end(),
  };

  if (sendInitialEvents) {
    for (const object of cache.list(resource, predicate.namespace)) {
      if (predicate.matches(object)) stream.push({ type: 'ADDED', object: object as T });
    }
    if (allowWatchBookmarks && servesStreamingLists) {
      stream.push({ type: 'BOOKMARK', object: bookmark(resource, from, { [INITIAL_EVENTS_END]: 'true' }) });
    }
  } else {
    for (const entry of cache.changesSince(resource, from)) {
      const event = eventFor(watcher, entry);
      if (event) watcher.send(event);
    }
  }
  stops.push(cache.watch(resource, watcher));

  const seconds = options.timeoutSeconds || TIMEOUT_SECONDS_MIN * (1 + random.float());
  stops.push(clock.after(seconds * 1000, () => stream.end()));
  if (allowWatchBookmarks)
    stops.push(bookmarks(registry, resource, stream, { from, lifetimeMs: seconds * 1000 }));
  if (signal) {
    const stop = (): void => stream.stop();
    signal.addEventListener('abort', stop, { once: true });
    stops.push(() => signal.removeEventListener('abort', stop));
  }
  return stream;
}

/**
 * Sends a bookmark every minute, and one shortly before the end of the stream, so that a client resumes near the
 * present. Sends one only if the replica has moved since the last bookmark or the start of the watch, because a
 * repeated bookmark has no information.
 *
 * Differs: upstream also repeats unchanged bookmarks.
 */
function bookmarks<T extends KubeObject>(
  { cache, clock }: Registry,
  resource: Resource<T>,
  stream: WatchQueue<T>,
  { from, lifetimeMs }: { readonly from: number; readonly lifetimeMs: number },
): () => void {
  // A watch can start in this replica's future: a bookmark never goes back.
  let sent = from;
  const send = (): void => {
    if (cache.position <= sent) return;
    sent = cache.position;
    stream.push({ type: 'BOOKMARK', object: bookmark(resource, sent) });
  };
  let cancelNext = (): void => {};
  const tick = (): void => {
    cancelNext = clock.after(BOOKMARK_EVERY_MS, () => {
      send();
      tick();
    });
  };
  tick();
  const cancelLast = clock.after(Math.max(0, lifetimeMs - BOOKMARK_BEFORE_END_MS), send);
  return () => {
    cancelNext();
    cancelLast();
  };
}

function bookmark(resource: Resource, revision: number, annotations?: Record<string, string>): Bookmark {
  const metadata = { resourceVersion: String(revision), ...(annotations ? { annotations } : {}) };
  const { kind, group, version } = resource;
  const struct = apiTypes.kind({ group, version, kind });
  const empty = struct ? unmarshal(struct, {}).object : {};
  return deepFreeze({ kind, apiVersion: groupVersion(resource), ...empty, metadata });
}

/**
 * Returns a stream that ends with the error at once.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go newErrWatcher
 */
function refused<T extends KubeObject>({ status }: StatusError): Watch<T> {
  const stream = new WatchQueue<T>();
  stream.push({ type: 'ERROR', object: failure(status.reason, status.message, status.details) });
  stream.end();
  return stream;
}
