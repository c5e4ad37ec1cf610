/**
 * Kata 21 · The informer. Read README.md beside this file, then begin at the top: Level 1 is an index.
 *
 * From the inside out: an {@link Index} finds objects by a value that they share. A {@link RealFIFO} queues events, and
 * {@link processDelta} moves them into the cache. A {@link Reflector} lists and watches, and fills the queue. A
 * {@link SharedIndexInformer} connects the parts and notifies the handlers.
 *
 * For your own design, write only {@link createInformer}, in any shape. Its contract is in the comments of
 * `SharedInformer` and `InformerOptions`, and the laws decide.
 *
 * This is the only file that you edit. Objects that come from a client or a cache are shared and frozen.
 */
import {
  type CacheIndex,
  type Delta,
  Indexer,
  ListerWatcher,
  type Notification,
  type ProcessorListener,
  type ReplacedAll,
  ResyncTimer,
} from '#given/21-informer';
import {
  type Clock,
  type IndexFunc,
  type InformerOptions,
  type KubeObject,
  type NewInformer,
  type Random,
  type Resource,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type SharedInformer,
  todo,
  type WatchEvent,
} from '#harness';

const KATA = '21-informer';

// Level 1 · An index

/**
 * The keys of objects, by a value of the objects. `indexFunc` returns the values of an object: none, one or several. At
 * any time, the index has exactly the existing objects, under their current values.
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
   * Updates the index after the object of `key` changed from `previous` to `current`. `undefined` means that the object
   * did not exist, or no longer exists.
   *
   * A value that no object has any more must not use memory: otherwise an index by uid would grow without limit.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/thread_safe_store.go storeIndex.updateSingleIndex
   */
  update(key: string, previous: T | undefined, current: T | undefined): void {
    todo(KATA, 'Index.update', 'Level 1');
  }

  /** @returns the keys of the objects with this value, each once, in any order, in a new array */
  keys(value: string): readonly string[] {
    return todo(KATA, 'Index.keys', 'Level 1');
  }
}

// Level 2 · The queue

/**
 * A queue of single deltas, in the order of their arrival. It never merges or drops a delta: two changes of one object
 * are two deltas.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO
 */
export class RealFIFO<T> {
  /** Adds a delta at the end of the queue, and wakes a waiting {@link pop}. */
  push(delta: Delta<T>): void {
    todo(KATA, 'RealFIFO.push', 'Level 2');
  }

  /**
   * Returns whether the first list has been processed. At first it is false. If a `ReplacedAll` arrives first, it
   * becomes true when that list has been popped *and processed*, even if the list is empty. If an `Added`, `Updated` or
   * `Deleted` arrives first, it is true at once. `SyncAll` and `Bookmark` change nothing. Once true, it stays true.
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
   * Removes the first delta from the queue, calls `process` with it, and returns it. It waits while the queue is empty.
   * At most one `pop` waits at a time.
   *
   * @param process its second argument is whether the delta belongs to the first list: true if the queue had not
   * synced. If `process` throws, `pop` throws that error; the delta is off the queue and counts as processed
   * @returns the delta; `undefined` when the queue is closed and empty
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO.Pop
   */
  async pop(process: (delta: Delta<T>, isInInitialList: boolean) => void): Promise<Delta<T> | undefined> {
    return todo(KATA, 'RealFIFO.pop', 'Level 2');
  }

  /**
   * Ends waiting: from now on, a {@link pop} of an empty queue returns `undefined`, and so does a waiting {@link pop}.
   * Queued deltas can still be popped.
   */
  close(): void {
    todo(KATA, 'RealFIFO.close', 'Level 2');
  }
}

// Level 3 · From the queue into the cache

/**
 * Applies a delta to the cache, and returns the notifications for the handlers, in order. It notifies no handler
 * itself.
 *
 * | delta | the cache | notifications |
 * |---|---|---|
 * | `Added` or `Updated` | stores the object | an `update` if the cache had an object of that key, otherwise an `add`, for either type |
 * | `Deleted` | removes it | a `delete` with the delta's object, even if the cache had none |
 * | `ReplacedAll` | see {@link replaceAll} | |
 * | `SyncAll` | does not change | for each object an `update` from itself to itself |
 * | `Bookmark` | stores the version | none |
 *
 * @param isInInitialList the `isInInitialList` of each `add`
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
 * Replaces the content of the cache with a list, in one step.
 *
 * Cached objects that are not in the list were deleted while no watch was open. Each of them gets a `delete` with a
 * tombstone: a `DeletedFinalStateUnknown` of the key and the last known object. The deletions come first. Then each
 * object of the list gets an `update` or an `add`, in the order of the list. An object of the same name with another
 * `uid` gets an `update`.
 *
 * The cache has a and b, the list has b and c: delete a (tombstone), update b, add c. `metaNamespaceKeyFunc` returns
 * the key of an object.
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

/** Options of a {@link Reflector}. */
export interface ReflectorOptions<T extends KubeObject> {
  /** Makes the requests. */
  readonly listerWatcher: Pick<ListerWatcher<T>, 'list' | 'watch' | 'watchList'>;
  readonly resource: Resource<T>;
  /** Receives the deltas. */
  readonly queue: { push(delta: Delta<T>): void };
  readonly clock: Clock;
  /** Returns the wait before the next try, in ms. Call it once for each wait. */
  readonly nextBackoffMs: () => number;
  /** Receives each error that makes {@link Reflector.run} start over, except 410, which is usual. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Fills a queue with the objects of a resource, and with their changes.
 *
 * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector
 */
export class Reflector<T extends KubeObject> {
  /** The version up to which everything has arrived; `''` before the first list. The tests read it. */
  lastSyncResourceVersion = '';
  /**
   * Whether the server has reported that it does not have {@link lastSyncResourceVersion}; a successful list resets it.
   */
  isLastSyncResourceVersionUnavailable = false;
  readonly #options: ReflectorOptions<T>;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /**
   * Returns the version for the next list.
   *
   * @returns `''` (the newest) if the last version is unavailable; otherwise the last version; `'0'` (any that the
   * server has cached) if there is none yet
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.relistResourceVersion
   */
  relistResourceVersion(): string {
    return todo(KATA, 'Reflector.relistResourceVersion', 'Level 4');
  }

  /**
   * Lists, pushes one `ReplacedAll`, and stores the version of the list. If the server does not have the requested
   * version any more (`isExpired`) or yet (`isTooLargeResourceVersion`), it requests the newest, at once and once.
   *
   * @throws the error of the request; then nothing was pushed, and the last version is unchanged
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.list
   */
  async list(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.list', 'Level 4');
  }

  /**
   * Reads a stream until it ends. Pushes each event as a delta (`ADDED` → `Added`, `MODIFIED` → `Updated`, `DELETED` →
   * `Deleted`, `BOOKMARK` → `Bookmark`), and stores its version. Skips an event whose `kind` differs from the
   * resource's, and its version.
   *
   * After an abort it takes no event.
   *
   * @returns the number of events taken
   * @throws StatusError of an `ERROR` event
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go handleAnyWatch
   */
  async handleEvents(events: AsyncIterable<WatchEvent<T>>, signal: AbortSignal): Promise<number> {
    return todo(KATA, 'Reflector.handleEvents', 'Level 5');
  }

  /**
   * Watches from the last version. When a stream ends, it opens the next one at once, from the version reached.
   *
   * | before the stream or in it | |
   * |---|---|
   * | server busy (`isTooManyRequests`) or absent (`isConnectionRefused`) | waits, and opens the next stream |
   * | a stream ends within a second without an event | throws an Error: otherwise it would flood the server with requests |
   * | any other failure | throws its error |
   *
   * `sleepBeforeRetry(error, backoffMs, clock, signal)` waits, at least as long as the server requests (Retry-After).
   *
   * @param begun a stream that is already open, to read first. @defaultValue none
   * @returns after an abort
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.watch
   */
  async watch(signal: AbortSignal, begun?: AsyncIterable<WatchEvent<T>>): Promise<void> {
    todo(KATA, 'Reflector.watch', 'Level 5');
  }

  /**
   * Reads the initial events of a streaming list, up to the bookmark that ends them (`isInitialEventsEnd`). Later
   * events stay in the stream. Skips events of another `kind`.
   *
   * `ADDED` a, `ADDED` b, `DELETED` a, the bookmark at version 7: a list of b at version 7.
   *
   * @returns the list; `undefined` if the stream ended before that bookmark: an incomplete list is useless
   * @throws StatusError of an `ERROR` event; an Error if the stream ended within a second without an event
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go handleListWatch
   */
  async initialEvents(events: AsyncIterator<WatchEvent<T>>): Promise<ReplacedAll<T> | undefined> {
    return todo(KATA, 'Reflector.initialEvents', 'Level 6');
  }

  /**
   * Opens a streaming list, pushes one `ReplacedAll`, stores its version, and returns the open stream. It requests the last
   * version or newer, but the newest (`''`) at first, and while the last version is unavailable.
   *
   * | before the stream or in it | |
   * |---|---|
   * | server busy (`isTooManyRequests`) or absent (`isConnectionRefused`) | waits, and tries again |
   * | server lacks the version (`isExpired`, `isTooLargeResourceVersion`), and the request had one | requests the newest, at once |
   * | the stream ended before the list was complete | tries again, at once |
   * | any other failure | throws its error |
   *
   * @returns the events that follow the list; `undefined` after an abort
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.watchList
   */
  async watchList(signal: AbortSignal): Promise<AsyncIterable<WatchEvent<T>> | undefined> {
    return todo(KATA, 'Reflector.watchList', 'Level 6');
  }

  /**
   * Gets the existing objects, then watches. It calls {@link watchList}, and {@link list} if that throws. After a
   * streaming list, the watch continues with its stream.
   *
   * @throws the error of {@link list} or {@link watch}
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.ListAndWatchWithContext
   */
  async listAndWatch(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.listAndWatch', 'Level 7');
  }

  /**
   * Repeats {@link listAndWatch} until the abort, with a wait before each new try. It never rejects.
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector.RunWithContext
   */
  async run(signal: AbortSignal): Promise<void> {
    todo(KATA, 'Reflector.run', 'Level 7');
  }
}

/**
 * Computes the wait before the next try.
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
   * The base is 800 ms, then twice as long each time, up to 30 s. Each wait is its base times a random factor from 1 to
   * 2: clients that lost the same server must not return at the same instant. After more than two minutes without a
   * call, the base is 800 ms again.
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
 * Keeps a cache of a resource and notifies handlers of every change, each handler at its own pace.
 *
 * Given: the constructor creates and connects the cache, the queue, the reflector and the resync timer; handlers can be
 * removed.
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
      // Call every listener: each remembers its answer.
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
   * Adds a handler, before the start or later. It first gets all cached objects, as adds in the initial list, and then
   * the changes. The registration is a `ProcessorListener`: it has its own queue and sends the handler one notification
   * after another, so that no handler waits for another. `this.#resyncTimer.join(requestedMs)` returns the resync
   * period of the handler.
   *
   * @param options.resyncPeriodMs the period in which the handler gets every object again, in ms. @defaultValue never
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go AddEventHandlerWithOptions
   */
  addEventHandler(
    handler: ResourceEventHandler<T>,
    options: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    return todo(KATA, 'SharedIndexInformer.addEventHandler', 'Level 8');
  }

  /**
   * Runs the listeners, the timer, the reflector, and the loop that empties the queue into the cache and notifies the
   * handlers, until the abort. After the abort it sends no request, takes no event and calls no handler. It does not
   * wait for a busy handler.
   *
   * @throws Error if `run` was called before
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go sharedIndexInformer.RunWithContext
   */
  async run(signal: AbortSignal): Promise<void> {
    todo(KATA, 'SharedIndexInformer.run', 'Level 8');
  }

  /**
   * Passes a notification to the handlers, and waits for none. An update between equal resourceVersions goes only to
   * the handlers that are resyncing (`isSyncing`).
   *
   * @see Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go sharedProcessor.distribute
   */
  distribute(notification: Notification<T>): void {
    todo(KATA, 'SharedIndexInformer.distribute', 'Level 8');
  }
}

/** Creates an informer; the rest of a cluster calls only this function. */
export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
