import type { ConfigMap, KubeObject, List } from '../../api/objects.ts';
import type { WatchEvent } from '../../api/watch-event.ts';
import type { Client, Watch } from '../../contracts/client.ts';
import { DeletedFinalStateUnknown, type ResourceEventHandler } from '../../contracts/informer.ts';
import { intercept } from '../../contracts/intercept.ts';
import type { ApiRequest, Send } from '../../contracts/request.ts';
import type { Clock, Simulation } from '../../sim/index.ts';
import type { HistoryEntry, Told } from './history.ts';
import type { HandlerName } from './scenario.ts';

type Entry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** How long the slow handler takes over each notification. */
const SLOW_MS = 2_000;

/** What a handler throws that throws on purpose. */
export class HandlerBroke extends Error {
  override readonly name = 'HandlerBroke';
}

/** Writes down what an informer asks, gets and tells. */
export class Recorder {
  readonly entries: HistoryEntry[] = [];
  /** By handler and key: the object that the handler believes to be there. */
  readonly views = new Map<HandlerName, Map<string, ConfigMap>>();
  readonly #sim: Simulation;
  readonly #busy = new Set<HandlerName>();

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
  handler(name: HandlerName, clock: Clock, live: () => boolean): ResourceEventHandler<ConfigMap> {
    const view = new Map<string, ConfigMap>();
    this.views.set(name, view);
    const tell = (what: Told): void | Promise<void> => {
      this.#told(name, view, what);
      if (name === 'throwing') {
        this.record({ kind: 'done', handler: name });
        throw new HandlerBroke('this handler throws whatever it is told');
      }
      if (name !== 'slow') return this.record({ kind: 'done', handler: name });
      this.#busy.add(name);
      return clock.sleep(SLOW_MS).then(() => {
        this.#busy.delete(name);
        if (live()) this.record({ kind: 'done', handler: name });
      });
    };
    return {
      onAdd: (object, isInInitialList) => tell({ type: 'add', object, isInInitialList }),
      onUpdate: (previous, current) => tell({ type: 'update', previous, current }),
      onDelete: (object) => tell({ type: 'delete', object }),
    };
  }

  #told(handler: HandlerName, view: Map<string, ConfigMap>, what: Told): void {
    this.record({ kind: 'told', handler, what });
    const object = what.type === 'update' ? what.current : what.object;
    const [name, revision] =
      object instanceof DeletedFinalStateUnknown
        ? [object.key, undefined]
        : [keyOf(object), Number(object.metadata.resourceVersion)];
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
    const { resourceVersion: asked = '', continue: token } = request.options;
    this.record({ kind: 'list', asked, page: token !== undefined });
    const list = await this.#orFailed('list', send(request));
    const { resourceVersion, continue: more } = list.metadata;
    const items = list.items as ConfigMap[];
    this.record({ kind: 'listed', resourceVersion, items, more: more !== undefined });
    return list;
  }

  async #watch(request: ApiRequest<'watch'>, send: Send): Promise<Watch<KubeObject>> {
    this.record({ kind: 'watch', asked: request.options.resourceVersion ?? '' });
    const watch = await this.#orFailed('watch', send(request));
    this.record({ kind: 'watching' });
    return this.#stream(watch);
  }

  async #orFailed<R>(request: 'list' | 'watch', answer: Promise<R>): Promise<R> {
    try {
      return await answer;
    } catch (error) {
      this.record({ kind: 'failed', request, error });
      throw error;
    }
  }

  #stream<T extends KubeObject>(watch: Watch<T>): Watch<T> {
    const record = this.record.bind(this);
    return {
      stop: () => watch.stop(),
      async *[Symbol.asyncIterator]() {
        for await (const event of watch) {
          record({ kind: 'event', event: event as unknown as WatchEvent<ConfigMap> });
          yield event;
        }
        record({ kind: 'ended' });
      },
    };
  }
}

function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace ? `${namespace}/${name}` : name;
}
