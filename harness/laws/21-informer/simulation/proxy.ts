import type { ConfigMap, KubeObject } from '../../../api/objects.ts';
import { leases } from '../../../api/resource.ts';
import { errors } from '../../../api/status.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../../api/watch-event.ts';
import type { Cluster } from '../../../cluster/cluster.ts';
import type { Client, ListOptions, Watch } from '../../../contracts/client.ts';
import { intercept } from '../../../contracts/intercept.ts';
import { failureOf, type WatchFailure } from '../../../faults/index.ts';
import type { Trick } from '../operations.ts';
import type { Pages } from '../scenario.ts';
import { configMap } from './scripted-server.ts';

/** The number of items on a small page. */
const PAGE_SIZE = 2;

/** Retry-After of a busy proxy: longer than a first wait. */
const BUSY_SECONDS = 20;

/** One open watch. */
interface Stream {
  /** The number of events until it ends. */
  events: number;
  /** The error at its end. */
  readonly error: WatchFailure | undefined;
  isDeaf: boolean;
  /** Events to insert after the next event. */
  extras: ((resourceVersion: string) => WatchEvent<KubeObject>)[];
}

/**
 * A proxy between the informer and the apiservers, for faults that the cluster does not have: it ends streams early,
 * inserts events, and makes pages small, as an apiserver without a watch cache does.
 */
export class WatchProxy {
  readonly #cluster: Cluster;
  readonly #pages: Pages;
  readonly #open = new Set<Stream>();
  /** How the next watches end. */
  #ends: { watches: number; readonly events: number; readonly error: WatchFailure | undefined }[] = [];
  #extras: Stream['extras'] = [];
  /** The number of requests that are still refused. */
  #busy = 0;
  /** The number of watches that are still forbidden. */
  #forbidden = 0;

  constructor(cluster: Cluster, pages: Pages) {
    this.#cluster = cluster;
    this.#pages = pages;
  }

  /** Returns a client whose requests go through the proxy. */
  client(client: Client): Client {
    return intercept(client, async (request, send) => {
      if (this.#busy > 0) {
        this.#busy--;
        const { verb, resource } = request;
        const outcome = 'TooManyRequests';
        this.#cluster.trace.record({ actor: 'proxy', verb: `refuses ${verb} ${resource.plural}`, outcome });
        throw errors.tooManyRequests('Too many requests, please try again later.', BUSY_SECONDS);
      }
      if (request.verb === 'watch' && this.#forbidden > 0) {
        this.#forbidden--;
        const { resource } = request;
        this.#cluster.trace.record({
          actor: 'proxy',
          verb: `refuses watch ${resource.plural}`,
          outcome: 'Forbidden',
        });
        throw errors.forbidden(resource, '', 'the Role has no verb watch');
      }
      if (request.verb === 'list') return send({ ...request, options: await this.#paged(request.options) });
      if (request.verb !== 'watch') return send(request);
      const watch = await send(request);
      return this.#through(watch, request.options.sendInitialEvents === true);
    });
  }

  play(trick: Trick): void {
    this.#cluster.trace.record({ actor: 'proxy', verb: VERBS[trick.trick] });
    switch (trick.trick) {
      case 'end':
        this.#ends.push({ watches: trick.watches, events: trick.events, error: trick.error });
        return;
      case 'busy':
        this.#busy = trick.requests;
        return;
      case 'forbid':
        this.#forbidden = trick.watches;
        return;
      case 'deafen':
        for (const stream of this.#open) stream.isDeaf = true;
        return;
      case 'deletion':
        this.#insert((resourceVersion) => ({
          type: 'DELETED',
          object: configMap('never-seen', resourceVersion),
        }));
    }
  }

  /** Ends all tricks. A deaf stream stays deaf until it ends. */
  calmDown(): void {
    this.#ends = [];
    this.#extras = [];
    this.#busy = 0;
    this.#forbidden = 0;
    for (const stream of this.#open) {
      stream.events = Number.POSITIVE_INFINITY;
      stream.extras = [];
    }
  }

  #insert(extra: Stream['extras'][number]): void {
    if (this.#open.size === 0) this.#extras.push(extra);
    for (const stream of this.#open) stream.extras.push(extra);
  }

  /** Without a watch cache, "any version" means the newest, and the list comes in pages, too. */
  async #paged(options: ListOptions): Promise<ListOptions> {
    if (this.#pages === 'whole' || !options.limit) return options;
    if (options.continue !== undefined && this.#pages === 'expiring') await this.#forget();
    const { resourceVersion, ...rest } = options;
    const isAny = resourceVersion === undefined || resourceVersion === '0';
    return { ...rest, ...(isAny ? {} : { resourceVersion }), limit: PAGE_SIZE };
  }

  /** Compacts all revisions, so that the next page has expired. */
  async #forget(): Promise<void> {
    const { admin, storage } = this.#cluster;
    await admin.create(leases, { metadata: { namespace: 'default', generateName: 'another-' }, spec: {} });
    storage.compact(storage.revision);
  }

  /** @param isList whether the watch begins with a list; no event is inserted into the list */
  #through<T extends KubeObject>(watch: Watch<T>, isList: boolean): Watch<T> {
    const stream: Stream = { ...this.#nextEnd(), isDeaf: false, extras: this.#extras };
    this.#extras = [];
    this.#open.add(stream);
    const open = this.#open;
    let isListing = isList;
    const { trace } = this.#cluster;
    const end = function* () {
      const { error } = stream;
      trace.record({ actor: 'proxy', verb: 'ends the watch', ...(error ? { outcome: error } : {}) });
      if (error) yield { type: 'ERROR' as const, object: failureOf(error).status };
    };
    return {
      stop: () => watch.stop(),
      async *[Symbol.asyncIterator]() {
        try {
          if (stream.events === 0) {
            yield* end();
            return;
          }
          for await (const event of watch) {
            if (stream.isDeaf) continue;
            yield event;
            stream.events--;
            if (isInitialEventsEnd(event)) isListing = false;
            if (event.type !== 'ERROR' && !isListing) {
              const { resourceVersion } = (event.object as ConfigMap).metadata;
              for (const extra of stream.extras.splice(0)) yield extra(resourceVersion) as WatchEvent<T>;
            }
            if (stream.events > 0) continue;
            yield* end();
            return;
          }
        } finally {
          open.delete(stream);
          watch.stop();
        }
      },
    };
  }

  /** Returns how the watch that opens now ends. */
  #nextEnd(): Pick<Stream, 'events' | 'error'> {
    const [next] = this.#ends;
    if (!next) return { events: Number.POSITIVE_INFINITY, error: undefined };
    if (--next.watches === 0) this.#ends.shift();
    return next;
  }
}

const VERBS: Readonly<Record<Trick['trick'], string>> = {
  end: 'ends the next watches early',
  busy: 'is busy',
  forbid: 'forbids watches',
  deafen: 'drops the events of the watch',
  deletion: 'inserts a DELETED event',
};
