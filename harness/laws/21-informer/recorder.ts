import { type ConfigMap, type KubeObject, keyOf, keyToString, type List } from '../../api/objects.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../api/watch-event.ts';
import type { Client, Watch, WatchOptions } from '../../contracts/client.ts';
import {
  DeletedFinalStateUnknown,
  type ResourceEventHandler,
  type SharedInformer,
} from '../../contracts/informer.ts';
import { intercept } from '../../contracts/intercept.ts';
import type { ApiRequest, Send } from '../../contracts/request.ts';
import type { Clock, Simulation } from '../../sim/index.ts';
import type { AskedRequest, CacheState, HistoryEntry, Notification, RequestKind } from './history.ts';
import type { HandlerName } from './scenario.ts';

type Entry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** How long a slow handler takes over each notification. */
const SLOW_MS = 2_000;
/** Which handlers are slow. */
const SLOW: ReadonlySet<HandlerName> = new Set(['slow', 'leaving']);

/** What a handler throws that throws on purpose. */
export class HandlerBroke extends Error {
  override readonly name = 'HandlerBroke';
}

/** Writes down what an informer asks, gets, keeps and tells. */
export class Recorder {
  readonly entries: HistoryEntry[] = [];
  /** By handler and key: the object that the handler believes to be there. */
  readonly views = new Map<HandlerName, Map<string, ConfigMap>>();
  readonly #sim: Simulation;
  readonly #busy = new Set<HandlerName>();
  #informer: SharedInformer<ConfigMap> | undefined;
  #seen: CacheState = { objects: [], received: '' };
  #requests = 0;
  /** The items of the pages that came so far, of the list that was asked for last. */
  #pages: ConfigMap[] = [];

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Is a handler still at work? */
  get busy(): boolean {
    return this.#busy.size > 0;
  }

  record(entry: Entry): void {
    this.entries.push({ atMs: this.#sim.elapsedMs, ...entry } as HistoryEntry);
  }

  /** Looks into this informer's cache from now on. */
  follow(informer: SharedInformer<ConfigMap>): void {
    this.#informer = informer;
  }

  /** Looks at the cache, and writes it down if it has changed. */
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

  /** The client, recorded. */
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

  /** A handler of this name, which behaves as its name says. */
  handler(name: HandlerName, clock: Clock): ResourceEventHandler<ConfigMap> {
    const view = new Map<string, ConfigMap>();
    this.views.set(name, view);
    const tell = (what: Notification): void | Promise<void> => {
      this.look();
      this.#told(name, view, what);
      if (name === 'throwing') {
        this.record({ kind: 'done', handler: name });
        throw new HandlerBroke('this handler throws whatever it is told');
      }
      if (!SLOW.has(name)) return this.record({ kind: 'done', handler: name });
      this.#busy.add(name);
      return clock.sleep(SLOW_MS).then(() => {
        this.#busy.delete(name);
        this.record({ kind: 'done', handler: name });
      });
    };
    return {
      onAdd: (object, isInInitialList) => tell({ type: 'add', object, isInInitialList }),
      onUpdate: (previous, current) => tell({ type: 'update', previous, current }),
      onDelete: (object) => tell({ type: 'delete', object }),
    };
  }

  #told(handler: HandlerName, view: Map<string, ConfigMap>, what: Notification): void {
    this.record({ kind: 'told', handler, what });
    const object = what.type === 'update' ? what.current : what.object;
    const [name, revision] =
      object instanceof DeletedFinalStateUnknown
        ? [object.key, undefined]
        : [keyToString(keyOf(object)), Number(object.metadata.resourceVersion)];
    if (what.type === 'delete') view.delete(name);
    else view.set(name, object as ConfigMap);
    this.#sim.trace.record({
      actor: `handler ${handler}`,
      verb: what.type,
      object: `configmaps/${name}`,
      ...(revision === undefined ? { outcome: 'final state unknown' } : { revision }),
    });
  }

  async #list(request: ApiRequest<'list'>, send: Send): Promise<List<KubeObject>> {
    const { resourceVersion: version = '', continue: token } = request.options;
    const asked = this.#asked(token === undefined ? 'list' : 'page', version);
    const list = await this.#orFailed(asked, send(request));
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
    const watch = await this.#orFailed(asked, send(request));
    this.record({ ...asked, kind: 'opened' });
    return this.#stream(asked, watch);
  }

  #asked(request: RequestKind, version: string) {
    const asked = { id: ++this.#requests, request, version };
    this.record({ ...asked, kind: 'asked' });
    return asked;
  }

  async #orFailed<R>(asked: AskedRequest, answer: Promise<R>): Promise<R> {
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

/** Does the watch begin with what there is? Without a version, or with any, a server takes that for granted. */
function isStreamingList({ sendInitialEvents, resourceVersion = '' }: WatchOptions): boolean {
  return sendInitialEvents ?? (resourceVersion === '' || resourceVersion === '0');
}

/** Takes in one event of what a streaming list begins with. */
function gather(items: Map<string, ConfigMap>, event: WatchEvent<ConfigMap>): void {
  if (event.type === 'ADDED' || event.type === 'MODIFIED') {
    items.set(keyToString(keyOf(event.object)), event.object);
  } else if (event.type === 'DELETED') items.delete(keyToString(keyOf(event.object)));
}
