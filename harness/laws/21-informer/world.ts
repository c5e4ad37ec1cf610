import { deepEqual } from '../../api/freeze.ts';
import type { ConfigMap } from '../../api/objects.ts';
import { configMaps, leases } from '../../api/resource.ts';
import { isNotFound, StatusError } from '../../api/status.ts';
import { type Cluster, createCluster } from '../../cluster/cluster.ts';
import type { Process } from '../../cluster/process.ts';
import { noteCaught } from '../../contracts/caught.ts';
import { ConnectionError } from '../../contracts/connection-error.ts';
import type {
  IndexReader,
  NewInformer,
  ResourceEventHandlerRegistration,
  SharedInformer,
} from '../../contracts/informer.ts';
import { play, recordOf } from '../../testing/rig/play.ts';
import { Stage } from '../../testing/rig/stage.ts';
import type { InformerHistory } from './history.ts';
import { HandlerBroke, Recorder } from './recorder.ts';
import type { HandlerName, InformerScenario } from './scenario.ts';
import { PROCESS, type Step, type Write } from './step.ts';

/** The informer's own period, as long as nobody asks for a shorter one. */
const CHECK_MS = 43_200_000;
/** The period that the resyncing handler asks for. */
export const RESYNC_MS = 10_000;
/** How long after the last fault everything must have settled: two lost requests and the longest backoff. */
const SETTLE_WITHIN_MS = 600_000;
/** To have the right state is not yet to watch again: a last request may hang, a last backoff run. */
const RECOVER_WITHIN_MS = 130_000;
/** How long nothing happens between settling and the abort. */
const QUIET_MS = 2.5 * RESYNC_MS;
/** How soon `run` must return: it may let a handler finish. */
const RETURN_WITHIN_MS = 5_000;
const AFTERMATH_MS = 300_000;

const NAMESPACE = 'default';

const GROUPS = ['red', 'blue'];

/** The index that the informer is asked to keep. */
const byGroup = (object: ConfigMap): readonly string[] => [object.metadata.labels?.group ?? 'none'];

/**
 * One life of an informer in a hostile cluster: started, fed, disturbed, left in peace, aborted. What comes out is
 * a history, and the laws are read off it.
 *
 * @throws whatever the informer's constructor throws or its `run` rejects with
 */
export async function runInformer(
  newInformer: NewInformer,
  scenario: InformerScenario,
): Promise<InformerHistory> {
  await using cluster = await createCluster(scenario);
  return await new World(cluster, newInformer, scenario).live();
}

class World {
  readonly #cluster: Cluster;
  readonly #scenario: InformerScenario;
  readonly #newInformer: NewInformer;
  readonly #recorder: Recorder;
  readonly #stage: Stage;
  readonly #registrations = new Map<HandlerName, ResourceEventHandlerRegistration>();
  readonly #synced = new Set<string>();
  #informer: SharedInformer<ConfigMap> | undefined;
  #aborted = false;
  #writes = 0;
  /** How much was recorded when we looked last: when nothing was, no object can have changed. */
  #looked = -1;

  constructor(cluster: Cluster, newInformer: NewInformer, scenario: InformerScenario) {
    this.#cluster = cluster;
    this.#newInformer = newInformer;
    this.#scenario = scenario;
    this.#recorder = new Recorder(cluster.sim);
    this.#stage = new Stage(cluster);
  }

  async live(): Promise<InformerHistory> {
    const { steps, present, handlers, ending } = this.#scenario;
    const cluster = this.#cluster;
    const { process, restedMs } = await play<Write>({
      cluster,
      before: present.map((name) => ({ afterMs: 0, write: 'put', name, group: 'red' })),
      start: () => this.#start(),
      steps,
      act: (write) => this.#write(write),
      pass: (ms) => this.#pass(ms),
      calmDown: () => this.#recorder.record({ kind: 'mark', mark: 'healed' }),
      settle: async () => {
        const settled = await this.#passUntil(() => this.#settled(), SETTLE_WITHIN_MS);
        return settled ? cluster.sim.elapsedMs : undefined;
      },
    });
    const converged = restedMs !== undefined;
    if (converged) await this.#pass(RECOVER_WITHIN_MS);
    const settled = { cache: this.#cache(), server: this.#server() };

    this.#recorder.record({ kind: 'mark', mark: 'quiet' });
    if (converged) await this.#pass(handlers.includes('resyncing') ? QUIET_MS : 1_000);
    this.#recorder.record({ kind: 'mark', mark: 'ending' });
    for (const step of ending) await this.#do(step);
    cluster.trace.record({ actor: PROCESS, verb: 'is stopped' });
    process.stop();
    this.#aborted = true;
    this.#recorder.record({ kind: 'mark', mark: 'aborted' });
    await this.#pass(10);
    const watchesLeft = cluster.replicas.reduce((sum, { server }) => sum + server.cache.watcherCount, 0);
    await this.#write({ write: 'put', name: 'afterwards', group: 'red' });
    await this.#pass(RETURN_WITHIN_MS);
    const returned = !process.running;
    await this.#pass(AFTERMATH_MS);
    return {
      ...recordOf(cluster),
      entries: this.#recorder.entries,
      handlers,
      converged,
      settled,
      watchesLeft,
      returned,
    };
  }

  #start(): Process {
    return this.#cluster.run(PROCESS, async ({ client, clock, random, signal }) => {
      const informer = this.#newInformer<ConfigMap>({
        client: this.#recorder.client(client),
        resource: configMaps,
        clock,
        random,
        indexers: { group: byGroup },
        resyncPeriodMs: CHECK_MS,
        onError: (error) => this.#reported(error),
      });
      this.#informer = informer;
      const join = (name: HandlerName): void => {
        const handler = this.#recorder.handler(name, clock, () => !this.#aborted);
        const options = name === 'resyncing' ? { resyncPeriodMs: RESYNC_MS } : {};
        this.#recorder.record({ kind: 'joined', handler: name, cache: informer.indexer.list() });
        this.#registrations.set(name, informer.addEventHandler(handler, options));
      };
      for (const name of this.#scenario.handlers) if (name !== 'late') join(name);
      if (this.#scenario.handlers.includes('late')) clock.after(LATE_MS, () => join('late'));
      await informer.run(signal);
    });
  }

  async #do(step: Step): Promise<void> {
    await this.#pass(step.afterMs);
    if ('strike' in step) this.#cluster.nemesis.strike(step.strike);
    else await this.#write(step);
  }

  async #write(what: Write): Promise<void> {
    const { admin } = this.#cluster;
    if (what.write === 'nothing') return;
    if (what.write === 'elsewhere') {
      await admin.create(leases, { metadata: { namespace: NAMESPACE, generateName: 'another-' }, spec: {} });
      return;
    }
    const { write, name, group } = what;
    const key = { namespace: NAMESPACE, name };
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
    if (there && write !== 'put') {
      await admin.delete(configMaps, key);
      this.#wrote('delete', name);
    }
    if (there && write === 'put') {
      await admin.update(configMaps, { ...object, apiVersion: 'v1', kind: 'ConfigMap' });
      this.#wrote('update', name);
    } else if (write !== 'delete') {
      await admin.create(configMaps, object);
      this.#wrote('create', name);
    }
  }

  /** So that a timeline shows what the server has, whether or not the informer hears of it. */
  #wrote(verb: string, name: string): void {
    this.#stage.note('kubectl', verb, `configmaps/${NAMESPACE}/${name}`);
  }

  async #pass(ms: number): Promise<void> {
    await this.#passUntil(() => false, ms);
  }

  /** Lets time pass, and looks, after each thing that happens, at what can be seen from outside. */
  #passUntil(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#cluster.runUntil(() => {
      this.#look();
      return condition();
    }, ms);
  }

  #look(): void {
    if (!this.#informer || this.#aborted) return;
    if (this.#recorder.entries.length !== this.#looked) this.#lookAtIndex(this.#informer.indexer);
    this.#lookWhetherSynced('informer', this.#informer);
    for (const [name, registration] of this.#registrations) this.#lookWhetherSynced(name, registration);
    this.#looked = this.#recorder.entries.length;
  }

  #lookAtIndex(indexer: IndexReader<ConfigMap>): void {
    for (const group of GROUPS) {
      const found = indexer.byIndex('group', group);
      const counted = indexer.list().filter((object) => byGroup(object).includes(group));
      if (sameObjects(found, counted)) continue;
      const say = (objects: readonly ConfigMap[]): string =>
        objects.map((object) => object?.metadata.name ?? 'one that is not there').join(', ') || 'nobody';
      const what = `the index gives ${say(found)} for ${group}, but in the cache ${group} is ${say(counted)}`;
      this.#recorder.record({ kind: 'wrong', what });
    }
  }

  #lookWhetherSynced(who: 'informer' | HandlerName, owner: ResourceEventHandlerRegistration): void {
    if (this.#synced.has(who) || !owner.hasSynced()) return;
    this.#synced.add(who);
    this.#recorder.record({ kind: 'synced', who });
  }

  /** Is the cache what the server has, has everybody been told, and is nobody still at it? */
  #settled(): boolean {
    const { handlers } = this.#scenario;
    if (!this.#informer || this.#recorder.busy || this.#synced.size < handlers.length + 1) return false;
    const server = this.#server();
    return (
      sameObjects(this.#cache(), server) && handlers.every((name) => sameObjects(this.#view(name), server))
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

  /** What the server or a handler did wrong is in the trace already; what is left is the informer's own. */
  #reported(error: unknown): void {
    if (error instanceof StatusError || error instanceof ConnectionError || error instanceof HandlerBroke)
      return;
    noteCaught(error);
    this.#cluster.trace.record({ actor: PROCESS, verb: 'reports', note: String(error) });
  }
}

/** When the late handler joins. */
const LATE_MS = 4_000;

/** The same objects, in whatever order? */
export function sameObjects(a: readonly ConfigMap[], b: readonly ConfigMap[]): boolean {
  const sorted = (list: readonly ConfigMap[]): ConfigMap[] =>
    list.toSorted((x, y) => (x?.metadata.name < y?.metadata.name ? -1 : 1));
  return deepEqual(sorted(a), sorted(b));
}
