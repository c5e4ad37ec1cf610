import type { KubeObject } from '../../api/objects.ts';
import { groupResource } from '../../api/resource.ts';
import { isExpectedError } from '../../cli/expected-error.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { componentTable, processCalled } from '../../cluster/component-table.ts';
import type { Observation, ObservedInformer } from '../../cluster/observation.ts';
import type { Process } from '../../cluster/process.ts';
import type { Components } from '../../contracts/component.ts';
import { assignedPodsOf } from '../../kubelet/assigned-pods.ts';
import type { CacheView, ComponentView, ErrorView, Lag, Owner } from '../protocol/view.ts';
import type { JournalIndex } from './journal-index.ts';
import { Kept, once, sameList } from './same.ts';

/** The name of a part of a cluster. */
type PartName = keyof Components;

/** The cache of one resource in a process. */
export interface Cache {
  readonly resource: string;
  /** The node whose pods it contains; undefined for a cache of all objects. */
  readonly node?: string;
  /** The revision that the cache has reached; undefined before its first list. */
  readonly revision: number | undefined;
  keys(): readonly string[];
  get(key: string): KubeObject | undefined;
}

/** The parts that a process uses besides its own. */
const ofControllers: readonly PartName[] = ['informer', 'workQueue', 'workers'];
const USED: { readonly [K in PartName]?: readonly PartName[] } = {
  scheduler: ['informer', 'filtering', 'scoring', 'volumeBinding'],
  kubelet: ['probeManager', 'imageManager', 'volumeManager', 'podNetwork', 'ipam'],
};

/** An event arrives within this time after its write, unless something delays it. In ms. */
const ON_ITS_WAY_MS = 50;

/** From the best to the worst. */
const LAGS: readonly Lag[] = ['none', 'moving', 'late', 'held'];

/** The pictures of the processes of one cluster. */
export class ComponentViews {
  readonly #cluster: Cluster;
  readonly #index: JournalIndex;
  readonly #zeroMs: number;
  readonly #ownerOf: (part: PartName) => Owner;
  readonly #kept = new Kept<ComponentView>();
  readonly #caches = new Kept<CacheView>();
  /** The number of objects of an informer at a revision, because it takes time to list the keys of each cache. */
  readonly #counts = new WeakMap<object, { readonly revision: number | undefined; readonly count: number }>();
  readonly #errorOf = once((error: { readonly atMs: number; readonly error: unknown }): ErrorView => {
    const { atMs, error: thrown } = error;
    return errorViewOf(thrown, atMs - this.#zeroMs);
  });

  constructor(
    cluster: Cluster,
    options: {
      readonly index: JournalIndex;
      readonly zeroMs: number;
      readonly ownerOf: (part: PartName) => Owner;
    },
  ) {
    this.#cluster = cluster;
    this.#index = options.index;
    this.#zeroMs = options.zeroMs;
    this.#ownerOf = options.ownerOf;
  }

  /** Returns the pictures of all processes, in the order of the table of components; others follow. */
  all(): readonly { readonly process: Process; readonly view: ComponentView }[] {
    const processes = this.#cluster.processes.filter(({ retired, name }) => !retired && !this.#isPod(name));
    return processes
      .map((process) => ({ process, view: this.of(process) }))
      .sort((a, b) => placeInTable(a.view.part) - placeInTable(b.view.part));
  }

  /** Returns the picture of one process. */
  of(process: Process): ComponentView {
    const { name, starts } = process;
    const part = partOf(name);
    const observed = process.observe();
    const before = this.#kept.get(name);
    const held = new Set(observed?.watches.flatMap(({ object, isHeld }) => (isHeld ? pluralOf(object) : [])));
    const caches = sameList(
      before?.caches,
      cachesOf(observed).map((cache) => this.#cacheView(name, cache, held.has(pluralOf(cache.resource)))),
    );
    const error = this.#error(process, observed);
    const waitsFor = observed && this.#waitsFor(name);
    return this.#kept.keep(name, {
      name,
      ...(part && { part }),
      owner: this.#owner(part),
      state: observed ? 'running' : process.failure === undefined ? 'crashed' : 'gave up',
      ...(waitsFor !== undefined && { waitsFor }),
      starts,
      ...(error && { error }),
      queued: observed?.queues.reduce((sum, queue) => sum + queue.len(), 0) ?? 0,
      caches,
      behind: caches.reduce((sum, cache) => sum + cache.behind, 0),
      lag: LAGS.findLast((lag) => caches.some((cache) => cache.lag === lag)) ?? 'none',
    });
  }

  #cacheView(process: string, cache: Cache, isHeld: boolean): CacheView {
    const { resource, revision, node } = cache;
    const missed = revision === undefined ? [] : this.#index.revisionsAfter(resource, revision, node);
    return this.#caches.keep(`${process} ${resource}`, {
      resource,
      objects: this.#count(cache),
      ...(revision !== undefined && { revision }),
      behind: missed.length,
      lag: isHeld ? 'held' : missed[0] === undefined ? 'none' : this.#lagSince(missed[0]),
    });
  }

  /** @param revision the oldest write that a cache has not seen */
  #lagSince(revision: number): Lag {
    const sinceMs = this.#index.at(revision)?.atMs ?? 0;
    return this.#cluster.sim.elapsedMs - sinceMs > ON_ITS_WAY_MS ? 'late' : 'moving';
  }

  #count(cache: Cache & { readonly source?: object }): number {
    const { source, revision } = cache;
    const known = source && this.#counts.get(source);
    if (known?.revision === revision && known) return known.count;
    const count = cache.keys().length;
    if (source) this.#counts.set(source, { revision, count });
    return count;
  }

  #error(process: Process, observed: Observation | undefined): ErrorView | undefined {
    if (!observed) return process.failure === undefined ? undefined : this.#failure(process);
    // Every component expects a conflict, and tries again.
    const { lastError } = observed;
    return lastError && !isExpectedError(lastError.error) ? this.#errorOf(lastError) : undefined;
  }

  readonly #failures = new Map<string, { readonly of: unknown; readonly view: ErrorView }>();

  #failure({ name, failure }: Process): ErrorView {
    const known = this.#failures.get(name);
    if (known?.of === failure && known) return known.view;
    const exit = this.#cluster.trace.entries.findLast(({ actor, verb }) => actor === name && verb === 'exit');
    const view = errorViewOf(failure, (exit?.atMs ?? this.#zeroMs) - this.#zeroMs);
    this.#failures.set(name, { of: failure, view });
    return view;
  }

  /** The processes that have had an object of their kinds. */
  readonly #working = new Set<string>();

  /** Returns the kinds whose first object a process waits for; undefined once one exists, or if it waits for none. */
  #waitsFor(name: string): string | undefined {
    if (this.#working.has(name)) return undefined;
    const kinds = (processCalled(name)?.startsWith ?? []).map(groupResource);
    if (kinds.length > 0 && kinds.every((kind) => this.#index.countAfter(kind, -1) === 0)) {
      return kinds.join(', ');
    }
    this.#working.add(name);
    return undefined;
  }

  /** Yours if the process itself is, or a part that it uses. */
  #owner(part: PartName | undefined): Owner {
    const used = part ? [part, ...(USED[part] ?? ofControllers)] : ofControllers;
    return used.some((each) => this.#ownerOf(each) === 'yours') ? 'yours' : 'reference';
  }

  /** Returns whether the process is the program of a pod. */
  #isPod(name: string): boolean {
    return processCalled(name) === undefined && this.#index.podNamed(name) !== undefined;
  }
}

/** Returns the caches of a running process: its informers, and the pods of a kubelet. */
export function cachesOf(observed: Observation | undefined): readonly Cache[] {
  if (!observed) return [];
  const pods = assignedPodsOf(observed.client);
  return [
    ...(pods
      ? [
          {
            resource: 'pods',
            node: pods.node,
            revision: pods.revision,
            keys: () => pods.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
            get: (key: string) =>
              pods.list().find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key),
          },
        ]
      : []),
    ...observed.informers.map(informerCache),
  ];
}

/** Returns the plural of a resource or of a watch: `replicasets` for `replicasets.apps`, `pods` for `pods/default`. */
function pluralOf(name: string): string {
  return name.split(/[./]/, 1)[0] ?? name;
}

function informerCache({ resource, informer }: ObservedInformer): Cache & { readonly source: object } {
  const { indexer } = informer;
  const version = informer.lastSyncResourceVersion();
  return {
    resource: groupResource(resource),
    revision: version === '' ? undefined : Number(version),
    keys: () => indexer.listKeys(),
    get: (key) => indexer.getByKey(key),
    source: informer,
  };
}

const parts = Object.keys(componentTable) as PartName[];

/** Returns the part that a process runs or stands in for. */
export const partOf: (process: string) => PartName | undefined = (() => {
  const known = new Map<string, PartName | undefined>();
  return (process: string) => {
    if (!known.has(process)) {
      const row = processCalled(process)?.name;
      known.set(
        process,
        row === undefined ? undefined : parts.find((each) => componentTable[each].process?.name === row),
      );
    }
    return known.get(process);
  };
})();

function placeInTable(part: PartName | undefined): number {
  return part === undefined ? parts.length : parts.indexOf(part);
}

/** A line of a stack in a file of a kata: `http://127.0.0.1:5173/@fs/…/katas/23-replicaset/replicaset.ts?own=2:41:7`. */
const OWN_FRAME = /((?:https?|file):\/\/[^\s()]*\/katas\/[\w-]+\/[\w.-]+\.ts(?:\?[^:\s)]*)?):(\d+):(\d+)/;

/** Returns the message of an error, and the first place in a learner's file. */
export function errorViewOf(error: unknown, atMs: number): ErrorView {
  const { message = String(error), stack = '' } = (error ?? {}) as { message?: string; stack?: string };
  const [, url, line, column] = OWN_FRAME.exec(stack) ?? [];
  return {
    atMs,
    message,
    ...(url !== undefined && { place: { url, line: Number(line), column: Number(column) } }),
  };
}
