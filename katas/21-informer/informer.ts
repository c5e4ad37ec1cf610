/**
 * Kata 21 · The informer. Read README.md beside this file, then begin at the top: Level 1 is an index.
 *
 * From the inside out: an {@link Index} finds objects by what they have in common. A {@link RealFIFO} is the queue of what
 * happened, and {@link processDelta} takes it into the cache. A {@link Reflector} lists and watches, and fills the queue. A
 * {@link SharedIndexInformer} puts them together and tells the handlers.
 *
 * To go your own way, write {@link createInformer} in any shape: its contract stands at `SharedInformer` and `InformerOptions`.
 * Leave the rest as it is, and let the laws decide.
 *
 * This is the only file that you edit. Objects that come from a client or a cache are shared and frozen.
 */
import {
  type CacheIndex,
  type Clock,
  type Delta,
  Indexer,
  type IndexFunc,
  type InformerOptions,
  type KubeObject,
  ListerWatcher,
  type NewInformer,
  type Notification,
  type ProcessorListener,
  type Random,
  type ReplacedAll,
  type Resource,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  ResyncTimer,
  type SharedInformer,
  todo,
  type WatchEvent,
} from '#harness';

const KATA = '21-informer';

// Level 1 · An index

/**
 * The keys of objects, by a value that the objects have. `indexFunc` gives the values of an object: none, one or several. At any
 * time the index has exactly the objects that are there, under the values that they have now.
 *
 * `web-1` had the label `app=web` and is now `app=shop`: it is found under `shop`, and no longer under `web`.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/thread_safe_store.go storeIndex
 */
export class Index<T> implements CacheIndex<T> {
  readonly #indexFunc: IndexFunc<T>;

  constructor(indexFunc: IndexFunc<T>) {
    this.#indexFunc = indexFunc;
  }

  /**
   * The object under `key` was `previous` and is `current`. `undefined`: there was none, or there is none.
   *
   * A value that no object has any more costs no memory: an index by uid would otherwise grow for ever.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/thread_safe_store.go storeIndex.updateSingleIndex
   */
  update(key: string, previous: T | undefined, current: T | undefined): void {
    todo(KATA, 'Index.update', 'Level 1');
  }

  /** @returns the keys of the objects that have this value, each once, in any order, in an array of the caller's own */
  keys(value: string): readonly string[] {
    return todo(KATA, 'Index.keys', 'Level 1');
  }
}

// Level 2 · The queue

/**
 * A queue of single deltas, in the order in which they came. Nothing is merged and nothing is left out: two changes of one object
 * are two deltas.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO
 */
export class RealFIFO<T> {
  /** Puts a delta at the end of the queue, and wakes a {@link pop} that waits. */
  push(delta: Delta<T>): void {
    todo(KATA, 'RealFIFO.push', 'Level 2');
  }

  /**
   * Has the first list been taken in? It is false at first. If a `ReplacedAll` is the first to come in, it turns true when that has
   * been popped *and processed*, even if it has no objects. If an `Added`, `Updated` or `Deleted` comes first, it is true at once.
   * `SyncAll` and `Bookmark` change nothing. It stays true.
   *
   * | | hasSynced |
   * |---|---|
   * | new | false |
   * | push `ReplacedAll` of a and b, push `Added` c | false |
   * | pop, while it calls `process` | false |
   * | then | true |
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO.HasSynced
   */
  hasSynced(): boolean {
    return todo(KATA, 'RealFIFO.hasSynced', 'Level 2');
  }

  /**
   * Takes the first delta off the queue, calls `process` with it, and gives it back. It waits while the queue is empty. One `pop`
   * waits at a time.
   *
   * @param process also told whether the delta belongs to the first list: it does if the queue had not synced. If `process`
   * throws, so does `pop`; the delta is off the queue, and counts as processed
   * @returns the delta; `undefined` when the queue is closed and empty
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO.Pop
   */
  async pop(process: (delta: Delta<T>, isInInitialList: boolean) => void): Promise<Delta<T> | undefined> {
    return todo(KATA, 'RealFIFO.pop', 'Level 2');
  }

  /** From now on, no {@link pop} waits: one that waits now gives `undefined`. What is queued can still be popped. */
  close(): void {
    todo(KATA, 'RealFIFO.close', 'Level 2');
  }
}

// Level 3 · From the queue into the cache

/**
 * Changes the cache as the delta says, and gives what handlers are to be told of it, in order. It tells them nothing itself.
 *
 * | delta | the cache | notifications |
 * |---|---|---|
 * | `Added` or `Updated` | has the object | an `update` if the cache had an object of its key, an `add` if not, whatever the delta is called |
 * | `Deleted` | does not have it | a `delete` with the delta's object, even if the cache had none |
 * | `ReplacedAll` | see {@link replaceAll} | |
 * | `SyncAll` | stays as it is | for each object an `update` from itself to itself |
 * | `Bookmark` | has reached the version | none |
 *
 * @param isInInitialList what an `add` says of itself
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/controller.go processDeltas
 */
export function processDelta<T extends KubeObject>(
  delta: Delta<T>,
  indexer: Indexer<T>,
  isInInitialList: boolean,
): Notification<T>[] {
  return todo(KATA, 'processDelta', 'Level 3');
}

/**
 * Makes the cache what a list says, in one step.
 *
 * Objects of the cache that are not in the list were deleted while no watch told it: for each there is a `delete` with a tombstone, a
 * `DeletedFinalStateUnknown` of the key and the last known object. These come first. Then each object of the list is an `update` or
 * an `add`, in the order of the list. An object under the same name with another `uid` is an `update`.
 *
 * The cache has a and b, the list has b and c: delete a (tombstone), update b, add c. `metaNamespaceKeyFunc` gives the key of an object.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/controller.go processReplacedAllInfo
 */
export function replaceAll<T extends KubeObject>(
  list: ReplacedAll<T>,
  indexer: Indexer<T>,
  isInInitialList: boolean,
): Notification<T>[] {
  return todo(KATA, 'replaceAll', 'Level 3');
}

// Levels 4 to 7 · List, watch, stream, and start over

/** What a {@link Reflector} is given. */
export interface ReflectorOptions<T extends KubeObject> {
  /** Makes the requests. */
  readonly listerWatcher: Pick<ListerWatcher<T>, 'list' | 'watch' | 'watchList'>;
  readonly resource: Resource<T>;
  /** Is filled. */
  readonly queue: { push(delta: Delta<T>): void };
  readonly clock: Clock;
  /** How long to wait before the next try, in ms. Ask once for each wait. */
  readonly nextBackoffMs: () => number;
  /** Told of each failure after which {@link Reflector.run} starts over, except 410, which is nothing unusual. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Fills a queue with what a resource of the server is, and with what happens to it.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector
 */
export class Reflector<T extends KubeObject> {
  /** The version up to which everything was received; `''` before the first list. The tests read it. */
  lastSyncResourceVersion = '';
  /** Did the server just say that it does not have {@link lastSyncResourceVersion}? A list that succeeds ends that. */
  isLastSyncResourceVersionUnavailable = false;
  readonly #options: ReflectorOptions<T>;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /**
   * From which version to list.
   *
   * @returns `''` (the newest) if the last version is unavailable; otherwise the last version; `'0'` (any that the server has at
   * hand) if there is none yet
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.relistResourceVersion
   */
  relistResourceVersion(): string {
    return todo(KATA, 'Reflector.relistResourceVersion', 'Level 4');
  }

  /**
   * Lists, pushes one `ReplacedAll`, and remembers the version of the list. If the server does not have the version that was asked for, any more
   * (`isExpired`) or yet (`isTooLargeResourceVersion`), it asks for the newest: at once, and once.
   *
   * @throws what the request rejects with; then nothing was pushed, and the last version is as it was
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.list
   */
  async list(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.list', 'Level 4');
  }

  /**
   * Takes a stream in until it ends. Each event becomes a delta (`ADDED` → `Added`, `MODIFIED` → `Updated`, `DELETED` → `Deleted`,
   * `BOOKMARK` → `Bookmark`), and its version is remembered. An event of another `kind` than the resource's is passed over; so is
   * its version.
   *
   * After an abort no event is taken.
   *
   * @returns how many events were taken
   * @throws StatusError that the server reports in an `ERROR` event
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go handleAnyWatch
   */
  async handleEvents(events: AsyncIterable<WatchEvent<T>>, signal: AbortSignal): Promise<number> {
    return todo(KATA, 'Reflector.handleEvents', 'Level 5');
  }

  /**
   * Watches from the last version. When a stream ends, it opens the next one at once, from the version that was reached.
   *
   * | what happens, before the stream or in it | |
   * |---|---|
   * | busy (`isTooManyRequests`) or not there (`isConnectionRefused`) | waits, and opens the next stream |
   * | a stream ends within a second and brought no event | throws an Error: to go on would be a flood of requests |
   * | any other failure | throws it |
   *
   * `sleepBeforeRetry(error, backoffMs, clock, signal)` waits. It knows how long the server asks for.
   *
   * @param begun a stream that is open already and is taken in first; absent: none
   * @returns when it is aborted
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.watch
   */
  async watch(signal: AbortSignal, begun?: AsyncIterable<WatchEvent<T>>): Promise<void> {
    todo(KATA, 'Reflector.watch', 'Level 5');
  }

  /**
   * Takes in what a streaming list begins with, up to the bookmark that ends it (`isInitialEventsEnd`). What follows that bookmark
   * stays in the stream. Events of another `kind` are passed over.
   *
   * `ADDED` a, `ADDED` b, `DELETED` a, the bookmark at version 7: a list of b at version 7.
   *
   * @returns the list; `undefined` if the stream ended before that bookmark: half of a list is worth nothing
   * @throws StatusError that the server reports in an `ERROR` event; an Error if the stream ended within a second and brought no event
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go handleListWatch
   */
  async initialEvents(events: AsyncIterator<WatchEvent<T>>): Promise<ReplacedAll<T> | undefined> {
    return todo(KATA, 'Reflector.initialEvents', 'Level 6');
  }

  /**
   * Opens a streaming list, pushes one `ReplacedAll`, remembers its version, and hands the open stream on. It asks for the last
   * version or a newer one, or for the newest (`''`) if there is none or it is unavailable.
   *
   * | what happens, before the stream or in it | |
   * |---|---|
   * | busy (`isTooManyRequests`) or not there (`isConnectionRefused`) | waits, and asks again |
   * | the version is not there (`isExpired`, `isTooLargeResourceVersion`), and it had asked for one | asks for the newest, at once |
   * | the stream ended before the list was whole | asks again, at once |
   * | any other failure | throws it |
   *
   * @returns the events that follow the list; `undefined` when it is aborted
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.watchList
   */
  async watchList(signal: AbortSignal): Promise<AsyncIterable<WatchEvent<T>> | undefined> {
    return todo(KATA, 'Reflector.watchList', 'Level 6');
  }

  /**
   * Gets what there is, then watches. The first state comes by {@link watchList}; if that throws, by {@link list}. After a streaming
   * list, the watch goes on with its stream.
   *
   * @throws what {@link list} and {@link watch} throw
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.ListAndWatchWithContext
   */
  async listAndWatch(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.listAndWatch', 'Level 7');
  }

  /**
   * Lists and watches, again and again, with a wait before each new try, until it is aborted. It never rejects.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.RunWithContext
   */
  async run(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.run', 'Level 7');
  }
}

/**
 * How long to wait before the next try.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go NewReflectorWithOptions, which sets the numbers
 */
export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * 800 ms, then twice as long each time, up to 30 s. Each is stretched by a random factor from 1 to 2: clients that lost the same
   * server must not come back at the same instant. If it was not asked for more than two minutes, it begins again at 800 ms.
   *
   * Bases: 800, 1,600, 3,200, 6,400, 12,800, 25,600, 30,000, 30,000.
   *
   * @returns the next wait, in ms
   */
  nextMs(): number {
    return todo(KATA, 'Backoff.nextMs', 'Level 7');
  }
}

// Level 8 · The informer

/**
 * Keeps a cache of a resource and tells handlers of every change, each handler at its own pace.
 *
 * Written already: the cache, the queue, the reflector and the timer for resyncs are made and connected, and a
 * handler can be removed.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go sharedIndexInformer
 */
export class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {
  readonly indexer: Indexer<T>;
  readonly #options: InformerOptions<T>;
  readonly #queue = new RealFIFO<T>();
  readonly #listeners = new Set<ProcessorListener<T>>();
  readonly #reflector: Reflector<T>;
  readonly #resyncTimer: ResyncTimer;

  constructor(options: InformerOptions<T>) {
    const { clock, random, indexers = {}, resyncPeriodMs = 0 } = options;
    const backoff = new Backoff(clock, random);
    this.#options = options;
    this.indexer = new Indexer(indexers, (indexFunc) => new Index(indexFunc));
    this.#reflector = new Reflector<T>({
      ...options,
      listerWatcher: new ListerWatcher(options),
      queue: this.#queue,
      nextBackoffMs: () => backoff.nextMs(),
    });
    this.#resyncTimer = new ResyncTimer({
      clock,
      periodMs: resyncPeriodMs,
      // Every listener is asked: each keeps its answer.
      shouldResync: () => [...this.#listeners].filter((each) => each.shouldResync(clock.now())).length > 0,
      resync: () => this.#queue.push({ type: 'SyncAll' }),
    });
  }

  hasSynced(): boolean {
    return this.#queue.hasSynced();
  }

  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion;
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    const listener = registration as ProcessorListener<T>;
    this.#listeners.delete(listener);
    listener.stop();
  }

  /**
   * Adds a handler, before the start or later. First it is told of all that is in the cache, as adds in the initial list; then of
   * what happens. A `ProcessorListener` has a queue of its own and tells the handler one thing after another, so that no handler
   * waits for another; it is the registration. `this.#resyncTimer.join(requestedMs)` gives the period that the handler gets.
   *
   * @param options.resyncPeriodMs tell it again of everything that often, in ms; absent: never
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go AddEventHandlerWithOptions
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    return todo(KATA, 'SharedIndexInformer.addEventHandler', 'Level 8');
  }

  /**
   * Runs the listeners, the timer, the reflector, and the loop that empties the queue into the cache and tells the handlers,
   * until it is aborted. After that there is no request, no event is taken and no handler is called. It does not wait for a handler
   * that is at work.
   *
   * @throws Error if it was run before
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go sharedIndexInformer.RunWithContext
   */
  async run(signal: AbortSignal): Promise<void> {
    todo(KATA, 'SharedIndexInformer.run', 'Level 8');
  }

  /**
   * Hands a notification to the handlers, and waits for none. An update whose two resourceVersions are equal says nothing new. It
   * goes only to the handlers that are being told of everything again (`isSyncing`).
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go sharedProcessor.distribute
   */
  distribute(notification: Notification<T>): void {
    todo(KATA, 'SharedIndexInformer.distribute', 'Level 8');
  }
}

/** Makes an informer: what the rest of a cluster knows of this kata. */
export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
