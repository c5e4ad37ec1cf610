/** Levels 4 to 7 · List, watch, and start over. */
import {
  type Delta,
  type ListerWatcher,
  metaNamespaceKeyFunc,
  type ReplacedAll,
  sleepBeforeRetry,
} from '#given/21-informer';
import {
  type Clock,
  isConnectionRefused,
  isExpired,
  isInitialEventsEnd,
  isTooLargeResourceVersion,
  isTooManyRequests,
  type KubeObject,
  type List,
  type Resource,
  StatusError,
  type Watch,
  type WatchEvent,
} from '#harness';

const VERY_SHORT_WATCH_MS = 1_000;

export interface ReflectorOptions<T extends KubeObject> {
  readonly listerWatcher: Pick<ListerWatcher<T>, 'list' | 'watch' | 'watchList'>;
  readonly resource: Resource<T>;
  readonly queue: { push(delta: Delta<T>): void };
  readonly clock: Clock;
  readonly nextBackoffMs: () => number;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go Reflector */
export class Reflector<T extends KubeObject> {
  lastSyncResourceVersion = '';
  isLastSyncResourceVersionUnavailable = false;
  readonly #options: ReflectorOptions<T>;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  // Level 4 · List

  relistResourceVersion(): string {
    if (this.isLastSyncResourceVersionUnavailable) return '';
    return this.lastSyncResourceVersion || '0';
  }

  async list(signal: AbortSignal): Promise<void> {
    const { listerWatcher } = this.#options;
    let list: List<T>;
    try {
      list = await listerWatcher.list(this.relistResourceVersion(), signal);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Fall back to the latest version. Retries with the unavailable version would never end.
      this.isLastSyncResourceVersionUnavailable = true;
      list = await listerWatcher.list(this.relistResourceVersion(), signal);
    }
    this.#replace({
      type: 'ReplacedAll',
      objects: list.items,
      resourceVersion: list.metadata.resourceVersion,
    });
  }

  // Level 5 · Watch

  async handleEvents(events: AsyncIterable<WatchEvent<T>>, signal: AbortSignal): Promise<number> {
    const { resource, queue } = this.#options;
    let count = 0;
    for await (const event of events) {
      if (signal.aborted) break;
      if (event.type === 'ERROR') throw new StatusError(event.object);
      if (event.object.kind !== resource.kind) continue;
      queue.push(deltaOf(event));
      this.lastSyncResourceVersion = event.object.metadata.resourceVersion;
      count++;
    }
    return count;
  }

  async watch(signal: AbortSignal, begun?: AsyncIterable<WatchEvent<T>>): Promise<void> {
    const { listerWatcher, clock } = this.#options;
    let events = begun;
    while (!signal.aborted) {
      const startedMs = clock.now();
      try {
        events ??= await listerWatcher.watch(this.lastSyncResourceVersion, signal);
        const count = await this.handleEvents(events, signal);
        if (!signal.aborted) this.#throwIfShort(count, startedMs);
      } catch (error) {
        // The version is still available; the server is only busy or unreachable.
        if (!isAway(error)) throw error;
        await this.#pause(error, signal);
      }
      events = undefined;
    }
  }

  // Level 6 · The streaming list

  async initialEvents(events: AsyncIterator<WatchEvent<T>>): Promise<ReplacedAll<T> | undefined> {
    const { resource, clock } = this.#options;
    const startedMs = clock.now();
    const objects = new Map<string, T>();
    let count = 0;
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'ERROR') throw new StatusError(event.object);
      if (event.object.kind !== resource.kind) continue;
      if (isInitialEventsEnd(event)) {
        const { resourceVersion } = event.object.metadata;
        return { type: 'ReplacedAll', objects: [...objects.values()], resourceVersion };
      }
      if (event.type === 'DELETED') objects.delete(metaNamespaceKeyFunc(event.object));
      else if (event.type !== 'BOOKMARK') objects.set(metaNamespaceKeyFunc(event.object), event.object);
      count++;
    }
    this.#throwIfShort(count, startedMs);
    return undefined;
  }

  async watchList(signal: AbortSignal): Promise<AsyncIterable<WatchEvent<T>> | undefined> {
    const { listerWatcher } = this.#options;
    while (!signal.aborted) {
      const from = this.isLastSyncResourceVersionUnavailable ? '' : this.lastSyncResourceVersion;
      let stream: Watch<T> | undefined;
      try {
        stream = await listerWatcher.watchList(from, signal);
        // Leaving a `for await` loop would close the stream, but the watch continues on it after the list.
        const events = stream[Symbol.asyncIterator]();
        const list = await this.initialEvents(events);
        if (signal.aborted) return undefined;
        if (!list) continue;
        this.#replace(list);
        return { [Symbol.asyncIterator]: () => events };
      } catch (error) {
        stream?.stop();
        if (isAway(error)) await this.#pause(error, signal);
        // Differs: if the server refuses the latest version, too, upstream retries it without a back-off.
        else if (isUnavailable(error) && from !== '') this.isLastSyncResourceVersionUnavailable = true;
        else throw error;
      }
    }
    return undefined;
  }

  // Level 7 · When it breaks

  async listAndWatch(signal: AbortSignal): Promise<void> {
    const events = await this.watchList(signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!events) await this.list(signal);
    await this.watch(signal, events);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let failure: unknown;
      try {
        await this.listAndWatch(signal);
      } catch (error) {
        failure = error;
      }
      if (signal.aborted) return;
      if (!isExpired(failure)) this.#options.onError?.(failure);
      await this.#pause(failure, signal);
    }
  }

  #replace(list: ReplacedAll<T>): void {
    this.isLastSyncResourceVersionUnavailable = false;
    this.#options.queue.push(list);
    this.lastSyncResourceVersion = list.resourceVersion;
  }

  /**
   * A stream that ends at once without an event is a failure: reopening it immediately would flood the server with
   * requests.
   */
  #throwIfShort(events: number, startedMs: number): void {
    const { clock, resource } = this.#options;
    if (events > 0 || clock.now() - startedMs >= VERY_SHORT_WATCH_MS) return;
    throw new Error(`very short watch of ${resource.plural}: it ended at once, without an event`);
  }

  #pause(error: unknown, signal: AbortSignal): Promise<void> {
    const { nextBackoffMs, clock } = this.#options;
    return sleepBeforeRetry(error, nextBackoffMs(), clock, signal);
  }
}

/** Reports whether the server is busy or unreachable. It still has the requested version. */
function isAway(error: unknown): boolean {
  return isTooManyRequests(error) || isConnectionRefused(error);
}

/** Reports whether the server does not have the requested version, either no longer or not yet. */
function isUnavailable(error: unknown): boolean {
  return isExpired(error) || isTooLargeResourceVersion(error);
}

function deltaOf<T extends KubeObject>(event: Exclude<WatchEvent<T>, { type: 'ERROR' }>): Delta<T> {
  switch (event.type) {
    case 'ADDED':
      return { type: 'Added', object: event.object };
    case 'MODIFIED':
      return { type: 'Updated', object: event.object };
    case 'DELETED':
      return { type: 'Deleted', object: event.object };
    case 'BOOKMARK':
      return { type: 'Bookmark', resourceVersion: event.object.metadata.resourceVersion };
  }
}
