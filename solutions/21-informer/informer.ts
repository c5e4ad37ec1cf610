/**
 * The informer. From the inside out: an {@link Indexer} is the cache; a {@link DeltaFIFO} is the queue of what
 * happened to each object; a {@link Reflector} lists and watches and fills the queue; a {@link SharedIndexInformer}
 * empties it into the cache and tells the handlers.
 *
 * Upstream: kubernetes/client-go@v0.30.0 tools/cache
 */
import {
  type Client,
  type Clock,
  DeletedFinalStateUnknown,
  type Indexers,
  type IndexReader,
  type InformerOptions,
  isConnectionRefused,
  isExpired,
  isTooLargeResourceVersion,
  isTooManyRequests,
  type KubeObject,
  type List,
  type NewInformer,
  type Random,
  type Resource,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type Selection,
  type SharedInformer,
  StatusError,
  type Watch,
  type WatchEvent,
} from '#harness';

/** Says under which key an object is kept. */
export type KeyFunc<T> = (object: T) => string;

/** `namespace/name`, or `name` for an object without a namespace. */
export function metaNamespaceKeyFunc(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

// Level 1 · The cache

export class Indexer<T> implements IndexReader<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #indexers: Indexers<T>;
  readonly #objects = new Map<string, T>();
  /** By index name and value: the keys of exactly the objects in `#objects` that have that value. */
  readonly #indices: ReadonlyMap<string, Map<string, Set<string>>>;

  constructor(keyFunc: KeyFunc<T>, indexers: Indexers<T> = {}) {
    this.#keyFunc = keyFunc;
    this.#indexers = indexers;
    this.#indices = new Map(Object.keys(indexers).map((name) => [name, new Map()]));
  }

  add(object: T): void {
    this.update(object);
  }

  update(object: T): void {
    const key = this.#keyFunc(object);
    this.#remove(key);
    this.#objects.set(key, object);
    this.#eachIndexed(object, (index, value) => {
      const keys = index.get(value) ?? new Set();
      index.set(value, keys.add(key));
    });
  }

  delete(key: string): void {
    this.#remove(key);
  }

  replace(list: readonly T[]): void {
    for (const key of this.listKeys()) this.#remove(key);
    for (const object of list) this.update(object);
  }

  getByKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): T[] {
    return [...this.#objects.values()];
  }

  listKeys(): string[] {
    return [...this.#objects.keys()];
  }

  byIndex(indexName: string, value: string): T[] {
    return this.indexKeys(indexName, value).map((key) => this.#objects.get(key) as T);
  }

  indexKeys(indexName: string, value: string): string[] {
    const index = this.#indices.get(indexName);
    if (!index) throw new Error(`Failed to look up "${value}": there is no index named "${indexName}".`);
    return [...(index.get(value) ?? [])];
  }

  #remove(key: string): void {
    const object = this.#objects.get(key);
    if (object === undefined) return;
    this.#objects.delete(key);
    this.#eachIndexed(object, (index, value) => {
      const keys = index.get(value);
      keys?.delete(key);
      // A value that nobody has any more would stay for ever, and values such as pod uids never come back.
      if (keys?.size === 0) index.delete(value);
    });
  }

  #eachIndexed(object: T, visit: (index: Map<string, Set<string>>, value: string) => void): void {
    for (const [name, index] of this.#indices) {
      for (const value of this.#indexers[name]?.(object) ?? []) visit(index, value);
    }
  }
}

// Level 2 · What happened, by object

export type DeltaType = 'Added' | 'Updated' | 'Deleted' | 'Replaced' | 'Sync';

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
  /** Call what a list brought `Replaced`; otherwise it is a `Sync`. */
  readonly emitDeltaTypeReplaced?: boolean;
}

export function dedupDeltas<T>(deltas: Deltas<T>): Deltas<T> {
  const [older, newer] = deltas.slice(-2);
  if (older?.type !== 'Deleted' || newer?.type !== 'Deleted') return deltas;
  // A tombstone knows less than the object itself did.
  const kept = older.object instanceof DeletedFinalStateUnknown ? newer : older;
  return [...deltas.slice(0, -2), kept];
}

export class DeltaFIFO<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #knownObjects: KnownObjects<T> | undefined;
  readonly #listed: DeltaType;
  /** In the order in which each key was first queued: a Map keeps it, and a key's place, until the key is popped. */
  readonly #items = new Map<string, Deltas<T>>();
  /** Has the first list, or anything else, come in? */
  #populated = false;
  /** How many keys of the first list have not been popped yet. */
  #initialPopulationCount = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor({ keyFunc, knownObjects, emitDeltaTypeReplaced = false }: DeltaFIFOOptions<T>) {
    this.#keyFunc = keyFunc;
    this.#knownObjects = knownObjects;
    this.#listed = emitDeltaTypeReplaced ? 'Replaced' : 'Sync';
  }

  keyOf(object: T | DeletedFinalStateUnknown<T> | Deltas<T>): string {
    if (isDeltas<T>(object)) return this.keyOf((object.at(-1) as Delta<T>).object);
    return object instanceof DeletedFinalStateUnknown ? object.key : this.#keyFunc(object);
  }

  add(object: T): void {
    this.#populated = true;
    this.#queue('Added', object);
  }

  update(object: T): void {
    this.#populated = true;
    this.#queue('Updated', object);
  }

  delete(object: T): void {
    this.#populated = true;
    const key = this.keyOf(object);
    // A relist has reported this deletion already; to report it twice would be a second death.
    if (!this.#items.has(key) && this.#knownObjects?.getByKey(key) === undefined) return;
    this.#queue('Deleted', object);
  }

  replace(list: readonly T[]): void {
    const listed = new Set<string>();
    for (const object of list) {
      listed.add(this.keyOf(object));
      this.#queue(this.#listed, object);
    }
    const vanished = this.#vanished(listed);
    for (const tombstone of vanished) this.#queue('Deleted', tombstone);
    if (this.#populated) return;
    this.#populated = true;
    this.#initialPopulationCount = listed.size + vanished.length;
  }

  resync(): void {
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      // What is queued is newer than what is known: a Sync behind it would bring the old state back.
      const object = this.#items.has(key) ? undefined : this.#knownObjects?.getByKey(key);
      if (object !== undefined) this.#queue('Sync', object);
    }
  }

  hasSynced(): boolean {
    return this.#populated && this.#initialPopulationCount === 0;
  }

  async pop(process: (deltas: Deltas<T>, isInInitialList: boolean) => void): Promise<Deltas<T> | undefined> {
    while (this.#items.size === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const isInInitialList = !this.hasSynced();
    const [key, deltas] = this.#items.entries().next().value as [string, Deltas<T>];
    this.#items.delete(key);
    if (this.#initialPopulationCount > 0) this.#initialPopulationCount--;
    process(deltas, isInInitialList);
    return deltas;
  }

  close(): void {
    this.#closed = true;
    this.#rouse();
  }

  /** What is queued or known but was not listed died unseen. What is queued is the newer knowledge of the two. */
  #vanished(listed: ReadonlySet<string>): DeletedFinalStateUnknown<T>[] {
    const tombstones: DeletedFinalStateUnknown<T>[] = [];
    for (const [key, deltas] of this.#items) {
      if (listed.has(key)) continue;
      const { object } = deltas.at(-1) as Delta<T>;
      const last = object instanceof DeletedFinalStateUnknown ? object.object : object;
      tombstones.push(new DeletedFinalStateUnknown(key, last));
    }
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (listed.has(key) || this.#items.has(key)) continue;
      tombstones.push(new DeletedFinalStateUnknown(key, this.#knownObjects?.getByKey(key) as T));
    }
    return tombstones;
  }

  #queue(type: DeltaType, object: T | DeletedFinalStateUnknown<T>): void {
    const key = this.keyOf(object);
    this.#items.set(key, dedupDeltas([...(this.#items.get(key) ?? []), { type, object }]));
    this.#rouse();
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

function isDeltas<T>(value: unknown): value is Deltas<T> {
  return Array.isArray(value);
}

// Levels 3 to 5 · List, watch, and start over

/** What a {@link Reflector} fills: a {@link DeltaFIFO}. */
export type ReflectorStore<T> = Pick<DeltaFIFO<T>, 'add' | 'update' | 'delete' | 'replace' | 'resync'>;

export interface ReflectorOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** How often to ask `shouldResync`, while watching; 0: never. */
  readonly resyncPeriodMs?: () => number;
  readonly shouldResync?: () => boolean;
  readonly onError?: (error: unknown) => void;
}

const BACKOFF_MS_MIN = 800;
const BACKOFF_MS_MAX = 30_000;
const BACKOFF_RESET_MS = 120_000;

export class Backoff {
  readonly #clock: Clock;
  readonly #random: Random;
  #baseMs = BACKOFF_MS_MIN;
  #lastMs: number;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#lastMs = clock.now();
  }

  nextMs(): number {
    const now = this.#clock.now();
    if (now - this.#lastMs > BACKOFF_RESET_MS) this.#baseMs = BACKOFF_MS_MIN;
    this.#lastMs = now;
    const ms = this.#baseMs;
    this.#baseMs = Math.min(ms * 2, BACKOFF_MS_MAX);
    // Without jitter, all who lost the same server would come back to it at the same instant.
    return ms * (1 + this.#random.float());
  }
}

/** A watch that ended at once and brought nothing: not worth another try without a pause. */
const VERY_SHORT_WATCH_MS = 1_000;
const PAGE_SIZE = 500;
const WATCH_SECONDS_MIN = 300;

export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #selection: Selection;
  readonly #backoff: Backoff;
  #lastSyncResourceVersion = '';
  /** The server no longer has, or does not yet have, the version that we ask for. */
  #isLastSyncResourceVersionUnavailable = false;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    const { namespace, labelSelector, fieldSelector } = options;
    this.#selection = {
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
    this.#backoff = new Backoff(options.clock, options.random);
  }

  lastSyncResourceVersion(): string {
    return this.#lastSyncResourceVersion;
  }

  relistResourceVersion(): string {
    if (this.#isLastSyncResourceVersionUnavailable) return '';
    return this.#lastSyncResourceVersion || '0';
  }

  async list(signal: AbortSignal): Promise<void> {
    let list: List<T>;
    try {
      list = await this.#listAll(this.relistResourceVersion(), signal);
    } catch (error) {
      if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;
      // Whatever the server has now, then. Asking again for the version that it does not have never ends.
      this.#isLastSyncResourceVersionUnavailable = true;
      list = await this.#listAll(this.relistResourceVersion(), signal);
    }
    this.#isLastSyncResourceVersionUnavailable = false;
    this.#options.store.replace(list.items);
    this.#lastSyncResourceVersion = list.metadata.resourceVersion;
  }

  async watch(signal: AbortSignal): Promise<void> {
    const { client, resource, clock, random } = this.#options;
    while (!signal.aborted) {
      const startedMs = clock.now();
      try {
        const stream = await client.watch(resource, {
          ...this.#selection,
          resourceVersion: this.#lastSyncResourceVersion,
          allowWatchBookmarks: true,
          timeoutSeconds: Math.floor(WATCH_SECONDS_MIN * (1 + random.float())),
          signal,
        });
        const events = await this.#handle(stream, signal);
        if (signal.aborted) return;
        if (events === 0 && clock.now() - startedMs < VERY_SHORT_WATCH_MS) {
          throw new Error(`very short watch of ${resource.plural}: it ended at once, without an event`);
        }
      } catch (error) {
        // The place on the log is still good; only the server is busy, or away.
        if (!isTooManyRequests(error) && !isConnectionRefused(error)) throw error;
        await this.#pause(error, signal);
      }
    }
  }

  async listAndWatch(signal: AbortSignal): Promise<void> {
    await this.list(signal);
    const stopResync = this.#startResync();
    try {
      await this.watch(signal);
    } finally {
      stopResync();
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.listAndWatch(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!isExpired(error)) this.#options.onError?.(error);
        await this.#pause(error, signal);
      }
    }
  }

  async #listAll(resourceVersion: string, signal: AbortSignal): Promise<List<T>> {
    const { client, resource } = this.#options;
    const ask = { ...this.#selection, signal };
    // A list at a version comes whole from the server's cache; a limit would send it to etcd.
    const limit = resourceVersion === '' || resourceVersion === '0' ? { limit: PAGE_SIZE } : {};
    const first = await client.list(resource, { ...ask, ...limit, resourceVersion });
    const items = [...first.items];
    let page = first;
    while (page.metadata.continue) {
      try {
        page = await client.list(resource, { ...ask, ...limit, continue: page.metadata.continue });
      } catch (error) {
        if (!isExpired(error)) throw error;
        // Half of an old state and half of a new one is neither. All of it again, in one piece.
        return client.list(resource, { ...ask, resourceVersion });
      }
      items.push(...page.items);
    }
    return { ...first, items };
  }

  /** Hands events on until the stream ends. Gives how many there were. @throws StatusError what the server reports */
  async #handle(stream: Watch<T>, signal: AbortSignal): Promise<number> {
    let count = 0;
    for await (const event of stream) {
      if (signal.aborted) break;
      if (event.type === 'ERROR') throw new StatusError(event.object);
      if (event.object.kind !== this.#options.resource.kind) continue;
      this.#apply(event);
      this.#lastSyncResourceVersion = event.object.metadata.resourceVersion;
      count++;
    }
    return count;
  }

  #apply({ type, object }: Exclude<WatchEvent<T>, { type: 'ERROR' }>): void {
    const { store } = this.#options;
    if (type === 'ADDED') store.add(object);
    else if (type === 'MODIFIED') store.update(object);
    else if (type === 'DELETED') store.delete(object);
    // A bookmark changes nothing but our place on the log.
  }

  #startResync(): () => void {
    const { clock, store, resyncPeriodMs = () => 0, shouldResync = () => true } = this.#options;
    let cancel = (): void => {};
    const next = (): void => {
      const periodMs = resyncPeriodMs();
      if (periodMs === 0) return;
      cancel = clock.after(periodMs, () => {
        if (shouldResync()) store.resync();
        next();
      });
    };
    next();
    return () => cancel();
  }

  /** Waits as long as the backoff says, or the server, whichever is longer. An abort ends the wait. */
  async #pause(error: unknown, signal: AbortSignal): Promise<void> {
    const askedMs = error instanceof StatusError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    await this.#options.clock.sleep(Math.max(this.#backoff.nextMs(), askedMs), signal).catch(() => {});
  }
}

// Level 6 · The informer

type Notification<T> =
  | { readonly type: 'add'; readonly object: T; readonly isInInitialList: boolean }
  | { readonly type: 'update'; readonly previous: T; readonly current: T }
  | { readonly type: 'delete'; readonly object: T | DeletedFinalStateUnknown<T> };

export interface ResyncPeriods {
  /** How often the informer asks whether any handler is due. */
  readonly checkPeriodMs: number;
  /** How often the handler that joined is told of everything again; 0: never. */
  readonly handlerPeriodMs: number;
}

const RESYNC_MS_MIN = 1_000;

export function joinResync(checkPeriodMs: number, requestedMs: number, started: boolean): ResyncPeriods {
  // An informer that never looks finds nobody due.
  if (requestedMs === 0 || checkPeriodMs === 0) return { checkPeriodMs, handlerPeriodMs: 0 };
  const wantedMs = Math.max(requestedMs, RESYNC_MS_MIN);
  if (started) return { checkPeriodMs, handlerPeriodMs: Math.max(wantedMs, checkPeriodMs) };
  return { checkPeriodMs: Math.min(checkPeriodMs, wantedMs), handlerPeriodMs: wantedMs };
}

/** A handler that threw is left alone for so long. */
const PANIC_PAUSE_MS = 1_000;

/** One handler's queue. Handlers share nothing, so that none waits for another. */
class ProcessorListener<T> implements ResourceEventHandlerRegistration {
  readonly periodMs: number;
  /** Is it being told of everything again just now? */
  syncing = true;
  #nextResyncMs: number;
  /** How much of what was there when it began it has not been told yet. */
  #initialPending = 0;
  #pending: Notification<T>[] = [];
  #wake: (() => void) | undefined;
  readonly #handler: ResourceEventHandler<T>;
  readonly #upstreamHasSynced: () => boolean;

  constructor(
    handler: ResourceEventHandler<T>,
    periodMs: number,
    nowMs: number,
    upstreamHasSynced: () => boolean,
  ) {
    this.#handler = handler;
    this.periodMs = periodMs;
    this.#nextResyncMs = nowMs + periodMs;
    this.#upstreamHasSynced = upstreamHasSynced;
  }

  hasSynced(): boolean {
    return this.#upstreamHasSynced() && this.#initialPending === 0;
  }

  /** Is it due? Then it is from now on that its next period counts. */
  shouldResync(nowMs: number): boolean {
    this.syncing = this.periodMs > 0 && nowMs >= this.#nextResyncMs;
    if (this.syncing) this.#nextResyncMs = nowMs + this.periodMs;
    return this.syncing;
  }

  add(notification: Notification<T>): void {
    if (notification.type === 'add' && notification.isInInitialList) this.#initialPending++;
    this.#pending.push(notification);
    this.rouse();
  }

  rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Tells the handler, one thing after another, until `ended`. */
  async run(ended: () => boolean, onPanic: (error: unknown) => Promise<void>): Promise<void> {
    while (!ended()) {
      const batch = this.#pending;
      this.#pending = [];
      for (const notification of batch) {
        if (ended()) return;
        try {
          await this.#tell(notification);
        } catch (error) {
          await onPanic(error);
        }
        if (notification.type === 'add' && notification.isInInitialList) this.#initialPending--;
      }
      if (this.#pending.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #tell(notification: Notification<T>): void | Promise<void> {
    switch (notification.type) {
      case 'add':
        return this.#handler.onAdd?.(notification.object, notification.isInInitialList);
      case 'update':
        return this.#handler.onUpdate?.(notification.previous, notification.current);
      case 'delete':
        return this.#handler.onDelete?.(notification.object);
    }
  }
}

export class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {
  readonly indexer: Indexer<T>;
  readonly #options: InformerOptions<T>;
  readonly #fifo: DeltaFIFO<T>;
  readonly #reflector: Reflector<T>;
  readonly #listeners = new Set<ProcessorListener<T>>();
  #checkPeriodMs: number;
  /** Set by {@link run}. */
  #signal: AbortSignal | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#checkPeriodMs = options.resyncPeriodMs ?? 0;
    this.indexer = new Indexer<T>(metaNamespaceKeyFunc, options.indexers);
    this.#fifo = new DeltaFIFO<T>({
      keyFunc: metaNamespaceKeyFunc,
      knownObjects: this.indexer,
      emitDeltaTypeReplaced: true,
    });
    this.#reflector = new Reflector<T>({
      ...options,
      store: this.#fifo,
      resyncPeriodMs: () => this.#checkPeriodMs,
      shouldResync: () => this.#shouldResync(),
    });
  }

  addEventHandler(
    handler: ResourceEventHandler<T>,
    { resyncPeriodMs = 0 }: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    const started = this.#signal !== undefined;
    const { checkPeriodMs, handlerPeriodMs } = joinResync(this.#checkPeriodMs, resyncPeriodMs, started);
    this.#checkPeriodMs = checkPeriodMs;
    const nowMs = this.#options.clock.now();
    const listener = new ProcessorListener<T>(handler, handlerPeriodMs, nowMs, () => this.hasSynced());
    this.#listeners.add(listener);
    if (started) {
      for (const object of this.indexer.list()) listener.add({ type: 'add', object, isInInitialList: true });
      this.#startListener(listener);
    }
    return listener;
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    const listener = registration as ProcessorListener<T>;
    this.#listeners.delete(listener);
    listener.rouse();
  }

  hasSynced(): boolean {
    return this.#fifo.hasSynced();
  }

  lastSyncResourceVersion(): string {
    return this.#reflector.lastSyncResourceVersion();
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error('Failed to run the informer: it was started before. Make a new one.');
    this.#signal = signal;
    for (const listener of this.#listeners) this.#startListener(listener);
    const stop = (): void => {
      this.#fifo.close();
      for (const listener of this.#listeners) listener.rouse();
    };
    signal.addEventListener('abort', stop, { once: true });
    await Promise.all([this.#reflector.run(signal), this.#process(signal)]);
  }

  async #process(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#fifo.pop((deltas, isInInitialList) => {
        if (!signal.aborted) this.#handleDeltas(deltas, isInInitialList);
      });
    }
  }

  #handleDeltas(deltas: Deltas<T>, isInInitialList: boolean): void {
    for (const { type, object } of deltas) {
      if (type === 'Deleted') {
        this.indexer.delete(this.#fifo.keyOf(object));
        this.#distribute({ type: 'delete', object });
        continue;
      }
      const current = object as T;
      const previous = this.indexer.getByKey(metaNamespaceKeyFunc(current));
      this.indexer.update(current);
      this.#distribute(
        previous === undefined
          ? { type: 'add', object: current, isInInitialList }
          : { type: 'update', previous, current },
      );
    }
  }

  /** A repetition, from a resync or a relist, goes only to those who asked to hear things again. */
  #distribute(notification: Notification<T>): void {
    const repeats =
      notification.type === 'update' &&
      notification.previous.metadata.resourceVersion === notification.current.metadata.resourceVersion;
    for (const listener of this.#listeners) {
      if (!repeats || (listener.syncing && listener.periodMs > 0)) listener.add(notification);
    }
  }

  #shouldResync(): boolean {
    const nowMs = this.#options.clock.now();
    // Every listener must be asked: the answer is kept in each.
    return [...this.#listeners].map((listener) => listener.shouldResync(nowMs)).includes(true);
  }

  #startListener(listener: ProcessorListener<T>): void {
    const signal = this.#signal as AbortSignal;
    const { clock, onError } = this.#options;
    const ended = (): boolean => signal.aborted || !this.#listeners.has(listener);
    void listener.run(ended, async (error) => {
      onError?.(error);
      await clock.sleep(PANIC_PAUSE_MS, signal).catch(() => {});
    });
  }
}

export const createInformer: NewInformer = (options) => new SharedIndexInformer(options);
