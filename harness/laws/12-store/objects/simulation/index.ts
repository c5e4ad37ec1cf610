import type { KubeObject } from '../../../../api/objects.ts';
import { StatusError } from '../../../../api/status.ts';
import { noteCaught } from '../../../../contracts/caught.ts';
import type {
  KeyValueStore,
  NewKeyValueStore,
  NewObjectStore,
  ObjectStore,
  ObjectWatchOptions,
} from '../../../../contracts/store/index.ts';
import { MemoryLog } from '../../../../contracts/store/memory-log.ts';
import { NotImplemented } from '../../../../contracts/todo.ts';
import { drawTimeline } from '../../../../drawing/timeline.ts';
import { Simulation, scripted } from '../../../../sim/index.ts';
import {
  changed,
  Declined,
  keyOf,
  type ObjectAnswer,
  type ObjectCall,
  type ObjectEntry,
  type ObjectEvent,
  type ObjectHistory,
  PREFIX,
  selects,
} from '../history.ts';
import { render } from '../render/history.ts';
import type {
  Disturbance,
  FollowerPlan,
  ObjectScenario,
  Selection,
  Step,
  StepPlan,
  VersionPlan,
  WatchPlan,
} from '../scenario/index.ts';
import { GivenStore } from './given-store.ts';
import { placeOf, Seen } from './seen.ts';
import { tapped } from './tap.ts';

/** The functions under test. */
export interface ObjectKit {
  readonly newKeyValueStore: NewKeyValueStore;
  readonly newObjectStore: NewObjectStore;
}

/** The longest time until all clients have ended. */
const RUN_MS = 300_000;
/** The longest time until every change has arrived. */
const REST_MS = 20_000;
/** The longest time until the apiservers have filled their caches. */
const WARM_MS = 200;
/** The most pages of one list: more mean that its tokens lead nowhere. */
const PAGES_MAX = 40;

const RESOURCE = { plural: 'configmaps', kind: 'ConfigMap', apiVersion: 'v1' };

/**
 * Runs object stores through a scenario: clients write and read, others watch, and the key-value store is slow, behind
 * or compacted.
 *
 * @throws NotImplemented if one of the two is a stub
 */
export async function runObjects(kit: ObjectKit, scenario: ObjectScenario): Promise<ObjectHistory> {
  return await new ObjectSimulation(kit, scenario).live();
}

class ObjectSimulation {
  readonly #kit: ObjectKit;
  readonly #scenario: ObjectScenario;
  readonly #sim: Simulation;
  readonly #entries: ObjectEntry[] = [];
  readonly #controller = new AbortController();
  readonly #servers: ObjectStore[] = [];
  readonly #seen: Seen;
  #store: KeyValueStore | undefined;
  #given: GivenStore | undefined;
  #ops = 0;
  #watches = 0;
  #busy = 0;
  #failure: unknown;

  constructor(kit: ObjectKit, scenario: ObjectScenario) {
    this.#kit = kit;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed: scenario.seed, choose: scripted(scenario.schedule) });
    this.#seen = new Seen(this.#sim.random);
  }

  async live(): Promise<ObjectHistory> {
    const { clients, watches, followers, disturbances, servers } = this.#scenario;
    const { signal } = this.#controller;
    this.#store = tapped(await this.#open(), (event) => this.#record(event));
    for (let i = 0; i < servers; i++) {
      const clock = this.#sim.clockFor(`apiserver ${i + 1}`);
      const context = { store: this.#store, resource: RESOURCE, prefix: PREFIX, clock, signal };
      this.#servers.push(this.#kit.newObjectStore(context));
    }
    if (this.#scenario.isWarm) await this.#sim.run({ forMs: WARM_MS });
    for (const each of disturbances)
      this.#sim.schedule(each.atMs, 'nemesis', each.what, () => this.#disturb(each));
    for (const [i, steps] of clients.entries()) this.#begin(this.#play(i, steps), true);
    for (const [i, plan] of watches.entries()) this.#begin(this.#watch(`watcher ${i + 1}`, plan), false);
    for (const [i, plan] of followers.entries()) this.#begin(this.#follow(`follower ${i + 1}`, plan), false);
    await this.#sim.run({ forMs: RUN_MS, until: () => this.#failure !== undefined || this.#busy === 0 });
    await this.#rest();
    await this.#audit();
    this.#record({ kind: 'abort' });
    this.#controller.abort();
    await this.#rest();
    const { trace } = this.#sim;
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  async #open(): Promise<KeyValueStore> {
    const { store, latencyMs, lagMs } = this.#scenario;
    if (store === 'given') {
      this.#given = new GivenStore(this.#sim, { latencyMs, lagMs });
      return this.#given;
    }
    const context = { clock: this.#sim.clock, log: new MemoryLog(), signal: this.#controller.signal };
    return await this.#sim.settle(this.#kit.newKeyValueStore(context));
  }

  #disturb(disturbance: Disturbance): void {
    if (disturbance.what === 'compact') {
      const revision = Math.max(1, this.#seen.newest - disturbance.back);
      this.#record({ kind: 'disturbed', what: 'compact', revision });
      this.#store?.compact(revision).catch(() => {});
      return;
    }
    this.#record({ kind: 'disturbed', what: disturbance.what });
    if (disturbance.what === 'cut') this.#given?.cut();
    else {
      this.#given?.hold(disturbance.forMs);
      this.#sim.schedule(disturbance.forMs, 'nemesis', 'release', () =>
        this.#record({ kind: 'disturbed', what: 'released' }),
      );
    }
  }

  /** Reads everything through each apiserver. */
  async #audit(): Promise<void> {
    for (const server of this.#servers.keys()) {
      const list = (options: object) =>
        this.#call('auditor', server, { call: 'list', selection: {}, options });
      this.#begin(
        list({}).then(() => {}),
        true,
      );
      this.#begin(
        list({ resourceVersion: '0' }).then(() => {}),
        true,
      );
      this.#begin(
        list({ resourceVersion: 'x' }).then(() => {}),
        true,
      );
    }
    await this.#sim.run({ forMs: RUN_MS, until: () => this.#failure !== undefined || this.#busy === 0 });
    await this.#rest();
  }

  async #rest(): Promise<void> {
    await this.#sim.run({ forMs: REST_MS, until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure;
    this.#record({ kind: 'rest' });
  }

  #begin(life: Promise<void>, isBusy: boolean): void {
    if (isBusy) this.#busy++;
    life
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => {
        if (isBusy) this.#busy--;
      });
  }

  async #play(index: number, steps: readonly Step[]): Promise<void> {
    const by = `client ${index + 1}`;
    const server = index % this.#servers.length;
    for (const { afterMs, ...plan } of steps) {
      await this.#sim.turn(afterMs, by, plan.call);
      if (plan.call === 'elsewhere') {
        const put = { key: plan.key, value: 'elsewhere' };
        const result = await this.#store?.transact({ then: [{ put }] });
        this.#seen.newest = Math.max(this.#seen.newest, result?.revision ?? 0);
      } else if (plan.call === 'list') await this.#listAll(by, server, plan);
      else await this.#call(by, server, this.#seen.call(plan));
    }
  }

  /** Lists all pages. */
  async #listAll(
    by: string,
    server: number,
    { selection, version, match, limit, pauseMs }: Extract<StepPlan, { readonly call: 'list' }>,
  ): Promise<void> {
    const isBare = version === 'newest' || (match === 'Exact' && version === 'any');
    let options: Extract<ObjectCall, { call: 'list' }>['options'] = {
      ...this.#seen.versionOf(version),
      ...(match && !isBare && { resourceVersionMatch: match }),
      ...(limit !== undefined && { limit }),
    };
    let before: Extract<ObjectCall, { call: 'list' }>['before'];
    for (let page = 0; page < PAGES_MAX; page++) {
      const answer = await this.#call(by, server, {
        call: 'list',
        selection,
        options,
        ...(before && { before }),
      });
      if (answer.kind !== 'list') return;
      const { metadata, items } = answer.list;
      const token = (metadata as { continue?: string }).continue;
      if (!token) return;
      const last = items.at(-1);
      before = {
        revision: Number(metadata.resourceVersion),
        items: (before?.items ?? 0) + items.length,
        last: last ? keyOf(placeOf(last)) : (before?.last ?? ''),
      };
      // A page may name version 0, too: its token decides.
      const version: VersionPlan = page % 2 === 0 ? 'newest' : 'any';
      options = { continue: token, ...this.#seen.versionOf(version), ...(limit !== undefined && { limit }) };
      if (pauseMs > 0) await this.#sim.turn(pauseMs, by, 'pause');
    }
  }

  async #call(by: string, server: number, call: ObjectCall): Promise<ObjectAnswer> {
    const op = this.#ops++;
    this.#record({ kind: 'call', op, by, server, call });
    const answer = await this.#answer(this.#servers[server] as ObjectStore, call);
    this.#record({ kind: 'answer', op, answer });
    this.#seen.learn(answer);
    return answer;
  }

  async #answer(store: ObjectStore, call: ObjectCall): Promise<ObjectAnswer> {
    try {
      switch (call.call) {
        case 'create':
          return { kind: 'object', object: await store.create(call.object) };
        case 'get':
          return { kind: 'object', object: await store.get(call.place, call.options) };
        case 'update':
          return {
            kind: 'object',
            object: await store.update(call.place, (now) => changed(now, call.change), call.preconditions),
          };
        case 'delete':
          return { kind: 'object', object: await store.delete(call.place, call.preconditions) };
        case 'list':
          return { kind: 'list', list: await store.list({ ...call.options, ...optionsOf(call.selection) }) };
      }
    } catch (error) {
      return this.#refusal(error);
    }
  }

  #refusal(error: unknown): ObjectAnswer {
    if (error instanceof NotImplemented) this.#failure ??= error;
    if (error instanceof Declined) return { kind: 'declined' };
    if (error instanceof StatusError)
      return { kind: 'refused', reason: error.reason, message: error.message };
    noteCaught(error);
    return { kind: 'failed', error };
  }

  async #watch(by: string, plan: WatchPlan): Promise<void> {
    const { startsAtMs, server, selection, version, sendInitialEvents, allowWatchBookmarks } = plan;
    await this.#sim.turn(startsAtMs, by, 'watch');
    await this.#read(by, server % this.#servers.length, selection, {
      ...this.#seen.versionOf(version),
      ...(sendInitialEvents !== undefined && { sendInitialEvents }),
      ...(allowWatchBookmarks !== undefined && { allowWatchBookmarks }),
    });
  }

  /** Lists and watches, again whenever the stream ends. */
  async #follow(by: string, { startsAtMs, server, selection, limit }: FollowerPlan): Promise<void> {
    await this.#sim.turn(startsAtMs, by, 'follow');
    const own = server % this.#servers.length;
    const { signal } = this.#controller;
    while (!signal.aborted) {
      const list = this.#ops;
      const options = limit === undefined ? {} : { limit };
      const answer = await this.#call(by, own, { call: 'list', selection, options });
      const isPage = answer.kind === 'list' && (answer.list.metadata as { continue?: string }).continue;
      if (answer.kind === 'list' && !isPage) {
        const resourceVersion = answer.list.metadata.resourceVersion ?? '';
        await this.#read(by, own, selection, { resourceVersion }, list);
      }
      // A page is enough to see whether its version is right; its rest is another client's.
      if (isPage) return;
      await this.#sim.turn(500, by, 'retry');
    }
  }

  async #read(
    by: string,
    server: number,
    selection: Selection,
    options: Omit<ObjectWatchOptions, 'matches' | 'namespace'>,
    list?: number,
  ): Promise<void> {
    const watch = this.#watches++;
    this.#record({
      kind: 'watch',
      watch,
      by,
      server,
      selection,
      options,
      ...(list !== undefined && { list }),
    });
    try {
      const store = this.#servers[server] as ObjectStore;
      const stream = await store.watch({ ...options, ...optionsOf(selection) });
      this.#record({ kind: 'opened', watch });
      for await (const event of stream) {
        this.#record({ kind: 'event', watch, event });
        if (event.type === 'ERROR') break;
        this.#seen.newest = Math.max(this.#seen.newest, Number(event.object.metadata.resourceVersion));
      }
      this.#record({ kind: 'ends', watch });
    } catch (error) {
      this.#record({ kind: 'ends', watch, refusal: this.#refusal(error) });
    }
  }

  #record(event: ObjectEvent): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...event } as ObjectEntry);
    const seen = render(event);
    if (seen) this.#sim.trace.record(seen);
  }
}

function optionsOf({ namespace, onlyApp }: Selection): {
  namespace?: string;
  matches?: (object: KubeObject) => boolean;
} {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(onlyApp && { matches: (object: KubeObject) => selects({ onlyApp }, object) }),
  };
}
