/**
 * Kata 12 · The store. Read README.md beside this file, then begin at the top: Level 1 is one counter.
 *
 * Levels 1 to 6 are etcd: `newKeyValueStore` connects them. Levels 7 to 10 are the storage of an apiserver on it:
 * `newObjectStore` connects them. For your own design, write only these two; their contracts are in
 * `harness/contracts/store/`.
 *
 * This is the only file that you edit. Objects are shared and frozen: copy before you change.
 */
import {
  Condition,
  type Entry,
  firstFrom,
  followStore,
  type KeyEvent,
  type KeyRange,
  type KeyValue,
  type KeyValueStore,
  type KeyValueStoreContext,
  type KeyWatch,
  type KeyWatchQueue,
  type KeyWatchRequest,
  type LogFile,
  listOf,
  type NewKeyValueStore,
  type NewObjectStore,
  ObjectErrors,
  type ObjectListOptions,
  type ObjectPlace,
  ObjectSource,
  type ObjectStoreContext,
  type ObjectWatchOptions,
  type Page,
  type RangeRequest,
  type RangeResult,
  rangeIn,
  type Snapshot,
  SortedMap,
  StoreError,
  type StoreLease,
  type StorePreconditions,
  seal,
  type Transaction,
  type TransactionResult,
  type Wanted,
  type WatchQueue,
  type WatchResponse,
} from '#given/12-store';
import { type KubeObject, type List, todo, type Watch, type WatchEvent } from '#harness';

const KATA = '12-store';

/** A write of a key: a put, or a delete if it has no value. Given. */
export interface Change {
  readonly key: string;
  readonly value?: string;
  readonly lease?: string;
}

/** The keys and their history, in memory. No method waits, so each one is a single step. */
export class Keyspace {
  /** The counter of the store. */
  revision = 1;
  /** The revision of the last compaction; 0 before the first. */
  compactedRevision = 0;
  /** The present state of each key: `get`, `set`, `delete`, and `within` for a range. */
  readonly present = new SortedMap<KeyValue>();
  /** The remembered changes, oldest first. */
  history: KeyEvent[] = [];
  /** The leases that exist, by id. */
  readonly leases = new Map<string, StoreLease>();

  // Level 1 · One counter

  /**
   * Writes changes: to `present`, to `history`, and to the counter. All of them have the same revision. The caller
   * passes each key once.
   *
   * The delete of a missing key changes nothing. If nothing changes, the counter stays. Otherwise the counter is
   * `revision` afterwards.
   *
   * @example
   * // revision 1; put a: { key: 'a', createRevision: 2, modRevision: 2, version: 1 }
   * // revision 2; put a: { key: 'a', createRevision: 2, modRevision: 3, version: 2 }
   * // revision 3; delete a: the event is { type: 'DELETE', kv: { key: 'a', modRevision: 4 }, previous: … }
   * // revision 4; put a: { key: 'a', createRevision: 5, modRevision: 5, version: 1 }
   *
   * @param revision - of the changes. A transaction calls `write` for each of its operations, always with the same
   * revision
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnWrite.put, delete
   */
  write(changes: readonly Change[], revision = this.revision + 1): void {
    todo(KATA, 'Keyspace.write', 'Level 1');
  }

  // Level 2 · All or nothing

  /**
   * Runs a transaction: `then` if all conditions hold, otherwise `otherwise`. `holds` evaluates a condition. A condition
   * sees the state before the transaction; an operation sees the operations before it.
   *
   * A transaction that throws has changed nothing. The revision of a range must exist before the transaction: its own
   * revision is in the future.
   *
   * `results` has an item for each operation that ran: `{ put: {} }`, `{ deleted: 2 }` or `{ range: … }`, the answer of
   * {@link range}.
   *
   * @returns the answer, and its `changes` for the log: all writes, in order, without deletes of missing keys
   * @throws StoreError `DuplicateKey` when either list writes a key twice (`writesTwice`). About the operations that would
   * run: `LeaseNotFound` for a put with an unknown lease; the errors of {@link mustRemember} for a range
   * @see Upstream: etcd-io/etcd@v3.6.0 server/etcdserver/txn/txn.go Txn
   */
  transact({ compare = [], then, otherwise = [] }: Transaction): TransactionResult & {
    readonly changes: readonly Change[];
  } {
    return todo(KATA, 'Keyspace.transact', 'Level 2');
  }

  // Level 3 · Ranges

  /**
   * Reads a range: the present, or the state at a revision ({@link at}).
   *
   * @example
   * // p/a, p/b and p/c exist: range p/ with the limit 2 returns p/a and p/b, count 3, and more
   *
   * @throws StoreError FutureRevision, Compacted: see {@link mustRemember}
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore_txn.go storeTxnCommon.rangeKeys
   */
  range({ revision, limit, ...range }: RangeRequest): RangeResult {
    return todo(KATA, 'Keyspace.range', 'Level 3');
  }

  /** Checks a revision. Given. @throws StoreError FutureRevision, Compacted */
  mustRemember(revision = this.revision): void {
    if (revision > this.revision) throw new StoreError('FutureRevision');
    if (revision < this.compactedRevision) throw new StoreError('Compacted');
  }

  // Level 4 · The past

  /**
   * Returns a range as it was at a remembered revision, in the order of the keys.
   *
   * @example
   * // put a (2), put b (3), delete a (4), put b again (5): at 3 the range has a of revision 2 and b of revision 3
   *
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/index.go treeIndex.Range
   */
  at(revision: number, range: KeyRange): readonly KeyValue[] {
    return todo(KATA, 'Keyspace.at', 'Level 4');
  }

  /**
   * Forgets the changes before a revision. The changes at this revision stay: a watch can start there. But they lose
   * their `previous`. The present stays, whenever it was written.
   *
   * @throws StoreError `Compacted` at or below the last compaction; `FutureRevision`
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/kvstore.go store.Compact
   */
  compact(revision: number): void {
    todo(KATA, 'Keyspace.compact', 'Level 4');
  }

  /** Returns the remembered events at and after a revision, oldest first. Given. */
  eventsFrom(revision: number): KeyEvent[] {
    return this.history.slice(firstFrom(this.history, revision));
  }
}

// Level 5 · Watches

/** An open watch. Given. */
export interface OpenWatch {
  readonly request: KeyWatchRequest;
  readonly stream: KeyWatchQueue;
  /** All changes before this revision have been sent. */
  next: number;
}

/** All open watches of a store. */
export class Watches {
  readonly #space: Keyspace;
  readonly #safe: () => Promise<void>;
  readonly #open = new Set<OpenWatch>();
  /** The last revision that is on disk: watches may see it. The keyspace can be ahead. */
  visible: number;

  /** @param safe - resolves when all steps of the store until now are on disk */
  constructor(space: Keyspace, safe: () => Promise<void>) {
    this.#space = space;
    this.#safe = safe;
    this.visible = space.revision;
  }

  /**
   * Opens a watch, and sends it the visible changes. Without a start it begins after `visible`. A start can be in the
   * future. A start below the compaction is refused: {@link refuse}.
   *
   * `new KeyWatchQueue(onStop, onProgress)` is the stream. Each open watch is in `#open`, until it ends. A request for
   * progress gets a message with `visible` and without events, at once.
   *
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/watchable_store.go watchableStore.watch
   */
  open(request: KeyWatchRequest): KeyWatch {
    return todo(KATA, 'Watches.open', 'Level 5');
  }

  /**
   * Sends a watch its changes from `next` up to `visible`, and moves `next`. Each revision is one message (`groupByRevision`),
   * which also has the revision `visible`.
   *
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/mvcc/watchable_store.go watchableStore.notify, syncWatchers
   */
  send(watch: OpenWatch): void {
    todo(KATA, 'Watches.send', 'Level 5');
  }

  /** Ends a watch: its start is compacted. Given. */
  async refuse(watch: OpenWatch): Promise<void> {
    const { stream } = watch;
    const { compactedRevision } = this.#space;
    watch.next = Number.POSITIVE_INFINITY;
    // It promises nothing any more.
    stream.requestProgress = () => {};
    await this.#safe();
    stream.push({ revision: this.visible, events: [], compactRevision: compactedRevision });
    stream.end();
  }

  /** Shows a revision to all watches. Given. */
  advance(revision: number): void {
    this.visible = revision;
    for (const watch of this.#open) this.send(watch);
  }

  /** Ends all streams. Given. */
  end(): void {
    for (const { stream } of this.#open) stream.end();
  }
}

// Level 6 · A log on a disk

/** The records of a store, on their way to the disk. */
export class Journal<R> {
  readonly #log: LogFile;
  readonly #onFlush: () => () => void;
  /** The lines that are not in the log yet. */
  #text = '';
  /** The number of records, and of records on disk. */
  #added = 0;
  #flushed = 0;

  /** @param onFlush - called when a flush begins. It returns a function to call when all of it is on disk */
  constructor(log: LogFile, onFlush: () => () => void) {
    this.#log = log;
    this.#onFlush = onFlush;
  }

  /** Adds a record. Given. */
  add(record: R): void {
    this.#text += seal(JSON.stringify(record));
    this.#added++;
  }

  /**
   * Resolves when all records that were added before the call are on disk. A *flush* appends `#text` to the log, and
   * syncs it. Only one flush runs at a time: calls that come meanwhile share the next one.
   *
   * Call `#onFlush` when a flush begins, and the returned function when it ends. If the log fails, `safe` rejects from
   * then on: the memory is ahead of the disk.
   *
   * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/wal/wal.go WAL.Save
   */
  async safe(): Promise<void> {
    todo(KATA, 'Journal.safe', 'Level 6');
  }
}

/**
 * Reads a log after a crash. Calls `replay` with each record, in order, up to the first line that is incomplete or torn:
 * `unseal` returns undefined for it. It and everything after it was never answered.
 *
 * In the end, the log has the replayed records and nothing else, and they are safe: the crashed process may not have
 * synced them. `truncate` cuts, and syncs.
 *
 * @see Upstream: etcd-io/etcd@v3.6.0 server/storage/wal/wal.go WAL.ReadAll; server/storage/wal/repair.go Repair
 */
export async function recover<R>(log: LogFile, replay: (record: R) => void): Promise<void> {
  todo(KATA, 'recover', 'Level 6');
}

/** A record of the log: one step of the store. Given. */
export type LogRecord =
  | { readonly changes: readonly Change[] }
  | { readonly compact: number }
  | { readonly grant: StoreLease }
  | { readonly revoke: string };

/** Opens a store. Given: it connects your parts. */
export const newKeyValueStore: NewKeyValueStore = async ({ clock, log, signal }) => {
  const space = new Keyspace();
  let granted = 0;
  const perform = (record: LogRecord): void => {
    if ('changes' in record) space.write(record.changes);
    else if ('compact' in record) space.compact(record.compact);
    else if ('revoke' in record) revokeLease(space, record.revoke);
    else {
      space.leases.set(record.grant.id, record.grant);
      granted++;
    }
  };
  await recover(log, perform);

  const journal = new Journal<LogRecord>(log, () => {
    const { revision } = space;
    return () => {
      if (!signal.aborted) watches.advance(revision);
    };
  });
  const watches = new Watches(space, () => journal.safe());
  signal.addEventListener('abort', () => watches.end(), { once: true });

  const write = (record: LogRecord): void => {
    perform(record);
    journal.add(record);
  };
  /** Answers when everything that the answer can depend on is on disk; after a crash never. */
  const answer = async <T>(act: () => T): Promise<T> => {
    if (signal.aborted) return new Promise(() => {});
    try {
      return act();
    } finally {
      await journal.safe();
      if (signal.aborted) await new Promise(() => {});
    }
  };
  const start = (lease: StoreLease): void =>
    startLease(space, lease, { clock, signal }, () => void answer(() => write({ revoke: lease.id })));
  for (const lease of space.leases.values()) start(lease);
  return {
    range: (request) => answer(() => space.range(request)),
    transact: (transaction) =>
      answer(() => {
        const { changes, ...result } = space.transact(transaction);
        if (changes.length > 0) journal.add({ changes });
        return result;
      }),
    compact: async (revision) => {
      const known = space.revision;
      // Watches must have the changes that a compaction forgets.
      await journal.safe();
      return answer(() => {
        if (revision > known) throw new StoreError('FutureRevision');
        write({ compact: revision });
      });
    },
    watch: (request) => {
      const watch = watches.open(request);
      if (signal.aborted) watch.stop();
      return watch;
    },
    grantLease: (seconds) =>
      answer(() => {
        const lease = { id: String(granted + 1), seconds };
        start(lease);
        write({ grant: lease });
        return lease;
      }),
    revokeLease: (id) => answer(() => write({ revoke: id })),
  };
};

// Level 7 · Objects

/** Writes objects. */
export class ObjectWriter {
  readonly #store: KeyValueStore;
  readonly #prefix: string;
  readonly #errors: ObjectErrors;

  constructor(context: Pick<ObjectStoreContext, 'store' | 'resource' | 'prefix'>) {
    this.#store = context.store;
    this.#prefix = context.prefix;
    this.#errors = new ObjectErrors(context);
  }

  /**
   * Stores an object, unless its key exists. Returns it as it is stored. `keyIn` has the key, `encode` and `decode` the
   * value, `#errors` the errors.
   *
   * @throws StatusError AlreadyExists; BadRequest without a namespace: `keyIn` refuses an empty one
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.Create
   */
  async create(object: KubeObject): Promise<KubeObject> {
    return todo(KATA, 'ObjectWriter.create', 'Level 7');
  }

  /**
   * Changes or removes an object. If another client writes it between the read and the write, nothing is written, and
   * `change` decides again, about the new state.
   *
   * Each attempt checks the preconditions (`#errors.mustFulfil`) before it calls `change`. They are about the state that
   * is replaced. Then, if nothing changes (`isSameState`), nothing is written.
   *
   * @example
   * // stored at 7: { count: 1 }, and change adds 1. Meanwhile { count: 5 } was written at 8.
   * // change is called with 1, then with 5. It returns { count: 6 } at 9
   *
   * @param change - returns the new state, or undefined to remove the object
   * @returns the new state as it is stored; the last state, at the revision of the removal
   * @throws StatusError NotFound; Conflict when a precondition fails; each error of `change`
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GuaranteedUpdate, conditionalDelete
   */
  async write(
    place: ObjectPlace,
    change: (current: KubeObject) => KubeObject | undefined,
    preconditions: StorePreconditions = {},
  ): Promise<KubeObject> {
    return todo(KATA, 'ObjectWriter.write', 'Level 7');
  }
}

// Level 8 · Lists and pages

/**
 * Returns the first page of some objects: at most `limit` matching ones. 0 means no limit.
 *
 * If it did not look at all objects, `next` is the key at which the next page begins, without the prefix: the key of the
 * last object that it looked at, and a NUL. Without `matches`, `remaining` is the number of the others.
 *
 * @example
 * // a, b, c below /registry/configmaps/ns/, and limit 2: items a and b, next 'b\0', remaining 1
 *
 * @param entries - in the order of their keys
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store.GetList
 */
export function pageOf(
  entries: readonly Entry[],
  prefix: string,
  { matches, limit = 0 }: Pick<ObjectListOptions, 'matches' | 'limit'>,
): Omit<Page, 'revision'> {
  return todo(KATA, 'pageOf', 'Level 8');
}

/**
 * Returns the state that a list asks for.
 *
 * | `resourceVersion` | without a match | `NotOlderThan` | `Exact` |
 * |---|---|---|---|
 * | absent | newest | | |
 * | `0` | any | any | |
 * | N | not older than N; with a limit: exact | not older than N | exact |
 *
 * A continue token (`decodeContinue`) wants exactly the state of its first page, from its start on. With a negative
 * revision it wants the newest.
 *
 * @throws StatusError BadRequest `specifying resource version is not allowed when using continue`, unless it is `0`.
 * `invalid resource version: WHY`: `parseResourceVersion(text, refuse)` has the reason
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator/interface.go ShouldDelegateList
 */
export function wantedBy(options: ObjectListOptions): Wanted {
  return todo(KATA, 'wantedBy', 'Level 8');
}

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

/** A watch of the cache. Given. */
interface Watcher {
  readonly matches: (object: KubeObject) => boolean;
  readonly stream: WatchQueue;
  /** Its changes begin after this revision. */
  readonly after: number;
}

/**
 * Returns the event of a change, for a watch that selects objects. For this watch, an object that enters the selection is
 * new, and an object that leaves it is deleted.
 *
 * @returns undefined for an object outside. DELETED has the last selected state, at the revision of the change
 * (`atRevision`)
 * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cache_watcher.go cacheWatcher.convertToWatchEvent
 */
export function eventFor(
  matches: (object: KubeObject) => boolean,
  { revision, object, previous }: ObjectChange,
): WatchEvent | undefined {
  return todo(KATA, 'eventFor', 'Level 9');
}

/** A copy of the objects at a position of the store, their last changes, and the watches of them. */
export class WatchCache {
  /** The last revision that the cache has seen; -1 before the first list. */
  position = -1;
  /** Watches can start at this revision, or later. */
  oldest = 0;
  /** Asks the store for progress. Given. */
  requestProgress: () => void = () => {};
  readonly #objects = new SortedMap<Entry>();
  #changes: ObjectChange[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #moved = new Condition();

  /**
   * Replaces everything by a list of the store. The changes since the old position are unknown. So every watch ends, and
   * none can start before the list.
   *
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.Replace
   */
  replace(kvs: readonly KeyValue[], revision: number): void {
    todo(KATA, 'WatchCache.replace', 'Level 9');
  }

  /**
   * Takes a message of the store's watch. Each change updates the objects, is remembered and goes to each watch. The cache
   * remembers at most {@link CHANGES_KEPT} changes; when it forgets one, `oldest` moves.
   *
   * Then the position moves ({@link moveTo}). A message without events promises that everything up to its revision has
   * come. A message with events promises only their revision.
   *
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.processEvent
   */
  apply({ events, revision }: WatchResponse): void {
    todo(KATA, 'WatchCache.apply', 'Level 9');
  }

  /**
   * Starts a watch of all changes after a revision, remembered and future ones. The revision can be in the future. The
   * stream is a `WatchQueue(onStop)`; an ended watch leaves `#watchers`.
   *
   * @throws StatusError Expired before `oldest`: `errors.tooOldResourceVersion(after, oldest)`
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch
   */
  watch(after: number, matches: (object: KubeObject) => boolean): WatchQueue {
    return todo(KATA, 'WatchCache.watch', 'Level 9');
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

  /** Ends all watches. Given. */
  endWatches(): void {
    for (const { stream } of this.#watchers) stream.end();
  }

  // Level 10 · Which state

  /**
   * Resolves as soon as the cache has reached a revision. Writes of other resources move the counter, too. So ask the store
   * for progress, at once and then every {@link PROGRESS_EVERY_MS}.
   *
   * `#moved.wait(clock, ms)` resolves when the position moves, or after `ms`.
   *
   * @throws StatusError Timeout after exactly {@link FRESH_WITHIN_MS}: `errors.tooLargeResourceVersion(revision,
   * position)`
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/watch_cache.go watchCache.waitUntilFreshAndBlock
   */
  async reached(revision: number, clock: ObjectStoreContext['clock']): Promise<void> {
    todo(KATA, 'WatchCache.reached', 'Level 10');
  }
}

/**
 * Reads from the store or from the cache. Its base class has `context`, `cache`, and the reads that decide nothing: `get`,
 * `fromStore`, `newest` and `reached`.
 */
export class ObjectReader extends ObjectSource<WatchCache> {
  /**
   * Returns a list. Given: it connects {@link wantedBy} with {@link pageOf}.
   *
   * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList
   */
  async list(options: ObjectListOptions): Promise<List<KubeObject>> {
    const range = rangeIn(this.context.prefix, options.namespace);
    const wanted = wantedBy(options);
    const isExact = wanted.state === 'exact';
    const { revision, entries } = await (isExact
      ? this.fromStore(range, wanted)
      : this.fromCache(range, wanted));
    // A cache that may answer with any state answers with all of it.
    const limit = wanted.state === 'any' ? 0 : (options.limit ?? 0);
    const page = pageOf(entries, range.key, { ...options, limit });
    return listOf(this.context.resource, { ...page, revision });
  }

  /**
   * Reads a range of the cache, from `wanted.start` on.
   *
   * | state | waits until the cache has reached |
   * |---|---|
   * | `any` | its first list: revision 0 |
   * | `notOlderThan` | the revision |
   * | `newest` | the revision that the store has now: {@link newest} |
   *
   * If the cache is too late for the newest state (`isTooLargeResourceVersion`), the store has it.
   *
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/delegator.go CacheDelegator.GetList
   */
  async fromCache({ key, end }: Required<KeyRange>, wanted: Wanted): Promise<Snapshot> {
    return todo(KATA, 'ObjectReader.fromCache', 'Level 10');
  }

  /**
   * Watches objects. With `sendInitialEvents`, the stream begins with the state: an ADDED event for each object. Then
   * come all changes after the state. The default is true without a `resourceVersion`, and with `0`.
   *
   * | `resourceVersion` | with the state | only changes |
   * |---|---|---|
   * | absent | the newest | after the newest |
   * | `0` | any in the cache | after the position of the cache |
   * | N | not older than N | after N |
   *
   * In any case, the cache must have its first list. If the client has set `sendInitialEvents` and allows bookmarks,
   * `bookmarkOf(resource, revision, true)` follows the state.
   *
   * @throws StatusError Expired, Timeout
   * @see Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/cacher/cacher.go Cacher.Watch
   */
  async watch(options: ObjectWatchOptions): Promise<Watch<KubeObject>> {
    return todo(KATA, 'ObjectReader.watch', 'Level 10');
  }
}

/** Opens the objects of a resource. Given: it connects your parts. */
export const newObjectStore: NewObjectStore = (context) => {
  const cache = new WatchCache();
  const writer = new ObjectWriter(context);
  const reader = new ObjectReader(context, cache);
  void followStore(context, cache);
  return {
    create: (object) => writer.create(object),
    update: (place, change, preconditions) => writer.write(place, change, preconditions),
    delete: (place, preconditions) => writer.write(place, () => undefined, preconditions),
    get: (place, options = {}) => reader.get(place, options),
    list: (options = {}) => reader.list(options),
    watch: (options = {}) => reader.watch(options),
  };
};

// Level 11 ★ · Leases

/**
 * Ends a lease, and deletes its keys in one revision. A key belongs to the lease of its last write.
 *
 * @throws StoreError LeaseNotFound
 * @see Upstream: etcd-io/etcd@v3.6.0 server/lease/lessor.go lessor.Revoke
 */
export function revokeLease(space: Keyspace, id: string): void {
  todo(KATA, 'revokeLease', 'Level 11');
}

/**
 * Starts the time of a lease: calls `expire` after its seconds, if the lease still exists then. After a restart of the
 * store the time starts again. Nothing is called after `signal` aborts.
 *
 * @see Upstream: etcd-io/etcd@v3.6.0 server/lease/lessor.go lessor.Promote
 */
export function startLease(
  space: Keyspace,
  { id, seconds }: StoreLease,
  { clock, signal }: Pick<KeyValueStoreContext, 'clock' | 'signal'>,
  expire: () => void,
): void {
  todo(KATA, 'startLease', 'Level 11');
}
