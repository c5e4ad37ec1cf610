import type { KubeObject } from '../api/objects.ts';
import type { Resource } from '../api/resource.ts';
import type { Clock, Random } from '../sim/index.ts';
import type { Client, Selection } from './client.ts';

/**
 * What a handler is given when an object vanished while no watch was open: its last *known* state, which may be
 * older than its last.
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
 * Is told what happens to objects, one notification after the other. A handler that returns a promise gets the
 * next one when it has settled; only this handler waits. Objects are shared: copy before you change.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/controller.go ResourceEventHandler
 */
export interface ResourceEventHandler<T> {
  /** `isInInitialList`: was it there already when this handler began? */
  onAdd?(object: T, isInInitialList: boolean): void | Promise<void>;

  /**
   * Also called, with two equal resourceVersions, on every resync. `previous` is what this handler was told last.
   * After a gap in the watch, `current` may be another incarnation under the same name: compare the uid.
   */
  onUpdate?(previous: T, current: T): void | Promise<void>;

  onDelete?(object: T | DeletedFinalStateUnknown<T>): void | Promise<void>;
}

/** A handler's place in an informer. */
export interface ResourceEventHandlerRegistration {
  /** Has the handler been told of everything that was there when it began? */
  hasSynced(): boolean;
}

/** Says under which values an object is to be found. */
export type IndexFunc<T> = (object: T) => readonly string[];

/** Index functions by the name of the index. */
export type Indexers<T> = Readonly<Record<string, IndexFunc<T>>>;

/**
 * What may be read of a cache.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/store.go Store, index.go Indexer
 */
export interface IndexReader<T> {
  /** Keys are `namespace/name`, or `name` without a namespace. */
  getByKey(key: string): T | undefined;
  list(): T[];
  listKeys(): string[];
  /** The objects under `value`. @throws Error when there is no such index */
  byIndex(indexName: string, value: string): T[];

  /**
   * The resourceVersion that the cache has reached: every change of the resource up to here is in it. A list sets it, each
   * object that is written, a deletion, and a bookmark. It changes in the same step as the objects, so that a reader
   * which finds it here finds the change, too. Compare it by `compareResourceVersion`.
   *
   * `''` before the first list. Absent, or always `''`: the cache does not know. To a caller the two are the same.
   *
   * Optional, because a cache that does not know its version serves all controllers except those that read their own writes, and those
   * manage without. What a cache promises that has it, the suite in `client/contract/cache-version.ts` says.
   *
   * Upstream: kubernetes/client-go@v0.36.3 tools/cache/store.go Store.LastStoreSyncResourceVersion
   */
  lastStoreSyncResourceVersion?(): string;
}

/**
 * The informer: every controller's view of the world. It gets the present state once, by a list or by a watch that begins
 * with it, watches from there, keeps a cache, and tells handlers what changed. The port that kata 21 implements and all controllers consume.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go SharedIndexInformer
 */
export interface SharedInformer<T extends KubeObject> {
  /** The cache. What is in it was seen, and everything older was seen before. */
  readonly indexer: IndexReader<T>;

  /**
   * Adds a handler, at any time. It is first told of all that is in the cache.
   *
   * @param options.resyncPeriodMs tell it again of everything that often; absent: never
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options?: { readonly resyncPeriodMs?: number },
  ): ResourceEventHandlerRegistration;

  /** Tells the handler nothing more. */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void;

  /**
   * Is the first list in the cache, all of it, and also if it is empty? It stays true. Whether a handler was told, its
   * registration knows.
   */
  hasSynced(): boolean;

  /**
   * The resourceVersion up to which everything was received; `''` before the first list. The cache may be behind it: what it
   * has reached, `indexer.lastStoreSyncResourceVersion` tells.
   */
  lastSyncResourceVersion(): string;

  /**
   * Works until the signal is aborted; then no request is made and no handler called. Run it once: a second call ends at once, with
   * an error or without.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** What an informer needs to be given. */
export interface InformerOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly indexers?: Indexers<T>;
  /**
   * How often, in ms, the informer looks whether a handler is due to be told again. Handlers that join before the
   * start and ask for it more often make it more often. It is no default for handlers that do not ask.
   *
   * @defaultValue 0: the informer does not resync, whatever handlers ask for
   */
  readonly resyncPeriodMs?: number;
  /** Told of what went wrong and is being retried, and of what handlers threw. @defaultValue it is not told */
  readonly onError?: (error: unknown) => void;
}

/** Makes an informer: what kata 21 is, to the rest of a cluster. */
export type NewInformer = <T extends KubeObject>(options: InformerOptions<T>) => SharedInformer<T>;
