/**
 * Kata 21 · The informer. Read README.md beside this file, then begin at the top: Level 1 is the cache.
 *
 * From the inside out: an {@link Indexer} is the cache; a {@link DeltaFIFO} is the queue of what happened to each
 * object; a {@link Reflector} lists and watches and fills the queue; a {@link SharedIndexInformer} empties it into
 * the cache and tells the handlers.
 *
 * This is the only file that you edit. Signatures are what the tests use; inside, do as you like.
 */
import {
  type Client,
  type Clock,
  type DeletedFinalStateUnknown,
  type Indexers,
  type IndexReader,
  type InformerOptions,
  type KubeObject,
  type NewInformer,
  type Random,
  type Resource,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type Selection,
  type SharedInformer,
  todo,
} from '#harness';

const KATA = '21-informer';

/** Says under which key an object is kept. */
export type KeyFunc<T> = (object: T) => string;

/**
 * The key of an object of the API.
 *
 * @returns `namespace/name`, or `name` for an object without a namespace
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/store.go MetaNamespaceKeyFunc
 */
export function metaNamespaceKeyFunc(object: KubeObject): string {
  return todo(KATA, 'metaNamespaceKeyFunc', 'Level 1');
}

// Level 1 · The cache

/**
 * Objects by key, and the keys of those that share a value, by index. At any time every index holds exactly the
 * objects that are there, under the values that they have now.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/thread_safe_store.go threadSafeMap
 */
export class Indexer<T> implements IndexReader<T> {
  /**
   * @param keyFunc gives the key of each object
   * @param indexers for each index, by its name, the values under which an object is to be found: any number
   */
  constructor(keyFunc: KeyFunc<T>, indexers: Indexers<T> = {}) {
    todo(KATA, 'Indexer', 'Level 1');
  }

  /** Keeps an object; one of the same key is replaced. */
  add(object: T): void {
    todo(KATA, 'Indexer.add', 'Level 1');
  }

  /** The same as {@link add}: whether there was one before makes no difference to the caller. */
  update(object: T): void {
    todo(KATA, 'Indexer.update', 'Level 1');
  }

  /** Forgets the object of this key. When there is none, nothing happens. */
  delete(key: string): void {
    todo(KATA, 'Indexer.delete', 'Level 1');
  }

  /** Forgets everything and keeps these. */
  replace(list: readonly T[]): void {
    todo(KATA, 'Indexer.replace', 'Level 1');
  }

  /** @returns the object, the very one that was kept; `undefined` when there is none */
  getByKey(key: string): T | undefined {
    return todo(KATA, 'Indexer.getByKey', 'Level 1');
  }

  /** @returns all objects, in any order, in an array of the caller's own */
  list(): T[] {
    return todo(KATA, 'Indexer.list', 'Level 1');
  }

  /** @returns all keys, in any order, in an array of the caller's own */
  listKeys(): string[] {
    return todo(KATA, 'Indexer.listKeys', 'Level 1');
  }

  /**
   * @returns the objects under `value`, in any order; empty when there are none
   * @throws Error that names the index, when there is no such index
   */
  byIndex(indexName: string, value: string): T[] {
    return todo(KATA, 'Indexer.byIndex', 'Level 1');
  }

  /** Like {@link byIndex}, but gives the keys. */
  indexKeys(indexName: string, value: string): string[] {
    return todo(KATA, 'Indexer.indexKeys', 'Level 1');
  }
}

// Level 2 · What happened, by object

/**
 * - `Added`, `Updated`, `Deleted`: a watch said so.
 * - `Replaced`: a list had it. (Queues of an older kind say `Sync` instead: see `emitDeltaTypeReplaced`.)
 * - `Sync`: nothing happened; handlers are to be told again.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/delta_fifo.go DeltaType
 */
export type DeltaType = 'Added' | 'Updated' | 'Deleted' | 'Replaced' | 'Sync';

/** One thing that happened. A `Deleted` that nobody saw carries a tombstone instead of the object. */
export interface Delta<T> {
  readonly type: DeltaType;
  readonly object: T | DeletedFinalStateUnknown<T>;
}

/** What happened to one object, oldest first; never empty. */
export type Deltas<T> = readonly Delta<T>[];

/** What a {@link DeltaFIFO} needs to know of the cache that it feeds. */
export type KnownObjects<T> = Pick<IndexReader<T>, 'getByKey' | 'listKeys'>;

export interface DeltaFIFOOptions<T> {
  readonly keyFunc: KeyFunc<T>;
  /** What the consumer of this queue has already. Without it only what is queued counts as known. */
  readonly knownObjects?: KnownObjects<T>;
  /** Call what a list brought `Replaced`. @defaultValue false: call it `Sync` */
  readonly emitDeltaTypeReplaced?: boolean;
}

/**
 * Makes one of two deletions, if the last two deltas are that: the one that knows more, which is the one with the
 * object itself and not a tombstone. Of two equals either will do.
 *
 * @returns the deltas that are to be kept; does not change its argument
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/delta_fifo.go dedupDeltas
 */
export function dedupDeltas<T>(deltas: Deltas<T>): Deltas<T> {
  return todo(KATA, 'dedupDeltas', 'Level 2');
}

/**
 * A queue of objects to which something happened, each with all that happened to it since it was last popped. An
 * object keeps the place in line that it got when it was queued first.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/delta_fifo.go DeltaFIFO
 */
export class DeltaFIFO<T> {
  constructor(options: DeltaFIFOOptions<T>) {
    todo(KATA, 'DeltaFIFO', 'Level 2');
  }

  /** @returns the key of an object; of a tombstone the key that it carries; of deltas that of the newest of them */
  keyOf(object: T | DeletedFinalStateUnknown<T> | Deltas<T>): string {
    return todo(KATA, 'DeltaFIFO.keyOf', 'Level 2');
  }

  /** Queues an `Added`. */
  add(object: T): void {
    todo(KATA, 'DeltaFIFO.add', 'Level 2');
  }

  /** Queues an `Updated`. */
  update(object: T): void {
    todo(KATA, 'DeltaFIFO.update', 'Level 2');
  }

  /** Queues a `Deleted`; but not of an object that is neither queued nor known: that deletion was reported already. */
  delete(object: T): void {
    todo(KATA, 'DeltaFIFO.delete', 'Level 2');
  }

  /**
   * Takes in a whole list: queues first a `Replaced` (or `Sync`) for each object in it, then a `Deleted` with a tombstone
   * for each that is queued or known but not in it, in any order. The tombstone carries the newest state there is: the
   * queued one before the known one.
   */
  replace(list: readonly T[]): void {
    todo(KATA, 'DeltaFIFO.replace', 'Level 2');
  }

  /** Queues a `Sync` for each known object for which nothing is queued. */
  resync(): void {
    todo(KATA, 'DeltaFIFO.resync', 'Level 2');
  }

  /**
   * @returns true when everything that the first {@link replace} queued has been popped (an object is, when `process`
   * is called with it), or when something else was reported before any {@link replace}, be it a deletion that was
   * ignored; false before anything was reported. A {@link resync} reports nothing.
   */
  hasSynced(): boolean {
    return todo(KATA, 'DeltaFIFO.hasSynced', 'Level 2');
  }

  /**
   * Takes the first object off the queue, hands its deltas to `process`, and gives them back; waits while the queue
   * is empty. Nobody can see the queue between the taking and `process`.
   *
   * @param process also told whether this belongs to what the first {@link replace} queued, tombstones included. What it
   * throws, the pop rejects with; the object is off the queue all the same
   * @returns the deltas; `undefined` when the queue is closed and empty
   */
  async pop(process: (deltas: Deltas<T>, isInInitialList: boolean) => void): Promise<Deltas<T> | undefined> {
    return todo(KATA, 'DeltaFIFO.pop', 'Level 2');
  }

  /** Lets who waits in {@link pop} go, now and from now on, when nothing is left. */
  close(): void {
    todo(KATA, 'DeltaFIFO.close', 'Level 2');
  }
}

// Levels 3 to 5 · List, watch, and start over

/** What a {@link Reflector} fills: a {@link DeltaFIFO}. */
export type ReflectorStore<T> = Pick<DeltaFIFO<T>, 'add' | 'update' | 'delete' | 'replace' | 'resync'>;

export interface ReflectorOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  /** For jitter: of backoffs, and of how long watches last. */
  readonly random: Random;
  /** How often, in ms, to resync the store while watching; asked before each wait. 0: not at all. @defaultValue 0 */
  readonly getCheckPeriodMs?: () => number;
  /** Asked each time before the store is resynced. @defaultValue always */
  readonly shouldResync?: () => boolean;
  /**
   * Told of each failure of {@link Reflector.listAndWatch} that is going to be retried, but for 410, which is nothing
   * unusual. Not of what `list` and `watch` deal with themselves.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * How long to wait before the next try: 800 ms, then twice as long each time up to 30 s, each stretched by a random
 * factor from 1 to 2. One for all the failures of a reflector. After more than two minutes in which nobody asked, it begins again at 800 ms.
 *
 * @see Upstream: kubernetes/apimachinery@v0.30.0 pkg/util/wait/backoff.go NewExponentialBackoffManager
 */
export class Backoff {
  constructor(clock: Clock, random: Random) {
    todo(KATA, 'Backoff', 'Level 5');
  }

  /** @returns the next wait, in ms */
  nextMs(): number {
    return todo(KATA, 'Backoff.nextMs', 'Level 5');
  }
}

/**
 * Reflects a resource of the server in a store: lists it, watches it from there, and starts over when it must.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/reflector.go Reflector
 */
export class Reflector<T extends KubeObject> {
  constructor(options: ReflectorOptions<T>) {
    todo(KATA, 'Reflector', 'Level 3');
  }

  /** @returns the resourceVersion up to which the store has seen everything; `''` before the first list */
  lastSyncResourceVersion(): string {
    return todo(KATA, 'Reflector.lastSyncResourceVersion', 'Level 3');
  }

  /**
   * From which version to list.
   *
   * @returns `'0'` (any state the server has at hand) before the first list; then the last version seen; but `''`
   * (the newest) after a *list* was refused because the server does not have that version, until a list succeeds. A watch
   * that ends with 410 is no such refusal: what came after the version is gone, but a list at that version or a newer one
   * can still be had
   * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/reflector.go Reflector.relistResourceVersion
   */
  relistResourceVersion(): string {
    return todo(KATA, 'Reflector.relistResourceVersion', 'Level 3');
  }

  /**
   * Lists, replaces what is in the store, and remembers the list's version. When the server does not have the version
   * asked for, any more (410) or yet (too large), it asks at once, and once, for the newest.
   *
   * A list that starts from `'0'` or `''` is asked for in pages of 500 and followed to its end before anything is
   * stored. When a later page has expired (410), the list is fetched again, once, from the version it started from and
   * without a limit: in one piece it cannot expire half-way.
   *
   * @throws whatever the client rejects with; then the store and the last version are as they were
   * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/reflector.go Reflector.list
   */
  async list(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.list', 'Level 3');
  }

  /**
   * Watches from the last version seen, for five to ten minutes at a time (at random), and applies every event to the
   * store. A stream that ends is opened again where it ended. Objects of another kind than the resource's are passed
   * over: their version does not count, either.
   *
   * Level 5: a server that is too busy (429, be it said before the stream or in it) or not there (connection refused) is asked again after a pause, as long as
   * the backoff says or the server asks for, whichever is longer. A stream that ends within a second of the request and
   * brought nothing is a failure, not an end.
   *
   * @returns when it is aborted
   * @throws StatusError what else the server reports in the stream; an Error for a stream that failed so; whatever else
   * means that one must list again
   * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/reflector.go Reflector.watch, watchHandler
   */
  async watch(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.watch', 'Level 4');
  }

  /**
   * Lists, then watches, and meanwhile resyncs the store.
   *
   * @throws what {@link list} and {@link watch} throw
   */
  async listAndWatch(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.listAndWatch', 'Level 5');
  }

  /**
   * Lists and watches, again and again, with a pause from {@link Backoff} between, until it is aborted; an abort
   * ends a pause, too. Never rejects.
   *
   * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/reflector.go Reflector.Run
   */
  async run(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.run', 'Level 5');
  }
}

// Level 6 · The informer

export interface ResyncPeriods {
  /** How often, in ms, the informer looks whether any handler is due; 0: never. */
  readonly checkPeriodMs: number;
  /** How often, in ms, the handler that joined is told of everything again; 0: never. */
  readonly handlerPeriodMs: number;
}

/**
 * What becomes of an informer's resync period when a handler joins. A handler that asks for 0 is never told again, nor
 * is anybody by an informer that does not resync. Others get a second at the least. Before the start, the informer comes
 * to look as often as the most impatient handler asks; after the start that is settled, so that a handler gets what it
 * asked for or the informer's period, whichever is longer.
 *
 * @param checkPeriodMs the informer's, so far; 0: it does not resync
 * @param requestedMs what the handler asks for
 * @param started does the informer run already?
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/shared_informer.go AddEventHandlerWithResyncPeriod
 */
export function joinResync(checkPeriodMs: number, requestedMs: number, started: boolean): ResyncPeriods {
  return todo(KATA, 'joinResync', 'Level 6');
}

/**
 * Keeps a cache of a resource and tells handlers of every change, each handler at its own pace.
 *
 * @see Upstream: kubernetes/client-go@v0.30.0 tools/cache/shared_informer.go sharedIndexInformer
 */
export class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {
  /** The cache; what {@link SharedInformer.indexer} shows of it. */
  readonly indexer: IndexReader<T>;

  constructor(options: InformerOptions<T>) {
    this.indexer = todo(KATA, 'SharedIndexInformer', 'Level 6');
  }

  /**
   * Adds a handler, before the start or later. It is told of what is in the cache, as adds in the initial list, and
   * then of what happens. A handler that returns a promise is told the next thing when that has settled; one that
   * throws is left alone for a second and told the next thing then. Either way no other handler waits. An update whose
   * two resourceVersions are equal says nothing new: after a resync it goes only to the handlers that are due, after a
   * relist only to those that asked to be told again.
   *
   * @returns its registration: `hasSynced` is true once the informer has synced and the handler is done with
   * everything that was there when it began (it is done with what it threw on, too). After the informer has stopped, a handler
   * is added to no effect.
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    return todo(KATA, 'SharedIndexInformer.addEventHandler', 'Level 6');
  }

  /** Tells the handler nothing more, not even what waited for it already. */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    todo(KATA, 'SharedIndexInformer.removeEventHandler', 'Level 6');
  }

  /** @returns whether the first list is in the cache, all of it */
  hasSynced(): boolean {
    return todo(KATA, 'SharedIndexInformer.hasSynced', 'Level 6');
  }

  /** @returns the version up to which the reflector has seen everything; `''` before the first list */
  lastSyncResourceVersion(): string {
    return todo(KATA, 'SharedIndexInformer.lastSyncResourceVersion', 'Level 6');
  }

  /**
   * Works until the signal is aborted, then makes no request, takes no event and calls no handler any more. It does not
   * wait for a handler that is still at work.
   *
   * @throws Error when it was run before
   */
  async run(signal: AbortSignal): Promise<void> {
    todo(KATA, 'SharedIndexInformer.run', 'Level 6');
  }
}

/** Makes an informer: what the rest of a cluster knows of this kata. */
export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
