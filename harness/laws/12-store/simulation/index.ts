import { noteCaught } from '../../../contracts/caught.ts';
import {
  type KeyValueStore,
  type KeyWatch,
  type KeyWatchRequest,
  type NewKeyValueStore,
  StoreError,
} from '../../../contracts/store/index.ts';
import { NotImplemented } from '../../../contracts/todo.ts';
import { drawTimeline } from '../../../drawing/timeline.ts';
import { type LocalClock, Simulation, scripted } from '../../../sim/index.ts';
import {
  type Answer,
  copied,
  type Event,
  type HistoryEntry,
  perform,
  type Request,
  type StoreHistory,
} from '../history.ts';
import { render } from '../render/history.ts';
import type { CrashPlan, Step, StoreScenario } from '../scenario/index.ts';
import { ALL_KEYS, audit } from './audit.ts';
import { CrashingLog } from './disk.ts';
import { Known } from './known.ts';
import { Watcher } from './watcher.ts';

/** The longest time of a run until nothing happens any more. */
const RUN_MS = 120_000;
/** The time after which everything must have arrived. */
const REST_MS = 2_000;
/** The time in which an expired lease must end. */
const LEASE_SLACK_MS = 1_000;

/** A promise with the function that resolves it. */
interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A process of the store. */
interface Process {
  readonly number: number;
  readonly controller: AbortController;
  readonly clock: LocalClock;
  readonly startedMs: number;
  store?: KeyValueStore;
}

/**
 * Runs a store through a scenario: clients call it, watchers watch it, its process crashes and starts again from its
 * log. In the end an auditor reads everything, before and after one more restart.
 *
 * @throws NotImplemented if the store is a stub
 */
export async function runStore(
  newKeyValueStore: NewKeyValueStore,
  scenario: StoreScenario,
): Promise<StoreHistory> {
  return await new StoreSimulation(newKeyValueStore, scenario).live();
}

export class StoreSimulation {
  readonly sim: Simulation;
  readonly known = new Known();
  readonly #newKeyValueStore: NewKeyValueStore;
  readonly #scenario: StoreScenario;
  readonly #entries: HistoryEntry[] = [];
  readonly #log: CrashingLog;
  #process: Process | undefined;
  /** Resolves as soon as a process serves. */
  #serving = deferred<KeyValueStore>();
  /** Resolves when the current process ends. */
  #ending = deferred<void>();
  #starts = 0;
  #ops = 0;
  #watches = 0;
  /** The number of clients that have not made all their calls. */
  #busy = 0;
  /** Whether an audit reads everything: no process crashes meanwhile. */
  #isAudited = false;
  #failure: unknown;

  constructor(newKeyValueStore: NewKeyValueStore, scenario: StoreScenario) {
    this.#newKeyValueStore = newKeyValueStore;
    this.#scenario = scenario;
    this.sim = new Simulation({ seed: scenario.seed, choose: scripted(scenario.schedule) });
    this.#log = new CrashingLog(this.sim, scenario.disk);
  }

  async live(): Promise<StoreHistory> {
    const { clients, watchers } = this.#scenario;
    this.#start();
    for (const [i, steps] of clients.entries()) this.#begin(this.#play(`client ${i + 1}`, steps), true);
    for (const [i, plan] of watchers.entries())
      this.#begin(new Watcher(this, `watcher ${i + 1}`, plan).live(), false);
    await this.#untilRest();
    await this.#audit();
    this.#end({ keeps: 0, torn: 'nothing', restartAfterMs: 1 });
    await this.#untilRest();
    await this.#audit();
    this.#process?.controller.abort();
    this.#record({ kind: 'crash', process: this.#starts - 1 });
    await this.sim.run({ forMs: REST_MS });
    if (this.#failure) throw this.#failure;
    const { trace } = this.sim;
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      leaseSlackMs: LEASE_SLACK_MS,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  /** Waits until a process serves. Returns its store, and a promise of its end. */
  async serving(): Promise<{ readonly store: KeyValueStore; readonly ending: Promise<void> }> {
    for (;;) {
      const store = await this.#serving.promise;
      if (this.#process?.store === store) return { store, ending: this.#ending.promise };
    }
  }

  /** Makes a call, as soon as a process serves. Returns its answer; undefined if the process of the store ends before. */
  async call(by: string, plan: () => Request): Promise<Answer | undefined> {
    const { store, ending } = await this.serving();
    const op = this.#ops++;
    const request = plan();
    this.#record({ kind: 'call', op, by, request });
    let isOver = false;
    const answer = perform(store, request).catch((error: unknown): Answer => {
      if (error instanceof NotImplemented) this.#failure ??= error;
      if (error instanceof StoreError) return { kind: 'refused', code: error.code };
      if (!isOver) noteCaught(error);
      return { kind: 'failed', error };
    });
    const first = await Promise.race([answer, ending]);
    isOver = true;
    if (!first) return undefined;
    this.#record({ kind: 'answer', op, answer: first });
    this.known.learn(request, first);
    return first;
  }

  /** Opens a watch, and records its messages. */
  watch(
    store: KeyValueStore,
    by: string,
    request: KeyWatchRequest,
  ): { readonly watch: number; readonly stream: KeyWatch } {
    const watch = this.#watches++;
    this.#record({ kind: 'watch', watch, by, request });
    return { watch, stream: store.watch(request) };
  }

  note(event: Extract<Event, { readonly watch: number }>): void {
    this.#record(copied(event));
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

  async #play(by: string, steps: readonly Step[]): Promise<void> {
    for (const { afterMs, times = 1, ...plan } of steps) {
      await this.sim.turn(afterMs, by, plan.call);
      for (let i = 0; i < times; i++) await this.call(by, () => this.known.request(plan));
    }
  }

  #start(): void {
    const number = this.#starts++;
    const plan = this.#isAudited ? undefined : this.#scenario.crashes[number];
    const controller = new AbortController();
    const clock = this.sim.clockFor('store');
    const process: Process = { number, controller, clock, startedMs: this.sim.elapsedMs };
    this.#process = process;
    this.#record({ kind: 'starts', process: number });
    const at = plan?.at;
    if (plan && at && 'ms' in at)
      this.sim.schedule(at.ms, 'crash', 'crash', () => this.#process === process && this.#crash(plan));
    const log = this.#log.open((call, moment) => {
      if (plan && at && 'call' in at && at.call === call && at.moment === moment && this.#process === process)
        this.#crash(plan);
    });
    this.#newKeyValueStore({ clock, log, signal: controller.signal }).then(
      (store) => {
        if (this.#process !== process) return;
        this.#record({ kind: 'opened', process: number });
        process.store = store;
        this.#serving.resolve(store);
      },
      (error: unknown) => {
        if (this.#process !== process) return;
        if (error instanceof NotImplemented) this.#failure ??= error;
        noteCaught(error);
        this.#record({ kind: 'unopened', process: number, error });
      },
    );
  }

  #crash(plan: CrashPlan): void {
    if (!this.#isAudited) this.#end(plan);
  }

  /** Ends the process, and starts the next one. */
  #end({ keeps, torn, restartAfterMs }: Omit<CrashPlan, 'at'>): void {
    const process = this.#process;
    if (!process) return;
    this.#process = undefined;
    this.#log.crash({ keeps, torn });
    this.#record({ kind: 'crash', process: process.number });
    process.clock.sever();
    const ended = this.#ending;
    if (process.store) this.#serving = deferred();
    this.#ending = deferred();
    ended.resolve();
    process.controller.abort();
    this.sim.schedule(restartAfterMs, 'crash', 'restart', () => this.#start());
  }

  /** Runs until all clients have ended, and for a while longer. */
  async #untilRest(): Promise<void> {
    await this.sim.run({ forMs: RUN_MS, until: () => this.#failure !== undefined || this.#isIdle() });
    await this.sim.run({ forMs: REST_MS, until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure;
    this.#record({ kind: 'rest' });
  }

  #isIdle(): boolean {
    return this.#busy === 0 && this.#process?.store !== undefined;
  }

  /** Reads everything. */
  async #audit(): Promise<void> {
    this.#isAudited = true;
    if (!this.#process?.store) return;
    this.#begin(audit(this), true);
    this.#begin(
      new Watcher(this, 'auditor', {
        startsAtMs: 0,
        range: ALL_KEYS,
        from: { fromNewest: -1_000 },
        takesMs: 0,
        resumes: true,
        asksAtMs: [REST_MS],
        stopsAtMs: 2 * REST_MS,
      }).live(),
      false,
    );
    await this.#untilRest();
    await this.#untilRest();
  }

  #record(event: Event): void {
    this.#entries.push({ atMs: this.sim.elapsedMs, ...event } as HistoryEntry);
    const seen = render(event);
    if (seen) this.sim.trace.record(seen);
  }
}
