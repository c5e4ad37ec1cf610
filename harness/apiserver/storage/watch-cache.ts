import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { groupResource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Clock } from '../../sim/index.ts';
import { type LogEntry, type StoredObjects, sameResource } from './storage.ts';

/** A watcher of changes. It receives each change once, in the order of the log. */
export interface Watcher {
  /** The scope of relevant changes; a narrower scope is cheaper. */
  readonly scope: WatchScope;
  /** Reports whether the watcher selects the object. */
  matches(object: KubeObject): boolean;
  /** Receives an event; must not throw. */
  send(event: WatchEvent): void;
  /** Called when the watch has ended. */
  end(): void;
}

/** The most specific criteria of a watcher. All are undefined for a watcher of everything. */
export interface WatchScope {
  readonly namespace?: string;
  readonly name?: string;
  /** The required value of the kind's {@link WatchIndex}. */
  readonly indexed?: string;
}

/** A field by which many watchers select one object each: `spec.nodeName` of pods. */
type WatchIndex = (object: KubeObject) => string | undefined;

/**
 * The maximum time that a read waits for a replica to reach its revision.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go blockTimeout
 */
const FRESH_WITHIN_MS = 3_000;

/**
 * The view of one apiserver replica on the log: a position, and watchers that have received all changes up to it.
 *
 * A replica never runs ahead of the log and never skips an entry; it can only lag. A held replica serves old lists and
 * delays its watchers, which is what clients experience as a "stale read".
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher
 *
 * Differs: one cache serves all resources, remembers as much as the log, never closes a slow watcher, and is never in
 * initialization. Upstream has a cache with its own window for each resource.
 */
export class WatchCache {
  readonly #storage: StoredObjects;
  readonly #clock: Clock;
  readonly #indexOf: (resource: Resource) => WatchIndex | undefined;
  readonly #watchers = new Map<string, Map<string, Set<Watcher>>>();
  readonly #waiting = new Set<() => void>();
  #position: number;
  #delayMs = 0;
  #held = false;

  /** @param indexOf - returns the field by which watches of a resource are indexed, if any */
  constructor(storage: StoredObjects, clock: Clock, indexOf: (resource: Resource) => WatchIndex | undefined) {
    this.#storage = storage;
    this.#clock = clock;
    this.#indexOf = indexOf;
    this.#position = storage.revision;
    storage.follow(this);
  }

  /** The last revision that this replica has seen. */
  get position(): number {
    return this.#position;
  }

  /** The oldest revision from which a watch can start. */
  get oldest(): number {
    return Math.min(this.#storage.compactedRevision, this.#position);
  }

  /** Delays each write by `ms` milliseconds for this replica; 0 means no delay. */
  set delayMs(ms: number) {
    this.#delayMs = ms;
    if (ms === 0) this.#catchUp();
  }

  /** Holds this replica at its position until {@link release}. */
  hold(): void {
    this.#held = true;
  }

  /** Releases this replica, which then catches up at once. */
  release(): void {
    this.#held = false;
    this.#catchUp();
  }

  /** Called by the storage after each write. */
  wrote(entry: LogEntry): void {
    this.moved(entry.revision);
  }

  /** Called by the storage when its revision has moved. */
  moved(revision: number): void {
    if (this.#delayMs > 0) this.#clock.after(this.#delayMs, () => this.#advance(revision));
    else this.#advance(revision);
  }

  /** Called by the storage before its log skips revisions: no watch can continue. */
  skipped(): void {
    this.endWatches();
  }

  /**
   * Resolves when this replica has reached `revision`. Rejects with the reason of `signal` if that aborts first.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.waitUntilFreshAndBlock
   *
   * @throws StatusError Timeout, with the cause ResourceVersionTooLarge, after three seconds
   */
  async reached(revision: number, signal?: AbortSignal): Promise<void> {
    if (this.#position >= revision) return;
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        this.#waiting.delete(check);
        cancel();
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const check = (): void => {
        if (this.#position >= revision) end(resolve);
      };
      const abort = (): void => end(() => reject(signal?.reason));
      const cancel = this.#clock.after(FRESH_WITHIN_MS, () =>
        end(() => reject(errors.tooLargeResourceVersion(revision, this.#position))),
      );
      this.#waiting.add(check);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Returns the objects of a resource at this replica's position. */
  list(resource: Resource, namespace?: string): KubeObject[] {
    return this.#storage.list(resource, { namespace, revision: this.#position });
  }

  /** Returns the changes of a resource after `revision`, up to this replica's position. */
  changesSince(resource: Resource, revision: number): LogEntry[] {
    if (revision >= this.#position) return [];
    const entries = this.#storage.entriesSince(revision, this.#position);
    return entries.filter((entry) => sameResource(entry.resource, resource));
  }

  /** Sends `watcher` every change from now on. Returns a function that stops it. */
  watch(resource: Resource, watcher: Watcher): () => void {
    const name = groupResource(resource);
    const buckets = this.#watchers.get(name) ?? new Map<string, Set<Watcher>>();
    this.#watchers.set(name, buckets);
    const bucket = bucketOf(watcher.scope);
    const watchers = buckets.get(bucket) ?? new Set();
    buckets.set(bucket, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && buckets.get(bucket) === watchers) buckets.delete(bucket);
    };
  }

  /** The number of open watches. */
  get watcherCount(): number {
    let count = 0;
    for (const buckets of this.#watchers.values())
      for (const watchers of buckets.values()) count += watchers.size;
    return count;
  }

  /** Ends all watches, as a restart of the apiserver does, or only those of one resource. */
  endWatches(resource?: Resource): void {
    const ended = resource ? [this.#watchers.get(groupResource(resource))] : [...this.#watchers.values()];
    for (const buckets of ended) {
      if (!buckets) continue;
      for (const watchers of [...buckets.values()]) for (const watcher of [...watchers]) watcher.end();
    }
  }

  #catchUp(): void {
    this.#advance(this.#storage.revision);
  }

  #advance(to: number): void {
    if (this.#held || to <= this.#position) return;
    for (const entry of this.#storage.entriesSince(this.#position, to)) {
      this.#position = entry.revision;
      this.#dispatch(entry);
    }
    if (to > this.#position) this.#position = to;
    for (const check of [...this.#waiting]) check();
  }

  #dispatch(entry: LogEntry): void {
    const buckets = this.#watchers.get(groupResource(entry.resource));
    if (!buckets) return;
    const index = this.#indexOf(entry.resource);
    for (const bucket of bucketsOf(entry, index)) {
      for (const watcher of buckets.get(bucket) ?? []) {
        const event = eventFor(watcher, entry);
        if (event) watcher.send(event);
      }
    }
  }
}

/**
 * Returns the event of a change for one watcher: a change *into* its selection is an `ADDED`. A change *out of* it is a
 * `DELETED` with the previous state, at the revision of the change.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cache_watcher.go cacheWatcher.convertToWatchEvent
 */
export function eventFor(watcher: Pick<Watcher, 'matches'>, entry: LogEntry): WatchEvent | undefined {
  const was = entry.previous !== undefined && watcher.matches(entry.previous);
  const is = entry.type !== 'DELETED' && watcher.matches(entry.object);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: entry.object };
  return was ? { type: 'DELETED', object: entry.last } : undefined;
}

const EVERYTHING = '';

function bucketOf({ namespace, name, indexed }: WatchScope): string {
  if (name !== undefined && namespace !== undefined) return `name:${namespace}/${name}`;
  if (indexed !== undefined) return `index:${indexed}`;
  if (namespace !== undefined) return `namespace:${namespace}`;
  return EVERYTHING;
}

/** Returns each bucket whose watchers may select this change, once. */
function bucketsOf(entry: LogEntry, index: WatchIndex | undefined): Set<string> {
  const { namespace, name } = entry.object.metadata;
  const buckets = new Set([EVERYTHING]);
  if (namespace !== undefined) buckets.add(`namespace:${namespace}`).add(`name:${namespace}/${name}`);
  if (index) {
    for (const object of [entry.object, entry.previous]) {
      const value = object && index(object);
      if (value !== undefined) buckets.add(`index:${value}`);
    }
  }
  return buckets;
}
