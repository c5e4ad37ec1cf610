/**
 * One life of a garbage collector in a hostile cluster: people make objects that own each other, and delete them, rightly
 * and wrongly; then everybody leaves it in peace. What comes out is a history, and the laws are read off it.
 */
import type { KubeObject, OwnerReference } from '../../api/objects.ts';
import { groupVersion, namespaces, resources } from '../../api/resource.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { Component, Components } from '../../contracts/component.ts';
import type { NewInformer } from '../../contracts/informer.ts';
import { DeletedFinalStateUnknown } from '../../contracts/informer.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { debts } from './debts.ts';
import type { Debt, GarbageHistory, Told } from './history.ts';
import { Past } from './past.ts';
import { keyAt, type Place, type PlaceName, placeNames, placeOf } from './places.ts';
import type { GarbageScenario } from './scenario.ts';
import { type Deed, type Ownership, PROCESS } from './step.ts';

/** A request to the apiserver takes at most so long to arrive. */
export const LATENCY_MS_MAX = 30;
/** After the last fault, the longest backoff of a queue may still have to pass, several times over. */
const SETTLE_WITHIN_MS = 2_500_000;
/** What was asked before all was settled may still be under way, or be asked again. */
const LINGER_MS = 200_000;
/** How long it has to rest then. */
const QUIET_MS = 600_000;

/** @throws whatever the component rejects with */
export async function runGarbageCollector(
  component: Component,
  components: Pick<Components, 'informer' | 'workQueue' | 'workers'>,
  scenario: GarbageScenario,
): Promise<GarbageHistory> {
  const told: Told[] = [];
  const spied = { ...components, informer: spying(components.informer, (what) => tell(what)) };
  await using cluster = await createCluster({
    ...scenario,
    latencyMs: { min: 1, max: LATENCY_MS_MAX },
    components: spied,
  });
  const tell = (what: Telling): void => {
    told.push({ atMs: cluster.sim.elapsedMs, ...what } as Told);
  };
  return await new World(cluster, component, told, tell).live(scenario);
}

type Telling = Told extends infer T ? (T extends Told ? Omit<T, 'atMs'> : never) : never;

class World {
  readonly #cluster: Cluster;
  readonly #component: Component;
  readonly #told: readonly Told[];
  readonly #tell: (what: Telling) => void;
  /** By place: the uids that objects there had, oldest first. */
  readonly #uids = new Map<PlaceName, string[]>();
  #looked = { writes: -1, debts: [] as readonly Debt[] };

  constructor(cluster: Cluster, component: Component, told: readonly Told[], tell: (what: Telling) => void) {
    this.#cluster = cluster;
    this.#component = component;
    this.#told = told;
    this.#tell = tell;
  }

  async live({ present, steps }: GarbageScenario): Promise<GarbageHistory> {
    const cluster = this.#cluster;
    const { admin, journal, nemesis, sim, trace } = cluster;
    for (const name of ['a', 'b']) await admin.create(namespaces, { metadata: { name }, spec: {} });
    for (const deed of present) await this.#do(deed);
    const process = cluster.run(PROCESS, (context) => {
      const positions = cluster.replicas.map(
        ({ server }) => server.cache.position ?? cluster.storage.revision,
      );
      this.#tell({ type: 'start', floor: Math.min(...positions) });
      return this.#component(context);
    });
    for (const step of steps) {
      await cluster.runFor(step.afterMs);
      await this.#do(step);
    }
    for (const release of placeNames) await this.#do({ release });
    nemesis.heal();
    const healedMs = sim.elapsedMs;
    await cluster.runUntil(() => this.#debts().length === 0, SETTLE_WITHIN_MS);
    const left = this.#debts();
    await cluster.runFor(LINGER_MS);
    const before = trace.entries.length;
    if (left.length === 0) await cluster.runFor(QUIET_MS);
    if (process.failure !== undefined) throw process.failure;
    const happened = [...trace.entries];
    return {
      journal: [...journal.entries],
      told: this.#told,
      healedMs,
      debts: left,
      restless: happened.slice(before).filter(({ actor, verb }) => actor === PROCESS && WRITES.has(verb)),
      hash: trace.hash(),
      timeline: () => drawTimeline(happened.filter(({ verb }) => verb !== 'BOOKMARK')),
    };
  }

  async #do(deed: Deed): Promise<void> {
    if ('strike' in deed) this.#cluster.nemesis.strike(deed.strike);
    else if ('put' in deed) await this.#put(deed);
    else if ('release' in deed) await this.#release(deed.release);
    else await this.#delete(deed);
  }

  async #put({ put, owners, finalizers }: Extract<Deed, { put: PlaceName }>): Promise<void> {
    const { admin } = this.#cluster;
    const place = placeOf(put);
    const { resource, rest } = place;
    const ownerReferences = owners.map((owner) => this.#reference(owner));
    const named = ownerReferences.map(({ kind, name, blockOwnerDeletion }) => ({
      owner: `${kind} ${name}`,
      blocks: blockOwnerDeletion,
    }));
    if (this.#at(place)) {
      const body = { metadata: { ownerReferences } };
      await admin.patch(resource, keyAt(place), { type: 'merge', body });
      this.#wrote('patch', put, JSON.stringify(named));
      return;
    }
    const metadata = { ...keyAt(place), ownerReferences, finalizers: [...finalizers] };
    const { metadata: created } = await admin.create<KubeObject>(resource, { ...rest, metadata });
    this.#uids.set(put, [...(this.#uids.get(put) ?? []), created.uid]);
    this.#wrote('create', put, JSON.stringify(named));
  }

  async #delete({ delete: name, policy }: Extract<Deed, { delete: PlaceName }>): Promise<void> {
    const place = placeOf(name);
    if (!this.#at(place)) return;
    await this.#cluster.admin.delete(place.resource, keyAt(place), { propagationPolicy: policy });
    this.#wrote('delete', name, policy);
  }

  async #release(name: PlaceName): Promise<void> {
    const place = placeOf(name);
    const { finalizers } = this.#at(place)?.metadata ?? {};
    if (!finalizers?.includes(HOLD)) return;
    const body = { metadata: { finalizers: finalizers.filter((finalizer) => finalizer !== HOLD) } };
    await this.#cluster.admin.patch(place.resource, keyAt(place), { type: 'merge', body });
    this.#wrote('release', name, HOLD);
  }

  #reference({ to, blocks, wrong }: Ownership): OwnerReference {
    const place = placeOf(to);
    const uids = this.#uids.get(to) ?? [];
    const uid = uids.at(wrong === 'former' ? -2 : -1) ?? nobody(to);
    const { resource, name } = place;
    const { kind } = resource;
    const other = resources.find(
      (each) => each.namespaced === resource.namespaced && each.kind !== kind && KINDS.has(each.kind),
    );
    return {
      apiVersion: groupVersion(resource),
      kind,
      name,
      uid,
      ...(blocks ? { blockOwnerDeletion: true } : {}),
      ...(wrong === 'name' ? { name: `${name}-2` } : {}),
      ...(wrong === 'kind' && other ? { apiVersion: groupVersion(other), kind: other.kind } : {}),
      ...(wrong === 'version' ? { apiVersion: 'extensions/v1beta1' } : {}),
    };
  }

  #at(place: Place): KubeObject | undefined {
    return this.#cluster.storage.get(place.resource, keyAt(place));
  }

  /** So that a timeline shows what people did. */
  #wrote(verb: string, name: PlaceName, note: string): void {
    const { storage, trace } = this.#cluster;
    trace.record({ actor: 'kubectl', verb, object: name, revision: storage.revision, note });
  }

  #debts(): readonly Debt[] {
    const { storage, journal } = this.#cluster;
    const writes = journal.entries.length;
    if (writes !== this.#looked.writes) {
      const objects = placeNames.flatMap((name) => this.#at(placeOf(name)) ?? []);
      this.#looked = { writes: storage.revision && writes, debts: debts(new Past(objects)) };
    }
    return this.#looked.debts;
  }
}

const HOLD = 'example.com/hold';

/** An owner that never was. */
function nobody(at: PlaceName): string {
  return `00000000-0000-4000-8000-00000000000${placeNames.indexOf(at)}`;
}

const KINDS = new Set(placeNames.map((name) => placeOf(name).resource.kind));

const WRITES: ReadonlySet<string> = new Set([
  'create',
  'update',
  'updateStatus',
  'patch',
  'delete',
  'deleteCollection',
]);

/** Informers that say what they tell. */
function spying(newInformer: NewInformer, tell: (what: Telling) => void): NewInformer {
  return (options) => {
    const informer = newInformer(options);
    return {
      indexer: informer.indexer,
      hasSynced: () => informer.hasSynced(),
      lastSyncResourceVersion: () => informer.lastSyncResourceVersion(),
      removeEventHandler: (registration) => informer.removeEventHandler(registration),
      run: (signal) => informer.run(signal),
      addEventHandler: (handler, resync) =>
        informer.addEventHandler(
          {
            onAdd: (object, isInInitialList) => {
              tell({ type: 'seen', object });
              return handler.onAdd?.(object, isInInitialList);
            },
            onUpdate: (previous, current) => {
              if (previous.metadata.uid !== current.metadata.uid) tell({ type: 'gone', object: previous });
              tell({ type: 'seen', object: current });
              return handler.onUpdate?.(previous, current);
            },
            onDelete: (last) => {
              tell({ type: 'gone', object: last instanceof DeletedFinalStateUnknown ? last.object : last });
              return handler.onDelete?.(last);
            },
          },
          resync,
        ),
    };
  };
}
