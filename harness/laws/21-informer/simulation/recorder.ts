import { type ConfigMap, type KubeObject, keyOf, keyToString, type List } from '../../../api/objects.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../../api/watch-event.ts';
import type { Client, Watch, WatchOptions } from '../../../contracts/client.ts';
import type { ResourceEventHandler, SharedInformer } from '../../../contracts/informer.ts';
import { intercept } from '../../../contracts/intercept.ts';
import type { ApiRequest, Send } from '../../../contracts/request.ts';
import type { AskedRequest, CacheState, HistoryEntry, Notification, RequestKind } from '../history.ts';
import type { HandlerName } from '../scenario.ts';

type Entry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** Records the requests, answers, cache states and notifications of an informer. */
export class Recorder {
  readonly entries: HistoryEntry[] = [];
  readonly #nowMs: () => number;
  #informer: SharedInformer<ConfigMap> | undefined;
  #seen: CacheState = { objects: [], received: '' };
  #requests = 0;
  /** The items of the last list, from the pages that have arrived. */
  #pages: ConfigMap[] = [];

  /** @param nowMs returns virtual ms since the simulation began */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  record(entry: Entry): void {
    this.entries.push({ atMs: this.#nowMs(), ...entry } as HistoryEntry);
  }

  /** Records the cache of this informer from now on. */
  follow(informer: SharedInformer<ConfigMap>): void {
    this.#informer = informer;
  }

  /** Records the cache if it has changed. */
  look(): void {
    if (!this.#informer) return;
    const { indexer } = this.#informer;
    const version = indexer.lastStoreSyncResourceVersion?.();
    const received = this.#informer.lastSyncResourceVersion();
    const objects = indexer.list();
    const { objects: before, ...seen } = this.#seen;
    const isSame = objects.length === before.length && objects.every((object, i) => object === before[i]);
    if (isSame && version === seen.version && received === seen.received) return;
    this.#seen = { objects, received, ...(version === undefined ? {} : { version }) };
    this.record({ kind: 'cache', ...this.#seen });
  }

  /** Returns a client that records each request and its answer. */
  client(client: Client): Client {
    return intercept(client, (request, send) => {
      switch (request.verb) {
        case 'list':
          return this.#list(request, send);
        case 'watch':
          return this.#watch(request, send);
        default:
          return send(request);
      }
    });
  }

  /** Returns the handler, and records its notifications under this name. */
  observe(name: HandlerName, handler: ResourceEventHandler<ConfigMap>): ResourceEventHandler<ConfigMap> {
    return this.handling(name, (what) => {
      switch (what.type) {
        case 'add':
          return handler.onAdd?.(what.object, what.isInInitialList);
        case 'update':
          return handler.onUpdate?.(what.previous, what.current);
        case 'delete':
          return handler.onDelete?.(what.object);
      }
    });
  }

  /** Returns a handler that records each notification before it handles it. */
  protected handling(
    name: HandlerName,
    handle: (what: Notification) => void | Promise<void>,
  ): ResourceEventHandler<ConfigMap> {
    const notify = (what: Notification): void | Promise<void> => {
      this.look();
      this.told(name, what);
      const done = (): void => this.done(name);
      let handled: void | Promise<void> | undefined;
      try {
        handled = handle(what);
      } finally {
        if (handled === undefined) done();
      }
      return handled?.then(done, (error) => {
        done();
        throw error;
      });
    };
    return {
      onAdd: (object, isInInitialList) => notify({ type: 'add', object, isInInitialList }),
      onUpdate: (previous, current) => notify({ type: 'update', previous, current }),
      onDelete: (object) => notify({ type: 'delete', object }),
    };
  }

  protected told(handler: HandlerName, what: Notification): void {
    this.record({ kind: 'told', handler, what });
  }

  protected done(handler: HandlerName): void {
    this.record({ kind: 'done', handler });
  }

  async #list(request: ApiRequest<'list'>, send: Send): Promise<List<KubeObject>> {
    const { resourceVersion: version = '', continue: token } = request.options;
    const asked = this.#asked(token === undefined ? 'list' : 'page', version);
    const list = await this.answered(asked, send(request));
    if (token === undefined) this.#pages = [];
    this.#pages.push(...(list.items as ConfigMap[]));
    const { resourceVersion, continue: more } = list.metadata;
    if (more === undefined) {
      this.look();
      this.record({ ...asked, kind: 'listed', resourceVersion, items: this.#pages });
    }
    return list;
  }

  async #watch(request: ApiRequest<'watch'>, send: Send): Promise<Watch<KubeObject>> {
    const asked = this.#asked(
      isStreamingList(request.options) ? 'stream' : 'watch',
      request.options.resourceVersion ?? '',
    );
    const watch = await this.answered(asked, send(request));
    this.record({ ...asked, kind: 'opened' });
    return this.#stream(asked, watch);
  }

  #asked(request: RequestKind, version: string) {
    const asked = { id: ++this.#requests, request, version };
    this.record({ ...asked, kind: 'asked' });
    return asked;
  }

  /** Records the failure of a request. @returns its answer */
  protected async answered<R>(asked: AskedRequest, answer: Promise<R>): Promise<R> {
    try {
      return await answer;
    } catch (error) {
      this.record({ ...asked, kind: 'failed', error });
      throw error;
    }
  }

  #stream<T extends KubeObject>(asked: AskedRequest, watch: Watch<T>): Watch<T> {
    const record = this.record.bind(this);
    const look = this.look.bind(this);
    const items = new Map<string, ConfigMap>();
    let about = asked;
    let isOpen = true;
    const close = (): void => {
      if (isOpen) record({ ...about, kind: 'closed' });
      isOpen = false;
    };
    return {
      stop: () => {
        watch.stop();
        close();
      },
      async *[Symbol.asyncIterator]() {
        try {
          for await (const each of watch) {
            const event = each as unknown as WatchEvent<ConfigMap>;
            record({ ...about, kind: 'event', event });
            if (about.request === 'stream') {
              gather(items, event);
              if (isInitialEventsEnd(each)) {
                about = { ...about, request: 'watch' };
                look();
                const { resourceVersion } = each.object.metadata as { resourceVersion: string };
                record({ ...asked, kind: 'listed', resourceVersion, items: [...items.values()] });
              }
            }
            yield each;
          }
          record({ ...about, kind: 'ended' });
        } finally {
          close();
        }
      },
    };
  }
}

/** Returns whether a watch begins with the existing objects; without a version, or with `0`, that is the default. */
function isStreamingList({ sendInitialEvents, resourceVersion = '' }: WatchOptions): boolean {
  return sendInitialEvents ?? (resourceVersion === '' || resourceVersion === '0');
}

/** Applies one initial event of a streaming list. */
function gather(items: Map<string, ConfigMap>, event: WatchEvent<ConfigMap>): void {
  if (event.type === 'ADDED' || event.type === 'MODIFIED') {
    items.set(keyToString(keyOf(event.object)), event.object);
  } else if (event.type === 'DELETED') items.delete(keyToString(keyOf(event.object)));
}
