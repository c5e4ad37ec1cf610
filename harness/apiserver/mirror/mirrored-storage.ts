import type { CustomResourceDefinition, KubeObject, ObjectKey } from '../../api/objects.ts';
import { keyOf } from '../../api/objects.ts';
import { customResourceDefinitions } from '../../api/plain-resources.ts';
import type { Resource } from '../../api/resource.ts';
import { errors, failure, StatusError } from '../../api/status.ts';
import type { KeyEvent, KeyValueStore, WatchResponse } from '../../contracts/store/index.ts';
import { type Clock, sleepOn } from '../../sim/index.ts';
import type { Kind } from '../kind.ts';
import { kinds as builtIn } from '../kinds/index.ts';
import { atRevision } from '../storage/log-entry.ts';
import { type StoreWrites, Superseded } from '../storage/object-writes.ts';
import { type Author, Storage, sameResource, type TakenWrite } from '../storage/storage.ts';
import { Compactor } from './compactor.ts';
import { EventLeases } from './event-leases.ts';
import { fillStore } from './fill-store.ts';
import { Places } from './places.ts';
import { readAll } from './read-all.ts';
import { storeKey } from './store-keys.ts';
import { decodeStored, encodeStored } from './stored-value.ts';
import { timedStore } from './timed-store.ts';
import { Turns } from './turns.ts';

/** Options of {@link MirroredStorage.open}. */
export interface MirrorOptions {
  readonly store: KeyValueStore;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Aborts when the apiservers end. */
  readonly signal: AbortSignal;
  /** @defaultValue all kinds of this workbook */
  readonly kinds?: readonly Kind[];
  /** Called with each error of the store. @defaultValue only the answers of requests name it */
  readonly onError?: (error: unknown) => void;
}

/** A write on its way to the store. */
interface PendingWrite {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** Undefined for a delete. */
  readonly object: KubeObject | undefined;
  /** The value of {@link object}. */
  readonly value: string | undefined;
  readonly author: Author | undefined;
}

/** The keys of a watch of everything, because each write moves the revision. */
const EVERYTHING = { key: '\0', end: '\x7f' };

/** The maximum time that a request waits for its revision. Upstream: pkg/storage/cacher/watch_cache.go blockTimeout */
const FRESH_WITHIN_MS = 3_000;

/** The pause before the store is watched again, in ms. */
const RETRY_MS = 1_000;

/**
 * The objects of apiservers over a key-value store, such as etcd.
 *
 * `storage` is a copy in memory, as upstream's watch caches are: verbs read from it without waiting. A watch of the
 * store keeps it up to date, whoever writes. Before a verb reads, it asks the store for its newest revision, and waits
 * until the copy has that: {@link fresh}. A write is a transaction that compares the revision of the key. If another
 * write came first, the whole verb starts again: {@link Superseded}.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/storage/etcd3/store.go store, pkg/storage/cacher/cacher.go Cacher
 *
 * Differs: one copy serves all resources and all apiservers of a process. Its history begins when it is opened: an
 * exact read of an earlier revision is answered with 410, though the store may have it. An object whose value is not
 * JSON does not exist.
 */
export class MirroredStorage implements StoreWrites {
  /** The copy. Write only through this class. */
  readonly storage: Storage;
  readonly allocations = new Turns();
  readonly #store: KeyValueStore;
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #signal: AbortSignal;
  readonly #onError: (error: unknown) => void;
  readonly #places: Places;
  readonly #leases: EventLeases;
  readonly #compactor: Compactor;
  /** By the key in the store. */
  readonly #pending = new Map<string, Set<PendingWrite>>();
  /** Writes that the store has answered before its watch delivered them, by revision. Undefined: not an object. */
  readonly #answered = new Map<number, PendingWrite | undefined>();
  readonly #waiting = new Set<() => void>();
  readonly #whenIdle: (() => void)[] = [];
  #asking: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(
    { store, clock, signal, kinds = builtIn, onError = () => {} }: MirrorOptions,
    storage: Storage,
  ) {
    this.storage = storage;
    this.#store = timedStore(store, clock);
    this.#clock = clock;
    this.#signal = signal;
    this.#onError = onError;
    this.#places = new Places(kinds);
    this.#leases = new EventLeases(this.#store, clock);
    this.#compactor = new Compactor(this.#store);
  }

  /** Reads all objects of a store, and follows it from there on. @throws any error of the store */
  static async open(options: MirrorOptions): Promise<MirroredStorage> {
    const mirror = new MirroredStorage(options, new Storage());
    const { revision, writes } = await mirror.#readAll();
    mirror.storage.load(revision, writes);
    void mirror.#follow();
    return mirror;
  }

  /**
   * Moves the objects of a storage to a fresh store, each with its revision, and follows the store from there on. Nobody
   * may write to either meanwhile. Clients notice nothing.
   *
   * @throws any error of the store
   */
  static async adopt(storage: Storage, options: MirrorOptions): Promise<MirroredStorage> {
    const mirror = new MirroredStorage(options, storage);
    const objects = storage.everything();
    for (const { resource, object } of objects) mirror.#define(resource, object);
    const writes = objects.map(({ resource, object }) => ({ resource, key: keyOf(object), object }));
    const late = await fillStore(mirror.#store, writes, storage.revision);
    // A fresh store is at revision 1.
    if (storage.revision === 0) storage.take(1, []);
    void mirror.#follow();
    for (const write of late) await mirror.#write('0', { ...write, author: undefined });
    return mirror;
  }

  /** Resolves when no write is on its way. */
  async idle(): Promise<void> {
    if (this.#pending.size === 0) return;
    await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  create<T extends KubeObject>(resource: Resource<T>, object: T, author?: Author): Promise<T> {
    return this.#write('0', { resource, key: keyOf(object), object, author }) as Promise<T>;
  }

  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    expected: string,
    author?: Author,
  ): Promise<T> {
    return this.#write(expected, { resource, key: keyOf(object), object, author }) as Promise<T>;
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    expected: string,
    author?: Author,
  ): Promise<T> {
    const last = this.storage.get(resource, key) as T | undefined;
    if (last?.metadata.resourceVersion !== expected) throw new Superseded();
    const { metadata } = await this.#write(expected, { resource, key, object: undefined, author }, last);
    return atRevision(last, Number(metadata.resourceVersion));
  }

  /**
   * Resolves when the copy has everything that the store had at the call.
   *
   * A question that is on its way may get its answer from before the call. So all callers until then share the next.
   *
   * @throws StatusError Timeout, InternalError
   */
  fresh(): Promise<void> {
    this.#next ??= this.#asking.then(
      () => this.#ask(),
      () => this.#ask(),
    );
    return this.#next;
  }

  /** Takes part in the compaction of the store. Call it every five minutes. */
  async compact(): Promise<void> {
    try {
      const turn = await this.#compactor.compact();
      if (!turn) return;
      this.#answer(turn.revision, undefined);
      this.storage.compact(turn.compacted);
    } catch (error) {
      this.#onError(error);
    }
  }

  async #ask(): Promise<void> {
    this.#next = undefined;
    // No object has this key: only the revision counts.
    const asking = this.#store.range({ key: EVERYTHING.key });
    this.#asking = asking;
    await this.#reached(await this.#answerOf(asking).then(({ revision }) => revision));
  }

  async #write(expected: string, write: Omit<PendingWrite, 'value'>, last?: KubeObject): Promise<KubeObject> {
    const { resource, key: at, object } = write;
    const key = storeKey(resource, at);
    const value = object && encodeStored(object);
    const pending = { ...write, value };
    const ofKey = this.#pending.get(key) ?? new Set();
    this.#pending.set(key, ofKey.add(pending));
    try {
      const lease = await this.#answerOf(this.#leases.leaseFor(resource));
      const { succeeded, revision } = await this.#answerOf(
        this.#store.transact({
          compare: [{ key, target: 'modRevision', is: '=', to: Number(expected) }],
          then: [
            value === undefined
              ? { delete: { key } }
              : { put: { key, value, ...(lease !== undefined && { lease }) } },
          ],
        }),
      );
      if (!succeeded) throw new Superseded();
      this.#answer(revision, pending);
      await this.#reached(revision);
      const stored = this.storage.get(resource, at);
      if (object && stored?.metadata.resourceVersion === String(revision)) return stored;
      return atRevision((object ?? last) as KubeObject, revision);
    } finally {
      ofKey.delete(pending);
      if (ofKey.size === 0) this.#pending.delete(key);
      if (this.#pending.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
  }

  /** Takes the answered writes as far as no revision is missing between them. The watch may bring them later, again. */
  #answer(revision: number, write: PendingWrite | undefined): void {
    if (revision <= this.storage.revision) return;
    this.#answered.set(revision, write);
    this.#takeAnswered();
  }

  #takeAnswered(): void {
    for (let next = this.storage.revision + 1; this.#answered.has(next); next++) {
      const write = this.#answered.get(next);
      this.#take(next, write ? [write] : []);
    }
  }

  #take(revision: number, writes: readonly TakenWrite[]): void {
    this.#answered.delete(revision);
    for (const { resource, object } of writes) this.#define(resource, object);
    this.storage.take(
      revision,
      writes.map(({ resource, key, object, author }) => ({ resource, key, object, author })),
    );
    for (const check of [...this.#waiting]) check();
  }

  #define(resource: Resource, object: KubeObject | undefined): void {
    if (!object || !sameResource(resource, customResourceDefinitions)) return;
    this.#places.define(object.metadata.name, object as CustomResourceDefinition);
  }

  /** Follows the store until the apiservers end. */
  async #follow(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const isCompacted = await this.#watch();
        if (this.#signal.aborted) return;
        if (isCompacted) await this.#catchUp();
        else await sleepOn(this.#clock, RETRY_MS, this.#signal);
      } catch (error) {
        if (this.#signal.aborted) return;
        this.#onError(error);
        await sleepOn(this.#clock, RETRY_MS, this.#signal).catch(() => {});
      }
    }
  }

  /** Watches until the stream ends. Returns whether it ends because the store has forgotten the next changes. */
  async #watch(): Promise<boolean> {
    const watch = this.#store.watch({ ...EVERYTHING, startRevision: this.storage.revision + 1 });
    const stop = (): void => watch.stop();
    this.#signal.addEventListener('abort', stop, { once: true });
    try {
      for await (const response of watch) {
        if (response.compactRevision !== undefined) return true;
        this.#receive(response);
      }
      return false;
    } finally {
      this.#signal.removeEventListener('abort', stop);
      stop();
    }
  }

  #receive({ events }: WatchResponse): void {
    for (let first = 0; first < events.length; ) {
      const revision = (events[first] as KeyEvent).kv.modRevision;
      let end = first + 1;
      while (end < events.length && events[end]?.kv.modRevision === revision) end++;
      if (revision > this.storage.revision) {
        this.#take(
          revision,
          events.slice(first, end).flatMap((event) => this.#written(event) ?? []),
        );
      }
      first = end;
    }
    this.#takeAnswered();
  }

  /** Returns the write of an event: our own with its object and its author, or another's. Undefined: not an object. */
  #written({ type, kv }: KeyEvent): TakenWrite | undefined {
    this.#compactor.observe(kv.key, kv.value, (revision) => this.storage.compact(revision));
    const value = type === 'DELETE' ? undefined : (kv.value ?? '');
    for (const own of this.#pending.get(kv.key) ?? []) if (own.value === value) return own;
    const place = this.#places.find(kv.key);
    if (!place) return undefined;
    return { ...place, object: value === undefined ? undefined : decodeStored(value) };
  }

  /** Takes the difference to the store after a gap. */
  async #catchUp(): Promise<void> {
    const { revision, writes } = await this.#readAll();
    const isThere = new Set(writes.map(({ resource, key }) => storeKey(resource, key)));
    const gone = this.storage
      .everything()
      .map(({ resource, object }): TakenWrite => ({ resource, key: keyOf(object), object: undefined }))
      .filter(({ resource, key }) => !isThere.has(storeKey(resource, key)));
    const changed = writes.filter(({ resource, key, revision: at }) => {
      const known = this.storage.get(resource, key);
      return known?.metadata.resourceVersion !== String(at);
    });
    this.#answered.clear();
    if (revision > this.storage.revision) this.storage.skip(revision, [...gone, ...changed]);
    for (const check of [...this.#waiting]) check();
  }

  async #readAll() {
    const { revision, kvs } = await readAll(this.#store);
    const found = kvs.map((kv) => ({ kv, object: decodeStored(kv.value) }));
    const definitions = storeKey(customResourceDefinitions, { name: '' });
    for (const { kv, object } of found) {
      if (object && kv.key.startsWith(definitions)) this.#define(customResourceDefinitions, object);
    }
    const writes = found.flatMap(({ kv, object }) => {
      const place = object && this.#places.find(kv.key);
      return place ? [{ ...place, object, revision: kv.modRevision }] : [];
    });
    return { revision, writes };
  }

  /**
   * Waits for an answer of the store.
   *
   * @throws StatusError InternalError with the words of the store. Upstream's status has no reason
   */
  async #answerOf<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.#onError(error);
      const message = error instanceof Error ? error.message : String(error);
      throw new StatusError(failure('InternalError', message));
    }
  }

  /** @throws StatusError Timeout, after three seconds */
  #reached(revision: number): Promise<void> {
    if (this.storage.revision >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(FRESH_WITHIN_MS, () => {
        this.#waiting.delete(check);
        reject(errors.tooLargeResourceVersion(revision, this.storage.revision));
      });
      const check = (): void => {
        if (this.storage.revision < revision) return;
        this.#waiting.delete(check);
        cancel();
        resolve();
      };
      this.#waiting.add(check);
    });
  }
}
