import type { ConfigMap, KubeObject } from '../../api/objects.ts';
import { leases } from '../../api/resource.ts';
import { errors } from '../../api/status.ts';
import { isInitialEventsEnd, type WatchEvent } from '../../api/watch-event.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Client, ListOptions, Watch } from '../../contracts/client.ts';
import { intercept } from '../../contracts/intercept.ts';
import { failureOf, type WatchFailure } from '../../faults/index.ts';
import type { Pages } from './scenario.ts';
import { configMap } from './scripted-server.ts';
import type { Trick } from './step.ts';

/** As many items has a page where pages are small. */
const PAGE_SIZE = 2;

/** For so long a busy proxy asks to be left alone: for longer than a first wait lasts. */
const BUSY_SECONDS = 20;

/** One watch on its way through. */
interface Stream {
  /** It ends after so many more events. */
  events: number;
  /** What it ends with, if it ends so. */
  readonly error: WatchFailure | undefined;
  isDeaf: boolean;
  /** What is slipped in after the next event. */
  extras: ((resourceVersion: string) => WatchEvent<KubeObject>)[];
}

/**
 * What stands between the informer and the apiservers, and does what the cluster's own faults do not: it ends streams early, slips
 * something in, and makes pages small, as the apiserver does if it has no watch cache.
 */
export class WatchProxy {
  readonly #cluster: Cluster;
  readonly #pages: Pages;
  readonly #open = new Set<Stream>();
  /** What awaits the next watches. */
  #ends: { watches: number; readonly events: number; readonly error: WatchFailure | undefined }[] = [];
  #extras: Stream['extras'] = [];
  /** As many requests are refused. */
  #busy = 0;

  constructor(cluster: Cluster, pages: Pages) {
    this.#cluster = cluster;
    this.#pages = pages;
  }

  /** The client, through the proxy. */
  client(client: Client): Client {
    return intercept(client, async (request, send) => {
      if (this.#busy > 0) {
        this.#busy--;
        const { verb, resource } = request;
        const outcome = 'TooManyRequests';
        this.#cluster.trace.record({ actor: 'proxy', verb: `refuses ${verb} ${resource.plural}`, outcome });
        throw errors.tooManyRequests('Too many requests, please try again later.', BUSY_SECONDS);
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
      case 'deafen':
        for (const stream of this.#open) stream.isDeaf = true;
        return;
      case 'deletion':
        this.#programmingErrorIn((resourceVersion) => ({
          type: 'DELETED',
          object: configMap('never-seen', resourceVersion),
        }));
    }
  }

  /** From now on it plays no more tricks. A stream that is deaf stays so until it ends. */
  calmDown(): void {
    this.#ends = [];
    this.#extras = [];
    this.#busy = 0;
    for (const stream of this.#open) {
      stream.events = Number.POSITIVE_INFINITY;
      stream.extras = [];
    }
  }

  #programmingErrorIn(extra: Stream['extras'][number]): void {
    if (this.#open.size === 0) this.#extras.push(extra);
    for (const stream of this.#open) stream.extras.push(extra);
  }

  /** Without a watch cache any version will do means the newest, and comes in pages, too. */
  async #paged(options: ListOptions): Promise<ListOptions> {
    if (this.#pages === 'whole' || !options.limit) return options;
    if (options.continue !== undefined && this.#pages === 'expiring') await this.#forget();
    const { resourceVersion, ...rest } = options;
    const isAny = resourceVersion === undefined || resourceVersion === '0';
    return { ...rest, ...(isAny ? {} : { resourceVersion }), limit: PAGE_SIZE };
  }

  /** Whatever was listed by now is forgotten. */
  async #forget(): Promise<void> {
    const { admin, storage } = this.#cluster;
    await admin.create(leases, { metadata: { namespace: 'default', generateName: 'another-' }, spec: {} });
    storage.compact(storage.revision);
  }

  /** @param isList whether it begins with a list: nothing is slipped into that */
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

  /** How the watch that is opened now ends. */
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
  deafen: 'keeps back what the watch brings',
  deletion: 'slips in a deletion',
};
