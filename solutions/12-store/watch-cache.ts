import {
  atRevision,
  Condition,
  decode,
  type Entry,
  type KeyRange,
  type KeyValue,
  type ObjectStoreContext,
  SortedMap,
  WatchQueue,
  type WatchResponse,
} from '#given/12-store';
import { errors, type KubeObject, type WatchEvent } from '#harness';

// Level 9 · The watch cache

/** How long a read waits for its revision, in ms. Given. */
export const FRESH_WITHIN_MS = 3_000;

/** How often a read that waits asks the store for progress, in ms. Given. */
export const PROGRESS_EVERY_MS = 100;

/** How many changes the cache remembers. Given. */
export const CHANGES_KEPT = 1_000;

/** A change of an object. Given. */
export interface ObjectChange {
  readonly revision: number;
  /** The state after the change; undefined after a delete. */
  readonly object?: KubeObject | undefined;
  /** The state before the change; undefined for a new object. */
  readonly previous?: KubeObject | undefined;
}

/** A watch of the cache. */
interface Watcher {
  readonly matches: (object: KubeObject) => boolean;
  readonly stream: WatchQueue;
  /** Its changes begin after this revision. */
  readonly after: number;
}

/** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cache_watcher.go cacheWatcher.convertToWatchEvent */
export function eventFor(
  matches: (object: KubeObject) => boolean,
  { revision, object, previous }: ObjectChange,
): WatchEvent | undefined {
  const was = previous && matches(previous) ? previous : undefined;
  if (object && matches(object)) return { type: was ? 'MODIFIED' : 'ADDED', object };
  return was && { type: 'DELETED', object: atRevision(was, revision) };
}

/**
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache, cacher.go Cacher
 *
 * Differs: it remembers a fixed number of changes, sends no regular bookmarks, and closes no slow watch.
 */
export class WatchCache {
  /** The last revision that the cache has seen; -1 before the first list. */
  position = -1;
  /** Watches can start at this revision, or later. */
  oldest = 0;
  /** Asks the store for progress. */
  requestProgress: () => void = () => {};
  readonly #objects = new SortedMap<Entry>();
  #changes: ObjectChange[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #moved = new Condition();

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.Replace */
  replace(kvs: readonly KeyValue[], revision: number): void {
    // The changes before this list are unknown: whoever watches must start again.
    this.endWatches();
    for (const [key] of this.#objects.all()) this.#objects.delete(key);
    for (const kv of kvs) this.#objects.set(kv.key, [kv.key, decode(kv)]);
    this.#changes = [];
    this.oldest = revision;
    this.moveTo(revision);
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.processEvent */
  apply({ events, revision }: WatchResponse): void {
    for (const { type, kv } of events) {
      const previous = this.get(kv.key);
      const object = type === 'PUT' ? decode(kv as KeyValue) : undefined;
      if (object) this.#objects.set(kv.key, [kv.key, object]);
      else this.#objects.delete(kv.key);
      const change = { revision: kv.modRevision, object, previous };
      this.#changes.push(change);
      for (const watcher of this.#watchers) send(watcher, change);
    }
    if (this.#changes.length > CHANGES_KEPT) this.#forget();
    // The store can be ahead of the changes in a message. Only a message without changes promises its revision.
    this.moveTo(events.at(-1)?.kv.modRevision ?? revision);
  }

  #forget(): void {
    const dropped = this.#changes.splice(0, this.#changes.length - CHANGES_KEPT);
    this.oldest = dropped.at(-1)?.revision ?? this.oldest;
  }

  /** Sets the position, and wakes everyone who waits for it. Given. */
  moveTo(revision: number): void {
    if (revision <= this.position) return;
    this.position = revision;
    this.#moved.notify();
  }

  /** Given. */
  get(key: string): KubeObject | undefined {
    return this.#objects.get(key)?.[1];
  }

  /** Given. */
  list(range: KeyRange): Entry[] {
    return this.#objects.within(range);
  }

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch */
  watch(after: number, matches: (object: KubeObject) => boolean): WatchQueue {
    if (after < this.oldest) throw errors.tooOldResourceVersion(after, this.oldest);
    const stream: WatchQueue = new WatchQueue(() => this.#watchers.delete(watcher));
    const watcher: Watcher = { after, matches, stream };
    for (const change of this.#changes) send(watcher, change);
    this.#watchers.add(watcher);
    return stream;
  }

  /** Ends all watches. Given. */
  endWatches(): void {
    for (const { stream } of this.#watchers) stream.end();
  }

  // Level 10 · Which state

  /** Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.waitUntilFreshAndBlock */
  async reached(revision: number, clock: ObjectStoreContext['clock']): Promise<void> {
    const deadline = clock.now() + FRESH_WITHIN_MS;
    while (this.position < revision) {
      const left = deadline - clock.now();
      if (left <= 0) throw errors.tooLargeResourceVersion(revision, this.position);
      this.requestProgress();
      await this.#moved.wait(clock, Math.min(left, PROGRESS_EVERY_MS));
    }
  }
}

function send({ matches, stream, after }: Watcher, change: ObjectChange): void {
  const event = change.revision > after ? eventFor(matches, change) : undefined;
  if (event) stream.push(event);
}
