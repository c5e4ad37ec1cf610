/**
 * One life of a queue: producers add, workers take and give back, and in the end somebody shuts it down. What comes
 * out is a history, and the laws are read off it.
 */
import type { NewWorkQueue, RateLimiter, RateLimitingWorkQueue } from '../../contracts/work-queue.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { Simulation, scripted } from '../../sim/index.ts';
import type { HistoryEntry, WorkQueueHistory } from './history.ts';
import { inMs, type NewRateLimiter } from './limits.ts';
import {
  type Action,
  AGAIN_AFTER_MS,
  type Ending,
  type Shift,
  type Step,
  type WorkerPlan,
  type WorkQueueScenario,
} from './scenario.ts';

/** What is put to the test. */
export interface WorkQueueKit {
  readonly newWorkQueue: NewWorkQueue;
  readonly newRateLimiter: NewRateLimiter;
}

/** Longer than producers and workers take, and the longest wait of as many failures as there can be. */
const REST_MS = 400_000;
/** How long it is looked at after that. */
const AFTERMATH_MS = 60_000;

/** @throws whatever the queue throws, or its promises reject with */
export async function runWorkQueue(
  kit: WorkQueueKit,
  scenario: WorkQueueScenario,
): Promise<WorkQueueHistory> {
  return await new World(kit, scenario).live();
}

type Entry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

class World {
  readonly #scenario: WorkQueueScenario;
  readonly #sim: Simulation;
  readonly #entries: HistoryEntry[] = [];
  readonly #queue: RateLimitingWorkQueue<string>;
  /** How often somebody asked for an item to be handed out, and how often one was. */
  #requests = 0;
  #handOvers = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor({ newWorkQueue, newRateLimiter }: WorkQueueKit, scenario: WorkQueueScenario) {
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed: scenario.seed, choose: scripted(scenario.schedule) });
    const { clock } = this.#sim;
    const rateLimiter = this.#watched(newRateLimiter(scenario.limits, clock));
    this.#queue = newWorkQueue<string>({ clock, rateLimiter });
  }

  async live(): Promise<WorkQueueHistory> {
    const { producers, workers, ending, limits } = this.#scenario;
    const sim = this.#sim;
    for (const [i, steps] of producers.entries()) this.#begin(this.#produce(`producer ${i + 1}`, steps));
    for (const [i, plan] of workers.entries()) this.#begin(this.#work(`worker ${i + 1}`, plan));
    this.#begin(this.#close(ending));
    await sim.run({ forMs: REST_MS + AFTERMATH_MS, until: () => this.#failure !== undefined });
    if (this.#failure) throw this.#failure.error;
    const { trace } = sim;
    return {
      entries: this.#entries,
      limits,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  #begin(life: Promise<void>): void {
    life.catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  async #produce(name: string, steps: readonly Step[]): Promise<void> {
    for (const [i, step] of steps.entries()) {
      if (i === 0 || step.afterMs > 0) await this.#sim.turn(step.afterMs, name, step.act);
      this.#act(name, step);
    }
  }

  async #work(worker: string, { startsAtMs, shifts }: WorkerPlan): Promise<void> {
    await this.#sim.turn(startsAtMs, worker, 'start');
    for (let n = 0; ; n++) {
      this.#record({ kind: 'ask', worker });
      const item = await this.#queue.get();
      if (item === undefined) {
        this.#record({ kind: 'end', worker });
        return;
      }
      this.#record({ kind: 'got', worker, item });
      // Who is handed more than anybody ever asked for would go on for ever.
      if (++this.#handOvers > this.#requests) return;
      await this.#seeTo(worker, item, shifts[n] ?? { takesMs: 0, lastly: 'nothing', restsMs: 0 });
    }
  }

  async #seeTo(worker: string, item: string, { takesMs, lastly, restsMs }: Shift): Promise<void> {
    if (takesMs > 0) await this.#sim.turn(takesMs, worker, 'work');
    if (lastly === 'addAfter') this.#act(worker, { act: lastly, item, delayMs: AGAIN_AFTER_MS });
    else if (lastly !== 'nothing') this.#act(worker, { act: lastly, item });
    this.#record({ kind: 'done', worker, item });
    this.#queue.done(item);
    if (restsMs > 0) await this.#sim.turn(restsMs, worker, 'rest');
  }

  async #close({ how, atMs = REST_MS, forcedAfterMs }: Ending): Promise<void> {
    await this.#sim.turn(atMs, 'closer', how);
    if (how === 'shutDown') {
      this.#record({ kind: 'shutDown' });
      this.#queue.shutDown();
      return;
    }
    this.#record({ kind: 'drain' });
    this.#begin(this.#queue.shutDownWithDrain().then(() => this.#record({ kind: 'drained' })));
    if (forcedAfterMs === undefined) return;
    await this.#sim.turn(forcedAfterMs, 'closer', 'shutDown');
    this.#record({ kind: 'shutDown' });
    this.#queue.shutDown();
  }

  #act(by: string, action: Action): void {
    const { act, item } = action;
    if (act === 'addAfter') {
      this.#requests++;
      this.#record({ kind: act, by, item, delayMs: action.delayMs });
      this.#queue.addAfter(item, action.delayMs);
      return;
    }
    if (act !== 'forget') this.#requests++;
    this.#record({ kind: act, by, item });
    this.#queue[act](item);
    if (act !== 'add') {
      this.#record({ kind: 'requeues', item, count: this.#queue.numRequeues(item) });
    }
  }

  /** The rate limiter, with what it says written down. */
  #watched(limiter: RateLimiter<string>): RateLimiter<string> {
    return {
      when: (item) => {
        const delayMs = limiter.when(item);
        this.#record({ kind: 'when', item, delayMs });
        return delayMs;
      },
      forget: (item) => limiter.forget(item),
      numRequeues: (item) => limiter.numRequeues(item),
    };
  }

  #record(entry: Entry): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...entry } as HistoryEntry);
    const seen = drawn(entry);
    if (seen) this.#sim.trace.record(seen);
  }
}

/** What a timeline shows of an entry; undefined when it would only be in the way. */
function drawn(entry: Entry): { actor: string; verb: string; object?: string; note?: string } | undefined {
  switch (entry.kind) {
    case 'add':
    case 'addRateLimited':
    case 'forget':
      return { actor: entry.by, verb: entry.kind, object: entry.item };
    case 'addAfter':
      return { actor: entry.by, verb: entry.kind, object: entry.item, note: `${entry.delayMs} ms` };
    case 'when':
      return { actor: 'rate limiter', verb: 'when', object: entry.item, note: `${inMs(entry.delayMs)} ms` };
    case 'requeues':
      return undefined;
    case 'ask':
      return { actor: entry.worker, verb: 'get' };
    case 'got':
      return { actor: entry.worker, verb: 'gets', object: entry.item };
    case 'done':
      return { actor: entry.worker, verb: 'done', object: entry.item };
    case 'end':
      return { actor: entry.worker, verb: 'gets', object: 'undefined', note: 'goes home' };
    case 'shutDown':
      return { actor: 'closer', verb: 'shutDown' };
    case 'drain':
      return { actor: 'closer', verb: 'shutDownWithDrain' };
    case 'drained':
      return { actor: 'closer', verb: 'shutDownWithDrain returns' };
  }
}
