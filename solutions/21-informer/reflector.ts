/** Levels 3 to 5 · List, watch, and start over. */
import {
  type Client,
  type Clock,
  isConnectionRefused,
  isExpired,
  isTooLargeResourceVersion,
  isTooManyRequests,
  type KubeObject,
  type List,
  type Random,
  type Resource,
  type Selection,
  StatusError,
  type Watch,
  type WatchEvent,
} from '#harness';
import { Backoff } from './backoff.ts';
import type { DeltaFIFO } from './delta-fifo.ts';

/** What a {@link Reflector} fills: a {@link DeltaFIFO}. */
export type ReflectorStore<T> = Pick<DeltaFIFO<T>, 'add' | 'update' | 'delete' | 'replace' | 'resync'>;

export interface ReflectorOptions<T extends KubeObject> extends Selection {
  readonly client: Pick<Client, 'list' | 'watch'>;
  readonly resource: Resource<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** How often to ask `shouldResync`, while watching; 0: never. */
  readonly getCheckPeriodMs?: () => number;
  readonly shouldResync?: () => boolean;
  readonly onError?: (error: unknown) => void;
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
    const { clock, store, getCheckPeriodMs = () => 0, shouldResync = () => true } = this.#options;
    let cancel = (): void => {};
    const next = (): void => {
      const periodMs = getCheckPeriodMs();
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
