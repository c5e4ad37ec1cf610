/**
 * One life of the workers of a queue: items are added, seen to, fail, are tried again; and the abort comes. What
 * comes out is a history, and the laws are read off it.
 */
import type { NewWorkQueue, RateLimitingWorkQueue, RunWorkers } from '../../contracts/work-queue.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { Simulation, scripted } from '../../sim/index.ts';
import type { NewRateLimiter } from './limits.ts';
import type { PoolEntry, PoolHistory } from './pool-history.ts';
import type { Attempt, PoolScenario } from './pool-scenario.ts';

/** What is put to the test. */
export interface PoolKit {
  readonly newWorkQueue: NewWorkQueue;
  readonly newRateLimiter: NewRateLimiter;
  readonly runWorkers: RunWorkers;
}

/** Longer than all adds, attempts and waits take together. */
const REST_MS = 120_000;
/** How long the workers are kept busy at the muster; the abort comes in the midst of it. */
export const MUSTER_MS = 1_000;
/** How long it is looked at after the abort. */
const AFTERMATH_MS = 20_000;

/** @throws what the queue throws */
export async function runWorkerPool(kit: PoolKit, scenario: PoolScenario): Promise<PoolHistory> {
  return await new World(kit, scenario).live();
}

type Entry = PoolEntry extends infer E ? (E extends PoolEntry ? Omit<E, 'atMs'> : never) : never;

class World {
  readonly #scenario: PoolScenario;
  readonly #sim: Simulation;
  readonly #entries: PoolEntry[] = [];
  readonly #queue: RateLimitingWorkQueue<string>;
  readonly #runWorkers: RunWorkers;
  /** What is left of each item's attempts. */
  readonly #attempts: Map<string, Attempt[]>;
  readonly #controller = new AbortController();
  #failure: { readonly error: unknown } | undefined;

  constructor({ newWorkQueue, newRateLimiter, runWorkers }: PoolKit, scenario: PoolScenario) {
    const { seed, schedule, exponential, attempts } = scenario;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed, choose: scripted(schedule) });
    const { clock } = this.#sim;
    this.#queue = newWorkQueue<string>({ clock, rateLimiter: newRateLimiter({ exponential }, clock) });
    this.#runWorkers = runWorkers;
    this.#attempts = new Map(Object.entries(attempts).map(([item, own]) => [item, [...own]]));
  }

  async live(): Promise<PoolHistory> {
    const { workers, maxRetries, listener, abortAtMs } = this.#scenario;
    const sim = this.#sim;
    const { trace } = sim;
    this.#runWorkers<string>({
      queue: this.#counted(this.#queue),
      sync: (item) => this.#sync(item),
      workers,
      ...(maxRetries !== undefined && { maxRetries }),
      ...(listener !== 'nobody' && { onError: (error, item) => this.#listen(error, item) }),
      signal: this.#controller.signal,
    }).then(
      () => this.#record({ kind: 'returned' }),
      (error: unknown) => this.#record({ kind: 'rejected', error }),
    );
    this.#begin(this.#add());
    this.#begin(this.#end(abortAtMs));
    const endMs = (abortAtMs ?? REST_MS + MUSTER_MS) + AFTERMATH_MS;
    await sim.run({ forMs: endMs, until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure.error;
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  #begin(life: Promise<void>): void {
    life.catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  async #add(): Promise<void> {
    for (const [i, { afterMs, item }] of this.#scenario.adds.entries()) {
      if (i === 0 || afterMs > 0) await this.#sim.turn(afterMs, 'producer', 'add');
      this.#record({ kind: 'add', item });
      this.#queue.add(item);
    }
  }

  async #end(abortAtMs: number | undefined): Promise<void> {
    if (abortAtMs === undefined) {
      await this.#sim.turn(REST_MS, 'foreman', 'muster');
      this.#record({ kind: 'muster' });
      for (let i = 1; i <= this.#scenario.workers; i++) {
        const item = `muster-${i}`;
        this.#attempts.set(item, [{ how: 'succeeds', takesMs: MUSTER_MS }]);
        this.#record({ kind: 'add', item });
        this.#queue.add(item);
      }
    }
    await this.#sim.turn(abortAtMs ?? MUSTER_MS / 2, 'foreman', 'abort');
    this.#record({ kind: 'abort' });
    this.#controller.abort();
  }

  /** Not an async function: what throws must throw before there is a promise. */
  #sync(item: string): Promise<void> {
    this.#record({ kind: 'begin', item });
    const stuck = this.#sim.spend('a worker', `sync(${item})`);
    if (stuck) return stuck;
    const { how, takesMs } = this.#attempts.get(item)?.shift() ?? { how: 'succeeds', takesMs: 0 };
    if (how !== 'throws') return this.#settle(item, how, takesMs);
    const error = new Error(`sync(${item}) threw`);
    this.#record({ kind: 'failure', item, error });
    throw error;
  }

  async #settle(item: string, how: Exclude<Attempt['how'], 'throws'>, takesMs: number): Promise<void> {
    if (takesMs > 0) await this.#sim.turn(takesMs, 'sync', item);
    if (how === 'succeeds') {
      this.#record({ kind: 'success', item });
      return;
    }
    const error = how === 'rejects' ? new Error(`sync(${item}) rejected`) : undefined;
    this.#record({ kind: 'failure', item, error });
    throw error;
  }

  #listen(error: unknown, item: string): void {
    this.#record({ kind: 'told', item, error });
    if (this.#scenario.listener === 'throws') throw new Error('onError throws');
  }

  /** The queue; but who asks it again and again, and lets no time pass, is found out. */
  #counted(queue: RateLimitingWorkQueue<string>): RateLimitingWorkQueue<string> {
    return {
      get: async () => {
        const stuck = this.#sim.spend('a worker', 'get');
        if (stuck) await stuck;
        return await queue.get();
      },
      add: (item) => queue.add(item),
      addAfter: (item, delayMs) => queue.addAfter(item, delayMs),
      addRateLimited: (item) => queue.addRateLimited(item),
      forget: (item) => queue.forget(item),
      numRequeues: (item) => queue.numRequeues(item),
      len: () => queue.len(),
      done: (item) => queue.done(item),
      shutDown: () => queue.shutDown(),
      shutDownWithDrain: () => queue.shutDownWithDrain(),
      shuttingDown: () => queue.shuttingDown(),
    };
  }

  #record(entry: Entry): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...entry } as PoolEntry);
    this.#sim.trace.record(drawn(entry));
  }
}

/** What a timeline shows of an entry. */
function drawn(entry: Entry): { actor: string; verb: string; object?: string; note?: string } {
  switch (entry.kind) {
    case 'add':
      return { actor: 'producer', verb: 'add', object: entry.item };
    case 'begin':
      return { actor: 'workers', verb: 'sync', object: entry.item };
    case 'success':
      return { actor: 'sync', verb: 'resolves', object: entry.item };
    case 'failure':
      return { actor: 'sync', verb: 'fails', object: entry.item, note: said(entry.error) };
    case 'told':
      return { actor: 'onError', verb: 'is told', object: entry.item, note: said(entry.error) };
    case 'muster':
      return { actor: 'foreman', verb: 'musters the workers' };
    case 'abort':
      return { actor: 'foreman', verb: 'abort' };
    case 'returned':
      return { actor: 'runWorkers', verb: 'returns' };
    case 'rejected':
      return { actor: 'runWorkers', verb: 'rejects', note: said(entry.error) };
  }
}

/** What was thrown, in words. */
function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
