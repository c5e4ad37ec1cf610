import {
  type KeyValueStore,
  type KeyWatch,
  KeyWatchQueue,
  type KeyWatchRequest,
  MemoryLog,
  type ObjectStoreContext,
  type RangeRequest,
  type Transaction,
} from '#given/12-store';
import type { KubeObject, List, WatchEvent } from '#harness';
import { Simulation } from '#harness/testing';
import { newKeyValueStore } from '#kata/12-store/store';

export const resource = { plural: 'configmaps', kind: 'ConfigMap', apiVersion: 'v1' };
export const prefix = '/registry/configmaps/';

/** Returns a ConfigMap: `a`, or `other/a` in another namespace. */
export function configMap(place: string, data: Readonly<Record<string, string>> = {}): KubeObject {
  const [name = '', namespace = 'ns'] = place.split('/').reverse();
  const metadata = { name, namespace, uid: `uid-of-${place}` };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as unknown as KubeObject;
}

/** Returns the place of an object: `a`, or `other/a` in another namespace. */
export function placeOf(place: string) {
  const [name = '', namespace = 'ns'] = place.split('/').reverse();
  return { namespace, name };
}

/** Returns the data of a ConfigMap. */
export const dataOf = (object: KubeObject): Readonly<Record<string, string>> =>
  (object as unknown as { data: Record<string, string> }).data;

/** Returns a copy of a ConfigMap with other data. */
export const withData = (object: KubeObject, data: Readonly<Record<string, string>>): KubeObject =>
  ({ ...object, data }) as KubeObject;

/** Returns an object in short: `a@3`, or `other/a@3` in another namespace. */
export function short({ metadata: { namespace, name, resourceVersion } }: KubeObject): string {
  return `${namespace === 'ns' ? '' : `${namespace}/`}${name}@${resourceVersion}`;
}

/** Returns a list in short: `a@3 b@4, at 7`. */
export const shortList = ({ items, metadata }: List<KubeObject>): string =>
  `${items.map(short).join(' ')}, at ${metadata.resourceVersion}`;

/** Returns events in short: `ADDED a@3`, `BOOKMARK 7`. */
export const shortEvents = (events: readonly WatchEvent[]): readonly string[] =>
  events.map((event) => {
    if (event.type === 'ERROR') return `ERROR ${event.object.message}`;
    if (event.type !== 'BOOKMARK') return `${event.type} ${short(event.object)}`;
    const { resourceVersion, annotations = {} } = event.object.metadata;
    return ['BOOKMARK', resourceVersion, ...Object.keys(annotations)].join(' ');
  });

/** A store whose watches can be held: then a cache of it stays behind. */
export class HeldStore implements KeyValueStore {
  readonly #store: KeyValueStore;
  /** Called before each transaction. */
  beforeTransaction: () => Promise<void> = async () => {};
  /** The number of transactions. */
  transactions = 0;
  /** The times of the requests for progress. */
  readonly progressRequests: number[] = [];
  readonly #now: () => number;
  #held = false;
  #waiting: (() => void)[] = [];
  readonly #streams = new Set<KeyWatchQueue>();

  constructor(store: KeyValueStore, now: () => number = () => 0) {
    this.#store = store;
    this.#now = now;
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    for (const send of this.#waiting) send();
    this.#waiting = [];
  }

  /** Ends all watches, as a restart of the store does. */
  endWatches(): void {
    for (const stream of this.#streams) stream.end();
  }

  watch(request: KeyWatchRequest): KeyWatch {
    const watch = this.#store.watch(request);
    const stream = new KeyWatchQueue(
      () => {
        this.#streams.delete(stream);
        watch.stop();
      },
      () => {
        this.progressRequests.push(this.#now());
        watch.requestProgress();
      },
    );
    this.#streams.add(stream);
    void this.#forward(watch, stream);
    return stream;
  }

  async #forward(watch: KeyWatch, stream: KeyWatchQueue): Promise<void> {
    for await (const message of watch) {
      if (this.#held) this.#waiting.push(() => stream.push(message));
      else stream.push(message);
    }
  }

  async transact(transaction: Transaction) {
    this.transactions++;
    await this.beforeTransaction();
    return this.#store.transact(transaction);
  }

  range = (request: RangeRequest) => this.#store.range(request);
  compact = (revision: number) => this.#store.compact(revision);
  grantLease = (seconds: number) => this.#store.grantLease(seconds);
  revokeLease = (id: string) => this.#store.revokeLease(id);
}

/** Opens a store, with a context for its ConfigMaps. */
export async function openContext(): Promise<{
  readonly sim: Simulation;
  readonly store: HeldStore;
  readonly context: ObjectStoreContext;
  /** Ends the apiserver. */
  readonly end: () => void;
}> {
  const sim = new Simulation();
  const { clock } = sim;
  const { signal } = new AbortController();
  const process = new AbortController();
  const store = new HeldStore(await newKeyValueStore({ clock, log: new MemoryLog(), signal }), () =>
    clock.now(),
  );
  const context = { store, resource, prefix, clock, signal: process.signal };
  return { sim, store, context, end: () => process.abort() };
}
