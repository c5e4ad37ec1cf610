import { deepEqual } from '../../../api/freeze.ts';
import { type ConfigMap, keyOf, keyToString } from '../../../api/objects.ts';
import { configMaps, leases } from '../../../api/resource.ts';
import { isNotFound, StatusError } from '../../../api/status.ts';
import { type Cluster, createCluster } from '../../../cluster/cluster.ts';
import type { Process } from '../../../cluster/process.ts';
import { noteCaught } from '../../../contracts/caught.ts';
import { ConnectionError } from '../../../contracts/connection-error.ts';
import type {
  IndexReader,
  NewInformer,
  ResourceEventHandlerRegistration,
  SharedInformer,
} from '../../../contracts/informer.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { play, recordOf } from '../../../testing/rig/play.ts';
import { Stage } from '../../../testing/rig/stage.ts';
import type { InformerHistory } from '../history.ts';
import { keyOfName, type Operation, PROCESS, type Step, type Write } from '../operations.ts';
import type { HandlerName, InformerScenario } from '../scenario.ts';
import { HandlerBroke, Handlers } from './handlers.ts';
import { WatchProxy } from './proxy.ts';

/** The informer's resync period, unless a handler asks for a shorter one. */
const CHECK_MS = 43_200_000;
/** The resync period of each handler that asks for resyncs. */
export const RESYNC_MS: Readonly<Partial<Record<HandlerName, number>>> = {
  resyncing: 10_000,
  seldom: 30_000,
};
/** The time to settle after the last fault: a deaf watch until its end, two lost requests, the longest back-off. */
const SETTLE_WITHIN_MS = 900_000;
/** The time to watch again after the cache has the right state: a last request may hang, or a last back-off run. */
const RECOVER_WITHIN_MS = 130_000;
/** The time within which `run` must return: it may wait for a handler. */
const RETURN_WITHIN_MS = 5_000;
const AFTERMATH_MS = 300_000;
/** How long the process continues after its informer has returned. */
const LINGER_MS = 30_000;

const GROUPS = ['red', 'blue', 'green'];

/** The index function of the informer. An object may be in two groups. */
const byGroup = (object: ConfigMap): readonly string[] => object.metadata.labels?.group?.split('-') ?? [];

/**
 * Runs an informer through a scenario: starts it, writes objects, injects faults, ends the faults, lets it settle, and
 * aborts it. Returns the history, which the laws read.
 *
 * @throws the error of the informer's constructor or `run`
 */
export async function runInformer(
  newInformer: NewInformer,
  scenario: InformerScenario,
): Promise<InformerHistory> {
  await using cluster = await createCluster(scenario);
  return await new KataSimulation(cluster, newInformer, scenario).live();
}

class KataSimulation {
  readonly #cluster: Cluster;
  readonly #scenario: InformerScenario;
  readonly #newInformer: NewInformer;
  readonly #recorder: Handlers;
  readonly #proxy: WatchProxy;
  readonly #stage: Stage;
  readonly #registrations = new Map<HandlerName, ResourceEventHandlerRegistration>();
  readonly #synced = new Set<string>();
  /** The handlers that are never removed. */
  readonly #staying: readonly HandlerName[];
  #informer: SharedInformer<ConfigMap> | undefined;
  #signal: AbortSignal | undefined;
  #aborted = false;
  #returned = false;
  #writes = 0;
  /** The number of entries at the last look: if it is unchanged, no object can have changed. */
  #looked = -1;

  constructor(cluster: Cluster, newInformer: NewInformer, scenario: InformerScenario) {
    this.#cluster = cluster;
    this.#newInformer = newInformer;
    this.#scenario = scenario;
    this.#staying = scenario.handlers.filter((name) => name !== 'leaving');
    this.#recorder = new Handlers(cluster.sim);
    this.#proxy = new WatchProxy(cluster, scenario.pages);
    this.#stage = new Stage(cluster);
  }

  async live(): Promise<InformerHistory> {
    const { steps, present, ending } = this.#scenario;
    const cluster = this.#cluster;
    const { process, restedMs } = await play<Operation>({
      cluster,
      before: present.map((name) => ({ afterMs: 0, write: 'put', name, group: 'red' })),
      start: () => this.#start(),
      steps,
      act: (operation) => this.#act(operation),
      pass: (ms) => this.#pass(ms),
      calmDown: () => {
        this.#proxy.calmDown();
        this.#recorder.record({ kind: 'mark', mark: 'healed' });
      },
      settle: async () => {
        const settled = await this.#passUntil(() => this.#settled(), SETTLE_WITHIN_MS);
        return settled ? cluster.sim.elapsedMs : undefined;
      },
    });
    const converged = restedMs !== undefined;
    if (converged) await this.#pass(RECOVER_WITHIN_MS);
    const settled = { cache: this.#cache(), server: this.#server() };

    this.#recorder.look();
    this.#recorder.record({ kind: 'mark', mark: 'quiet' });
    if (converged) await this.#pass(quietMs(this.#scenario.handlers));
    this.#recorder.record({ kind: 'mark', mark: 'ending' });
    for (const step of ending) await this.#do(step);
    cluster.trace.record({ actor: PROCESS, verb: 'is stopped' });
    process.stop();
    this.#aborted = true;
    this.#recorder.record({ kind: 'mark', mark: 'aborted' });
    await this.#pass(10);
    const watchesLeft = cluster.replicas.reduce((sum, { server }) => sum + server.cache.watcherCount, 0);
    await this.#write({ write: 'put', name: 'afterwards' as 'a', group: 'red' });
    await this.#pass(RETURN_WITHIN_MS);
    const returned = this.#returned;
    await this.#pass(AFTERMATH_MS);
    const rows = this.#recorder.rows();
    return {
      ...recordOf(cluster),
      timeline: () => drawTimeline(rows),
      resource: configMaps,
      entries: this.#recorder.entries,
      handlers: this.#staying,
      converged,
      settled,
      watchesLeft,
      returned,
    };
  }

  #start(): Process {
    return this.#cluster.run(PROCESS, async ({ client, clock, random, signal }) => {
      const { handlers, lateMs } = this.#scenario;
      const informer = this.#newInformer<ConfigMap>({
        client: this.#recorder.client(this.#proxy.client(client)),
        resource: configMaps,
        clock,
        random,
        indexers: { group: byGroup },
        resyncPeriodMs: CHECK_MS,
        onError: (error) => this.#reported(error),
      });
      this.#informer = informer;
      this.#signal = signal;
      this.#recorder.follow(informer);
      const join = (name: HandlerName): void => {
        const handler = this.#recorder.handler(name, clock);
        const resyncPeriodMs = RESYNC_MS[name];
        this.#recorder.look();
        this.#recorder.record({ kind: 'joined', handler: name });
        const registration = informer.addEventHandler(
          handler,
          resyncPeriodMs === undefined ? {} : { resyncPeriodMs },
        );
        this.#registrations.set(name, registration);
        if (name !== 'leaving') return;
        clock.after(LEAVE_MS, () => {
          this.#registrations.delete(name);
          this.#recorder.record({ kind: 'removed', handler: name });
          informer.removeEventHandler(registration);
        });
      };
      for (const name of handlers) if (name !== 'late') join(name);
      if (handlers.includes('late')) clock.after(lateMs, () => join('late'));
      await informer.run(signal);
      this.#returned = true;
      // The process continues for a while after its informer has returned, so that later activity is recorded.
      await clock.sleep(LINGER_MS);
    });
  }

  async #do(step: Step): Promise<void> {
    await this.#pass(step.afterMs);
    if ('strike' in step) this.#cluster.nemesis.strike(step.strike);
    else await this.#act(step);
  }

  async #act(operation: Operation): Promise<void> {
    if ('trick' in operation) this.#proxy.play(operation);
    else if ('call' in operation) this.#runAgain();
    else if ('write' in operation) await this.#write(operation);
  }

  /** Calls `run` a second time; the law *Quiet at the end* judges the result. */
  #runAgain(): void {
    const [informer, signal] = [this.#informer, this.#signal];
    if (!informer || !signal) return;
    const over = (): void => this.#recorder.record({ kind: 'again', what: 'over' });
    this.#cluster.trace.record({ actor: PROCESS, verb: 'start again' });
    this.#recorder.record({ kind: 'again', what: 'called' });
    void (async () => informer.run(signal))().then(over, over);
  }

  async #write(what: Write): Promise<void> {
    const { admin } = this.#cluster;
    if (what.write === 'elsewhere') {
      await admin.create(leases, { metadata: { namespace: 'default', generateName: 'another-' }, spec: {} });
      return;
    }
    const { write, name, group } = what;
    const key = keyOfName(name);
    const object = {
      metadata: { ...key, labels: { group } },
      data: { written: String(++this.#writes) },
    };
    const there = await admin.get(configMaps, key).then(
      () => true,
      (error) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
    const note = (verb: string): void => this.#stage.note('kubectl', verb, `configmaps/${keyToString(key)}`);
    if (there && write !== 'put') {
      await admin.delete(configMaps, key);
      note('delete');
    }
    if (there && write === 'put') {
      await admin.update(configMaps, { ...object, apiVersion: 'v1', kind: 'ConfigMap' });
      note('update');
    } else if (write !== 'delete') {
      await admin.create(configMaps, object);
      note('create');
    }
  }

  async #pass(ms: number): Promise<void> {
    await this.#passUntil(() => false, ms);
  }

  /** Lets time pass, and records the public state of the informer after each event of the simulation. */
  #passUntil(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#cluster.runUntil(() => {
      this.#look();
      return condition();
    }, ms);
  }

  #look(): void {
    if (!this.#informer || this.#aborted) return;
    const { entries } = this.#recorder;
    if (entries.length !== this.#looked) {
      this.#recorder.look();
      this.#lookAtIndex(this.#informer.indexer);
    }
    this.#lookWhetherSynced('informer', this.#informer);
    for (const [name, registration] of this.#registrations) this.#lookWhetherSynced(name, registration);
    this.#looked = entries.length;
  }

  #lookAtIndex(indexer: IndexReader<ConfigMap>): void {
    for (const group of GROUPS) {
      const found = indexer.byIndex('group', group);
      const counted = indexer.list().filter((object) => byGroup(object).includes(group));
      if (sameObjects(found, counted)) continue;
      const say = (objects: readonly ConfigMap[]): string =>
        objects.map((object) => object?.metadata.name ?? 'an object that is not in the cache').join(', ') ||
        'nothing';
      const what = `byIndex('group', '${group}') returned ${say(found)}, but in the cache ${say(counted)} has that value: update the index with each add, update and delete`;
      this.#recorder.record({ kind: 'wrong', what });
    }
  }

  #lookWhetherSynced(who: 'informer' | HandlerName, owner: ResourceEventHandlerRegistration): void {
    if (this.#synced.has(who) || !owner.hasSynced()) return;
    this.#synced.add(who);
    this.#recorder.record({ kind: 'synced', who });
  }

  /** Returns whether the cache and every handler have the state of the server, and no handler is busy. */
  #settled(): boolean {
    const isSynced = (who: string): boolean => this.#synced.has(who);
    if (!this.#informer || this.#recorder.busy || !['informer', ...this.#staying].every(isSynced))
      return false;
    const server = this.#server();
    return (
      sameObjects(this.#cache(), server) &&
      this.#staying.every((name) => sameObjects(this.#view(name), server))
    );
  }

  #view(name: HandlerName): ConfigMap[] {
    return [...(this.#recorder.views.get(name)?.values() ?? [])];
  }

  #cache(): ConfigMap[] {
    return this.#informer?.indexer.list() ?? [];
  }

  #server(): ConfigMap[] {
    return this.#cluster.storage.list(configMaps) as ConfigMap[];
  }

  /**
   * Records an error that the informer reports, unless it comes from the server or a handler: those are in the trace
   * already.
   */
  #reported(error: unknown): void {
    if (error instanceof StatusError || error instanceof ConnectionError || error instanceof HandlerBroke)
      return;
    noteCaught(error);
    this.#cluster.trace.record({ actor: PROCESS, verb: 'reports', note: String(error) });
  }
}

/** The time after which the leaving handler is removed. */
const LEAVE_MS = 5_000;

/** Returns the length of the quiet period before the ending: time for two resyncs of each handler that asked. */
function quietMs(handlers: readonly HandlerName[]): number {
  return Math.max(1_000, ...handlers.map((name) => 2.5 * (RESYNC_MS[name] ?? 0)));
}

/** Returns whether two lists have equal objects, in any order. */
export function sameObjects(a: readonly ConfigMap[], b: readonly ConfigMap[]): boolean {
  const sorted = (list: readonly ConfigMap[]): ConfigMap[] =>
    list.toSorted((x, y) => (nameIn(x) < nameIn(y) ? -1 : 1));
  return a.length === b.length && deepEqual(sorted(a), sorted(b));
}

/** Returns the key of an object; `''` for `undefined`, which a wrong cache may hold. */
function nameIn(object: ConfigMap | undefined): string {
  return object ? keyToString(keyOf(object)) : '';
}
