/**
 * Only lists and watches, finds objects by looking at all of them, and notifies each handler through a promise chain.
 */
import {
  DeletedFinalStateUnknown,
  type IndexReader,
  type InformerOptions,
  isConnectionRefused,
  isExpired,
  isTooLargeResourceVersion,
  isTooManyRequests,
  type KubeObject,
  keyOf,
  keyToString,
  type NewInformer,
  type ResourceEventHandler,
  type ResourceEventHandlerRegistration,
  type SharedInformer,
  StatusError,
  type WatchEvent,
} from '#harness';

export const createInformer: NewInformer = (options) => new Mirror(options);

/** A handler and its pending notifications. */
interface Audience<T> extends ResourceEventHandlerRegistration {
  readonly handler: ResourceEventHandler<T>;
  readonly periodMs: number;
  /** The number of adds of its initial list that are still pending. */
  owed: number;
  told: Promise<void>;
  gone: boolean;
}

type Tell<T> = (handler: ResourceEventHandler<T>) => void | Promise<void>;

class Mirror<T extends KubeObject> implements SharedInformer<T>, IndexReader<T> {
  readonly indexer = this;
  readonly #options: InformerOptions<T>;
  readonly #audiences: Audience<T>[] = [];
  #objects = new Map<string, T>();
  #version = '';
  /** The version of the next list request. */
  #listFrom = '0';
  #hasListed = false;
  #checkMs: number;
  #signal: AbortSignal | undefined;
  #failures = 0;
  #failedMs = Number.NEGATIVE_INFINITY;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#checkMs = options.resyncPeriodMs ?? 0;
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

  byIndex(name: string, value: string): T[] {
    const valuesOf = this.#options.indexers?.[name];
    if (!valuesOf) throw new Error(`Failed to find "${value}": there is no index "${name}".`);
    return this.list().filter((object) => valuesOf(object).includes(value));
  }

  lastStoreSyncResourceVersion(): string {
    return this.#version;
  }

  lastSyncResourceVersion(): string {
    return this.#version;
  }

  hasSynced(): boolean {
    return this.#hasListed;
  }

  addEventHandler(
    handler: ResourceEventHandler<T>,
    { resyncPeriodMs = 0 }: { readonly resyncPeriodMs?: number } = {},
  ): ResourceEventHandlerRegistration {
    const audience: Audience<T> = {
      handler,
      periodMs: this.#periodFor(resyncPeriodMs),
      owed: 0,
      told: Promise.resolve(),
      gone: false,
      hasSynced: () => this.#hasListed && audience.owed === 0,
    };
    for (const object of this.list()) this.#tellOne(audience, true, ({ onAdd }) => onAdd?.(object, true));
    this.#audiences.unshift(audience);
    if (this.#signal) this.#repeat(audience);
    return audience;
  }

  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    const audience = this.#audiences.find((one) => one === registration);
    if (!audience) return;
    audience.gone = true;
    this.#audiences.splice(this.#audiences.indexOf(audience), 1);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal) throw new Error('Failed to run the informer: it has a life already.');
    this.#signal = signal;
    for (const audience of this.#audiences) this.#repeat(audience);
    let isListed = false;
    while (!signal.aborted) {
      try {
        if (!isListed) await this.#takeList(signal);
        isListed = true;
        await this.#takeChanges(signal);
      } catch (error) {
        if (signal.aborted) return;
        isListed &&= isTooManyRequests(error) || isConnectionRefused(error);
        if (!isExpired(error)) this.#options.onError?.(error);
        await this.#wait(error, signal);
      }
    }
  }

  async #takeList(signal: AbortSignal): Promise<void> {
    const { client, resource } = this.#options;
    const asked = { ...this.#selection(), resourceVersion: this.#listFrom, signal };
    const { items, metadata } = await client.list(resource, asked).catch((error: unknown) => {
      if (isExpired(error) || isTooLargeResourceVersion(error)) this.#listFrom = '';
      throw error;
    });
    if (signal.aborted) return;
    const before = this.#objects;
    this.#objects = new Map(items.map((object) => [keyToString(keyOf(object)), object]));
    this.#reach(metadata.resourceVersion);
    const isFirst = !this.#hasListed;
    this.#hasListed = true;
    for (const [key, last] of before) {
      if (this.#objects.get(key)?.metadata.uid !== last.metadata.uid) this.#bury(key, last);
    }
    for (const [key, object] of this.#objects) {
      const last = before.get(key);
      this.#announce(last?.metadata.uid === object.metadata.uid ? last : undefined, object, isFirst);
    }
  }

  async #takeChanges(signal: AbortSignal): Promise<void> {
    const { client, resource, clock, random } = this.#options;
    const openedMs = clock.now();
    const stream = await client.watch(resource, {
      ...this.#selection(),
      resourceVersion: this.#version,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.ceil(300 + 300 * random.float()),
      signal,
    });
    let isEmpty = true;
    for await (const event of stream) {
      if (signal.aborted) return;
      if (event.type === 'ERROR') throw new StatusError(event.object);
      if (event.object.kind !== resource.kind) continue;
      isEmpty = false;
      this.#take(event);
      this.#reach(event.object.metadata.resourceVersion);
    }
    if (isEmpty && !signal.aborted && clock.now() - openedMs < 1_000) await this.#wait(undefined, signal);
  }

  #take({ type, object }: Exclude<WatchEvent<T>, { type: 'ERROR' }>): void {
    if (type === 'BOOKMARK') return;
    const key = keyToString(keyOf(object));
    const last = this.#objects.get(key);
    if (type !== 'DELETED') {
      this.#objects.set(key, object);
      this.#announce(last, object, false);
    } else if (this.#objects.delete(key)) this.#tell(false, ({ onDelete }) => onDelete?.(object));
  }

  #reach(version: string): void {
    this.#version = version;
    this.#listFrom = version;
  }

  #bury(key: string, last: T): void {
    this.#tell(false, ({ onDelete }) => onDelete?.(new DeletedFinalStateUnknown(key, last)));
  }

  #announce(last: T | undefined, object: T, isFirst: boolean): void {
    if (!last) this.#tell(isFirst, ({ onAdd }) => onAdd?.(object, isFirst));
    else if (last.metadata.resourceVersion !== object.metadata.resourceVersion)
      this.#tell(false, ({ onUpdate }) => onUpdate?.(last, object));
  }

  #tell(isInitial: boolean, tell: Tell<T>): void {
    for (const audience of this.#audiences) this.#tellOne(audience, isInitial, tell);
  }

  #tellOne(audience: Audience<T>, isInitial: boolean, tell: Tell<T>): void {
    if (isInitial) audience.owed++;
    audience.told = audience.told.then(async () => {
      const { clock, onError } = this.#options;
      if (audience.gone || this.#signal?.aborted) return;
      try {
        await tell(audience.handler);
      } catch (error) {
        onError?.(error);
        await clock.sleep(1_000, this.#signal).catch(() => {});
      }
      if (isInitial) audience.owed--;
    });
  }

  #periodFor(askedMs: number): number {
    if (askedMs === 0 || this.#checkMs === 0) return 0;
    const periodMs = Math.max(askedMs, 1_000);
    if (this.#signal) return Math.max(periodMs, this.#checkMs);
    this.#checkMs = Math.min(periodMs, this.#checkMs);
    return periodMs;
  }

  /** Each handler has its own resync timer. */
  #repeat(audience: Audience<T>): void {
    if (audience.periodMs === 0) return;
    this.#options.clock.after(audience.periodMs, () => {
      if (audience.gone || this.#signal?.aborted) return;
      for (const object of this.list())
        this.#tellOne(audience, false, ({ onUpdate }) => onUpdate?.(object, object));
      this.#repeat(audience);
    });
  }

  #selection(): Pick<InformerOptions<T>, 'namespace' | 'labelSelector' | 'fieldSelector'> {
    const { namespace, labelSelector, fieldSelector } = this.#options;
    return {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
    };
  }

  async #wait(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    if (clock.now() - this.#failedMs > 120_000) this.#failures = 0;
    this.#failedMs = clock.now();
    const leastMs = Math.min(30_000, 800 * 2 ** this.#failures++);
    const askedMs = error instanceof StatusError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    await clock.sleep(Math.max(askedMs, leastMs * (2 - random.float())), signal).catch(() => {});
  }
}
