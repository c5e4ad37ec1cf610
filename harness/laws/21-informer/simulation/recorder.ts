import { type ConfigMap, type KubeObject, keyOf, keyToString, type List } from '../../../api/objects.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../../api/watch-event.ts';
import type { Client, Watch, WatchOptions } from '../../../contracts/client.ts';
import {
  DeletedFinalStateUnknown,
  type ResourceEventHandler,
  type SharedInformer,
} from '../../../contracts/informer.ts';
import { intercept } from '../../../contracts/intercept.ts';
import type { ApiRequest, Send } from '../../../contracts/request.ts';
import type { Clock, Simulation, TraceEntry } from '../../../sim/index.ts';
import type { AskedRequest, CacheState, HistoryEntry, Notification, RequestKind } from '../history.ts';
import { PROCESS } from '../operations.ts';
import type { HandlerName } from '../scenario.ts';

type Entry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** The time that a slow handler takes for each notification. */
const SLOW_MS = 2_000;
/** The slow handlers. */
const SLOW: ReadonlySet<HandlerName> = new Set(['slow', 'leaving']);

/** The error of the handler that throws on purpose. */
export class HandlerBroke extends Error {
  override readonly name = 'HandlerBroke';
}

/** Records the requests, answers, cache states and notifications of an informer. */
export class Recorder {
  readonly entries: HistoryEntry[] = [];
  /** By handler and key: the last state of the object that the handler got. */
  readonly views = new Map<HandlerName, Map<string, ConfigMap>>();
  readonly #sim: Simulation;
  /** The watches of the trace that are streaming lists. */
  readonly #streams = new Set<TraceEntry>();
  readonly #busy = new Set<HandlerName>();
  #informer: SharedInformer<ConfigMap> | undefined;
  #seen: CacheState = { objects: [], received: '' };
  #requests = 0;
  /** The items of the last list, from the pages that have arrived. */
  #pages: ConfigMap[] = [];

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** Whether a handler is busy. */
  get busy(): boolean {
    return this.#busy.size > 0;
  }

  /** Returns a copy of the trace for a timeline: its rows distinguish streaming lists from watches. */
  rows(): readonly TraceEntry[] {
    return this.#sim.trace.entries.map((entry) =>
      this.#streams.has(entry) ? { ...entry, verb: 'streaming list' } : entry,
    );
  }

  record(entry: Entry): void {
    this.entries.push({ atMs: this.#sim.elapsedMs, ...entry } as HistoryEntry);
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

  /** Returns the handler of this name, and records its notifications. */
  handler(name: HandlerName, clock: Clock): ResourceEventHandler<ConfigMap> {
    const view = new Map<string, ConfigMap>();
    this.views.set(name, view);
    const handle = (what: Notification): void | Promise<void> => {
      this.look();
      this.#told(name, view, what);
      if (name === 'throwing') {
        this.record({ kind: 'done', handler: name });
        throw new HandlerBroke('this handler throws at each notification');
      }
      if (!SLOW.has(name)) return this.record({ kind: 'done', handler: name });
      this.#busy.add(name);
      return clock.sleep(SLOW_MS).then(() => {
        this.#busy.delete(name);
        this.record({ kind: 'done', handler: name });
      });
    };
    return {
      onAdd: (object, isInInitialList) => handle({ type: 'add', object, isInInitialList }),
      onUpdate: (previous, current) => handle({ type: 'update', previous, current }),
      onDelete: (object) => handle({ type: 'delete', object }),
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
    const { length } = this.#sim.trace.entries;
    const watch = await this.#orFailed(asked, send(request)).finally(() => {
      if (asked.request === 'stream') this.#noteStream(length);
    });
    this.record({ ...asked, kind: 'opened' });
    return this.#stream(asked, watch);
  }

  /** @param from the length of the trace when the request was sent */
  #noteStream(from: number): void {
    const answered = this.#sim.trace.entries.slice(from);
    const row = answered.findLast(({ actor, verb }) => actor === PROCESS && verb === 'watch');
    if (row) this.#streams.add(row);
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
