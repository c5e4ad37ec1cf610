import type { KubeObject } from '../../api/objects.ts';
import type { Resource } from '../../api/resource.ts';
import { groupResource } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Clock } from '../../sim/index.ts';
import { type LogEntry, type Storage, sameResource } from './storage.ts';

/** A watcher of changes. It is told in the order of the log, each change once. */
export interface Watcher {
  /** Where to look for changes that concern it; the narrower, the cheaper. */
  readonly scope: WatchScope;
  /** Is the object selected? */
  matches(object: KubeObject): boolean;
  /** Receives an event; must not throw. */
  send(event: WatchEvent): void;
  /** Nothing more will come. */
  end(): void;
}

/** The most specific of what a watcher selects by. All of them are absent for one that wants everything. */
export interface WatchScope {
  readonly namespace?: string;
  readonly name?: string;
  /** The value that the kind's {@link WatchIndex} must have. */
  readonly indexed?: string;
}

/** A field by which many watchers select one object each: `spec.nodeName` of pods. */
type WatchIndex = (object: KubeObject) => string | undefined;

/** How long a read waits for a replica to reach its revision. Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go blockTimeout */
const FRESH_WITHIN_MS = 3_000;

/**
 * One apiserver replica's view of the log: a position, and the watchers that have been told everything up to it.
 *
 * A replica never runs ahead of the log and never skips; it can only be late. Held back, it serves old lists and
 * keeps its watchers waiting, which is all that a "stale read" ever is.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher
 */
export class WatchCache {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #indexOf: (resource: Resource) => WatchIndex | undefined;
  readonly #watchers = new Map<string, Map<string, Set<Watcher>>>();
  readonly #waiting = new Set<() => void>();
  #position: number;
  #delayMs = 0;
  #held = false;

  /** `indexOf` gives the field by which watches of a resource are found, if it has one. */
  constructor(storage: Storage, clock: Clock, indexOf: (resource: Resource) => WatchIndex | undefined) {
    this.#storage = storage;
    this.#clock = clock;
    this.#indexOf = indexOf;
    this.#position = storage.revision;
    storage.follow(this);
  }

  /** The revision up to which this replica has seen everything. */
  get position(): number {
    return this.#position;
  }

  /** The oldest revision from which a watch can start. */
  get oldest(): number {
    return Math.min(this.#storage.compactedRevision, this.#position);
  }

  /** Makes this replica see each write `ms` milliseconds late. 0: at once. */
  set delayMs(ms: number) {
    this.#delayMs = ms;
    if (ms === 0) this.#catchUp();
  }

  /** Stops this replica where it stands, until {@link release}. */
  hold(): void {
    this.#held = true;
  }

  /** Lets it go on, and catch up at once. */
  release(): void {
    this.#held = false;
    this.#catchUp();
  }

  /** Called by the storage after each write. */
  wrote(entry: LogEntry): void {
    if (this.#delayMs > 0) this.#clock.after(this.#delayMs, () => this.#advance(entry.revision));
    else this.#advance(entry.revision);
  }

  /**
   * Resolves when this replica has reached `revision`. Rejects with the reason of `signal` when that is aborted first.
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

  /** The objects of a resource as this replica sees them. */
  list(resource: Resource, namespace?: string): KubeObject[] {
    return this.#storage.list(resource, { namespace, revision: this.#position });
  }

  /** The changes of a resource after `revision`, up to where this replica stands. */
  changesSince(resource: Resource, revision: number): LogEntry[] {
    if (revision >= this.#position) return [];
    const entries = this.#storage.entriesSince(revision, this.#position);
    return entries.filter((entry) => sameResource(entry.resource, resource));
  }

  /** Tells `watcher` of every change from now on. Returns what ends that. */
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

  /** How many watches are open. */
  get watcherCount(): number {
    let count = 0;
    for (const buckets of this.#watchers.values())
      for (const watchers of buckets.values()) count += watchers.size;
    return count;
  }

  /** Ends every watch, as an apiserver does that restarts; or those of one resource. */
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
 * What a change is to one watcher: a change *into* its selection is an `ADDED`, a change *out of* it a `DELETED`
 * with the state before, at the revision of the change.
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

/** Every bucket whose watchers may want to know of this change, each once. */
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
