import type { KubeObject } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Clock, Random } from '../sim/index.ts';
import type { Client, Selection } from './client.ts';

/**
 * Passed to a handler when an object was deleted while no watch was open. It has the last *known* state, which may be
 * older than the final state.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/delta_fifo.go DeletedFinalStateUnknown
 */
export class DeletedFinalStateUnknown<T> {
  /** `namespace/name` */
  readonly key: string;
  readonly object: T;

  constructor(key: string, object: T) {
    this.key = key;
    this.object = object;
  }
}

/**
 * Receives changes of objects, one notification at a time. If a handler returns a promise, its next notification waits
 * until the promise settles; other handlers do not wait. Objects are shared: copy an object before you change it.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/controller.go ResourceEventHandler
 */
export interface ResourceEventHandler<T> {
  /** `isInInitialList`: whether the object already existed when this handler was added. */
  onAdd?(object: T, isInInitialList: boolean): void | Promise<void>;

  /**
   * Also called on every resync, with two equal resourceVersions. `previous` is the last object that this handler
   * received. After a gap in the watch, `current` may be a new object with the same name: compare the uid.
   */
  onUpdate?(previous: T, current: T): void | Promise<void>;

  onDelete?(object: T | DeletedFinalStateUnknown<T>): void | Promise<void>;
}

/** The registration of a handler with an informer. */
export interface ResourceEventHandlerRegistration {
  /** Returns whether the handler has received every object that existed when it was added. */
  hasSynced(): boolean;
}

/** Returns the index values of an object. */
export type IndexFunc<T> = (object: T) => readonly string[];

/** Index functions by the name of the index: `{ node: (pod) => [pod.spec.nodeName ?? ''] }`. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * The read-only part of a cache.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/store.go Store, index.go Indexer
 */
export interface IndexReader<T> {
  /** Keys are `namespace/name`, or `name` without a namespace. */
  getByKey(key: string): T | undefined;
  list(): T[];
  listKeys(): string[];
  /** Returns the objects with the index value `value`. @throws Error when the index does not exist */
  byIndex(indexName: string, value: string): T[];

  /**
   * Returns the resourceVersion that the cache has reached: the cache contains every change of the resource up to this
   * version. A list, a written object, a deletion and a bookmark advance it. It changes in the same step as the
   * objects, so a reader that sees the version also sees the change. Compare it with `compareResourceVersion`.
   *
   * `''` before the first list. If the method is absent or always returns `''`, the cache does not know its version.
   * Callers treat the two alike.
   *
   * The method is optional, because only controllers that must read their own writes need it, and they also work
   * without it. The suite in `client/contract/cache-version.ts` specifies caches that have it.
   *
   * Upstream: kubernetes/client-go@v0.36.3 tools/cache/store.go Store.LastStoreSyncResourceVersion
   */
  lastStoreSyncResourceVersion?(): string;
}

/**
 * The informer: every controller's view of the cluster. It reads the current state once, by a list or a streaming list.
 * From there it watches, maintains a cache, and notifies handlers of changes. Kata 21 implements this port, and all
 * controllers use it.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go SharedIndexInformer
 */
export interface SharedInformer<T extends KubeObject> {
  /** The cache. It contains states that the informer has received, and never returns to an older state. */
  readonly indexer: IndexReader<T>;

  /**
   * Adds a handler, at any time. The handler first receives every object in the cache.
   *
   * @param options.resyncPeriodMs the interval at which the handler receives every object again; absent: never
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: { readonly resyncPeriodMs?: number },
  ): ResourceEventHandlerRegistration;

  /** Removes a handler. It gets no more notifications. */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void;

  /**
   * Returns whether the whole first list is in the cache, even if the list is empty. It stays true. The registration of
   * a handler reports whether that handler has synced.
   */
  hasSynced(): boolean;

  /**
   * Returns the resourceVersion up to which the informer has received every change; `''` before the first list. The
   * cache may be behind it: see `indexer.lastStoreSyncResourceVersion`.
   */
  lastSyncResourceVersion(): string;

  /**
   * Runs until the signal is aborted. After that it makes no request and calls no handler. Call it once: a second call
   * ends at once, with or without an error.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Options of an informer. */
export interface InformerOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly indexers?: Indexers<T>;
  /**
   * The interval, in ms, at which the informer checks whether a handler is due for a resync. A handler that joins
   * before the start and requests a shorter interval shortens it. It is not a default for handlers without an interval.
   *
   * @defaultValue 0: the informer never resyncs, even if handlers request it
   */
  readonly resyncPeriodMs?: number;
  /** Receives the errors of requests that are retried, and of handlers. @defaultValue errors are ignored */
  readonly onError?: (error: unknown) => void;
}

/** Creates an informer. A cluster uses kata 21 through this function. */
export type NewInformer = <T extends KubeObject>(options: InformerOptions<T>) => SharedInformer<T>;
