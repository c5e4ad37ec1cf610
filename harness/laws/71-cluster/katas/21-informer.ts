import type { ConfigMap, KubeObject } from '../../../api/objects.ts';
import type { Resource } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import type { JournalEntry } from '../../../cluster/journal.ts';
import type { Client } from '../../../contracts/client.ts';
import type { Components } from '../../../contracts/component.ts';
import type {
  IndexReader,
  InformerOptions,
  NewInformer,
  ResourceEventHandlerRegistration,
  SharedInformer,
} from '../../../contracts/informer.ts';
import { ObjectHistories } from '../../../testing/rig/object-history.ts';
import type { HistoryEntry, InformerHistory, Of } from '../../21-informer/history.ts';
import { informerLaws } from '../../21-informer/index.ts';
import { nameOfObject } from '../../21-informer/render/names.ts';
import type { HandlerName } from '../../21-informer/scenario.ts';
import { sameObjects } from '../../21-informer/simulation/index.ts';
import { Recorder } from '../../21-informer/simulation/recorder.ts';
import type { ClusterHistory } from '../history.ts';
import { endOf, Incarnation } from './incarnation.ts';
import type { KataInCluster, Observer } from './kata.ts';
import { ofEach, type Part, withoutSituation } from './parts.ts';

/** The longest time from a write until the informers of a healed cluster have received it. */
const RECEIVED_WITHIN_MS = 5_000;

/** An informer of a process, and the record of its calls. */
class InformerRecorder extends Recorder {
  readonly resource: Resource;
  readonly incarnation: Incarnation;
  readonly handlers: HandlerName[] = [];
  readonly #indexers: NonNullable<InformerOptions<ConfigMap>['indexers']>;
  /** By the name of the index: all values that an object has had. */
  readonly #values = new Map<string, Set<string>>();
  /** Those whose `hasSynced` was still false at the last look. */
  readonly #unsynced = new Map<'informer' | HandlerName, ResourceEventHandlerRegistration>();
  #indexer: IndexReader<ConfigMap> | undefined;

  constructor({ resource, indexers = {} }: InformerOptions<ConfigMap>, incarnation: Incarnation) {
    super(() => incarnation.elapsedMs);
    this.resource = resource as Resource;
    this.incarnation = incarnation;
    this.#indexers = indexers;
  }

  override follow(informer: SharedInformer<ConfigMap>): void {
    super.follow(informer);
    this.#indexer = informer.indexer;
    this.#unsynced.set('informer', informer);
  }

  override look(): void {
    const { length } = this.entries;
    super.look();
    if (this.entries.length !== length && this.#indexer) this.#lookAtIndexes(this.#indexer);
    for (const [who, owner] of this.#unsynced) {
      if (!owner.hasSynced()) continue;
      this.#unsynced.delete(who);
      super.record({ kind: 'synced', who });
    }
  }

  override record(entry: Parameters<Recorder['record']>[0]): void {
    if (entry.kind === 'event') this.look();
    super.record(entry);
  }

  /** Returns the informer that the process gets. */
  observed(informer: SharedInformer<ConfigMap>): SharedInformer<ConfigMap> {
    return {
      indexer: informer.indexer,
      hasSynced: () => informer.hasSynced(),
      lastSyncResourceVersion: () => informer.lastSyncResourceVersion(),
      run: (signal) => informer.run(signal),
      removeEventHandler: (registration) => informer.removeEventHandler(registration),
      addEventHandler: (handler, options) => {
        // The laws know the first handler by the name of a handler of the kata that returns at once.
        const name = (
          this.handlers.length === 0 ? 'steady' : `handler ${this.handlers.length + 1}`
        ) as HandlerName;
        this.handlers.push(name);
        this.look();
        this.record({ kind: 'joined', handler: name });
        const registration = informer.addEventHandler(this.observe(name, handler), options);
        this.#unsynced.set(name, registration);
        return registration;
      },
    };
  }

  #lookAtIndexes(indexer: IndexReader<ConfigMap>): void {
    const cached = indexer.list();
    for (const [index, valuesOf] of Object.entries(this.#indexers)) {
      const byValue = new Map<string, ConfigMap[]>();
      for (const object of cached)
        for (const value of new Set(valuesOf(object)))
          byValue.set(value, [...(byValue.get(value) ?? []), object]);
      const known = this.#values.get(index) ?? new Set();
      this.#values.set(index, known);
      for (const value of byValue.keys()) known.add(value);
      for (const value of known) {
        const expected = byValue.get(value) ?? [];
        const found = indexer.byIndex(index, value);
        const isSame = found.length === expected.length && found.every((object) => expected.includes(object));
        if (isSame || sameObjects(found, expected)) continue;
        const say = (objects: readonly ConfigMap[]): string =>
          objects.map(nameOfObject).join(', ') || 'nothing';
        const what = `byIndex('${index}', '${value}') returned ${say(found)}, but in the cache ${say(expected)} has that value`;
        super.record({ kind: 'wrong', what });
      }
    }
  }
}

/** An informer, and everything that happened to it until the end of the history. */
type ObservedInformer = Pick<InformerRecorder, 'resource' | 'incarnation' | 'handlers' | 'entries'>;

/** Records each informer of each process. */
class InformerObserver implements Observer {
  readonly #recorders: InformerRecorder[] = [];

  /** A copy of the records, with the caches at this moment. */
  get observed(): readonly ObservedInformer[] {
    return this.#recorders.map((recorder) => {
      recorder.look();
      const { resource, incarnation, handlers, entries } = recorder;
      return { resource, incarnation, handlers: [...handlers], entries: [...entries] };
    });
  }

  wrap(components: Partial<Components>): Partial<Components> {
    const { informer: create } = components;
    if (!create) return components;
    const informer = ((options: InformerOptions<ConfigMap>) => {
      const recorder = new InformerRecorder(options, new Incarnation(options.clock));
      this.#recorders.push(recorder);
      const created = create({ ...options, client: recorder.client(options.client as Client) });
      recorder.follow(created);
      return recorder.observed(created);
    }) as unknown as NewInformer;
    return { ...components, informer };
  }
}

/** The writes to one resource. */
interface Writes {
  readonly journal: readonly JournalEntry[];
  /** The versions that each object had in the last seconds of the history; `undefined` stands for its absence. */
  readonly lately: readonly {
    readonly uid: string;
    readonly versions: readonly (KubeObject | undefined)[];
  }[];
}

const prepared = new WeakMap<ClusterHistory, readonly Part<InformerHistory>[]>();

/** Returns the history of each informer until the end of its incarnation. */
function informersOf(history: ClusterHistory): readonly Part<InformerHistory>[] {
  const known = prepared.get(history);
  if (known) return known;
  const writes = new Map<string, Writes>();
  const all = (history.observed.get('21-informer') ?? []) as readonly ObservedInformer[];
  const informers = all.map((observed) => {
    const { resource, incarnation } = observed;
    const { plural } = resource;
    const id = `${resource.plural}.${resource.group}`;
    const own = writes.get(id) ?? writesOf(history, resource);
    writes.set(id, own);
    return {
      name: `informer of ${plural} in ${incarnation.process}`,
      history: informerHistory(history, observed, own),
      objectOf: (object: string) => object.replace(/^configmaps/, plural),
    };
  });
  prepared.set(history, informers);
  return informers;
}

function writesOf({ journal: all, endMs }: ClusterHistory, resource: Resource): Writes {
  const journal = all.filter((entry) => sameResource(entry.resource, resource));
  const lately = new ObjectHistories(journal).all
    .map((object) => ({ uid: object.id, versions: object.duringMs(endMs - RECEIVED_WITHIN_MS, endMs) }))
    .filter(({ versions }) => versions.some((each) => each !== undefined));
  return { journal, lately };
}

function informerHistory(
  history: ClusterHistory,
  { entries, handlers, resource, incarnation }: ObservedInformer,
  writes: Writes,
): InformerHistory {
  const { atMs, isAlive } = endOf(history, incarnation);
  const own = isAlive ? entries : entries.filter((entry) => entry.atMs < atMs);
  const { healedMs, restedMs } = history;
  const isSettled = isAlive && restedMs !== undefined && incarnation.fromMs <= healedMs;
  const cache = own.findLast((entry): entry is Of<'cache'> => entry.kind === 'cache')?.objects ?? [];
  const settled = isSettled ? { cache, server: serverOf(cache, writes) } : { cache: [], server: [] };
  const mark = (name: 'quiet' | 'ending'): HistoryEntry => ({ atMs, kind: 'mark', mark: name });
  return {
    ...history,
    journal: writes.journal,
    resource,
    entries: isSettled ? [...own, mark('quiet'), mark('ending')] : own,
    handlers: isSettled ? handlers : [],
    converged: isSettled && sameObjects(settled.cache, settled.server),
    settled,
    watchesLeft: 0,
    returned: true,
  };
}

/** Returns the objects of the server at the end. The newest writes may still be on their way to the cache. */
function serverOf(cache: readonly ConfigMap[], { lately }: Writes): readonly ConfigMap[] {
  const cached = new Map(cache.map((object) => [object.metadata.uid, object]));
  return lately.flatMap(({ uid, versions }) => {
    const kept = cached.get(uid);
    const isRecent = versions.some(
      (each) => each?.metadata.resourceVersion === kept?.metadata.resourceVersion,
    );
    return ((isRecent ? kept : versions.at(-1)) ?? []) as ConfigMap | [];
  });
}

const { indexed, converges, whole, calm, frugal, honest, isolated, noGhosts, noTimeTravel } = informerLaws;
const { syncedMeansSynced, knowsItsVersion } = informerLaws;
const each = ofEach(informersOf);

/** The laws of kata 21 for each informer of each process. */
export const informer: KataInCluster = {
  kata: '21-informer',
  observer: () => new InformerObserver(),
  laws: {
    converges: each(converges),
    indexed: each(indexed),
    whole: each(whole),
    calm: each(calm),
    frugal: each(frugal),
    honest: each(honest),
    // The handlers of a cluster return at once, so no scenario has the slow handler of its situation.
    isolated: each(withoutSituation(isolated)),
    noGhosts: each(noGhosts),
    noTimeTravel: each(noTimeTravel),
    syncedMeansSynced: each(syncedMeansSynced),
    knowsItsVersion: each(knowsItsVersion),
  },
  leftOut: {
    quietAtTheEnd: 'every process of a cluster crashes or runs on, so no informer is aborted',
    resyncs: 'no handler of a cluster asks for resyncs within the minutes of a history',
  },
};
