import { getEventListeners } from 'node:events';
import { noteCaught } from '../../contracts/caught.ts';
import { NotImplemented } from '../../contracts/todo.ts';
import type { NewWorkQueue, RateLimitingWorkQueue, RunWorkers } from '../../contracts/work-queue.ts';
import { WorkQueueDecorator } from '../../contracts/work-queue-decorators.ts';
import { drawTimeline } from '../../drawing/timeline.ts';
import { Simulation, scripted } from '../../sim/index.ts';
import type { Event, HistoryEntry, Item, WorkQueueHistory } from './history.ts';
import { expectedRateLimiter } from './oracle/limits.ts';
import { render } from './render/history.ts';
import {
  type Action,
  AGAIN_AFTER_MS,
  type Attempt,
  type Ending,
  isPool,
  type Pool,
  type Shift,
  type Step,
  type WorkerPlan,
  type WorkQueueScenario,
} from './scenario/index.ts';

/** The functions under test. */
export interface WorkQueueKit {
  readonly newWorkQueue: NewWorkQueue;
  readonly runWorkers: RunWorkers;
}

/** The time for which each worker is busy at the muster; the end comes in the middle of it. */
const MUSTER_MS = 1_000;
/** The length of a run after the quiet period: by then the queue must have no timer left. */
const AFTERMATH_MS = 25_000;

/**
 * Runs a queue through a scenario: producers add items; workers of the simulation or of `runWorkers` take them and call
 * done; in the end the queue is shut down. Returns the history, which the laws read.
 *
 * @throws the error of the queue, thrown or as a rejection
 */
export async function runWorkQueue(
  kit: WorkQueueKit,
  scenario: WorkQueueScenario,
): Promise<WorkQueueHistory> {
  return await new KataSimulation(kit, scenario).live();
}

/** Returns the number of listeners for `abort` on a signal. */
export function abortListeners(signal: AbortSignal): number {
  return getEventListeners(signal, 'abort').length;
}

class KataSimulation {
  readonly #scenario: WorkQueueScenario;
  readonly #sim: Simulation;
  readonly #entries: HistoryEntry[] = [];
  readonly #queue: RateLimitingWorkQueue<Item>;
  readonly #runWorkers: RunWorkers;
  readonly #controller = new AbortController();
  /** The remaining attempts of each item. */
  readonly #attempts = new Map<Item, Attempt[]>();
  /** The number of adds of all kinds, and the number of items handed out. */
  #requests = 0;
  #handOvers = 0;
  #drains = 0;
  /** The items that `runWorkers` took from the queue without calling done. */
  readonly #taken = new Set<Item>();
  #failure: { readonly error: unknown } | undefined;

  constructor({ newWorkQueue, runWorkers }: WorkQueueKit, scenario: WorkQueueScenario) {
    const { seed, schedule, limits } = scenario;
    this.#scenario = scenario;
    this.#sim = new Simulation({ seed, choose: scripted(schedule) });
    const { clock } = this.#sim;
    this.#queue = newWorkQueue<Item>({
      clock,
      ...(limits !== 'default' && { rateLimiter: expectedRateLimiter(limits, clock) }),
    });
    this.#runWorkers = runWorkers;
  }

  async live(): Promise<WorkQueueHistory> {
    const { producers, staff, ending, quietAtMs } = this.#scenario;
    const sim = this.#sim;
    const { trace } = sim;
    const uncaught = isPool(staff) && staff.listener === 'rejects' ? this.#catchAll() : undefined;
    try {
      this.#ask();
      if (ending.atMs === -1) this.#end(ending.how);
      if (isPool(staff)) this.#employ(staff);
      else for (const [i, plan] of staff.entries()) this.#begin(this.#work(`worker ${i + 1}`, plan));
      for (const [i, steps] of producers.entries()) this.#begin(this.#produce(`producer ${i + 1}`, steps));
      if (ending.atMs !== -1) this.#begin(this.#close(ending));
      await sim.run({ forMs: quietAtMs + AFTERMATH_MS, until: () => this.#failure !== undefined });
    } finally {
      uncaught?.();
    }
    if (this.#failure) throw this.#failure.error;
    this.#ask();
    const listeners = abortListeners(this.#controller.signal);
    this.#record({ kind: 'rest', timers: sim.pending, listeners, kept: [...this.#taken] });
    return {
      entries: this.#entries,
      scenario: this.#scenario,
      hash: trace.hash(),
      timeline: () => drawTimeline(trace.entries),
    };
  }

  #begin(incarnation: Promise<void>): void {
    incarnation.catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  /** Records unhandled rejections, which would end a real process. */
  #catchAll(): () => void {
    const usual = process.listeners('unhandledRejection');
    const note = (error: unknown): void => this.#record({ kind: 'uncaught', error });
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
    return () => {
      process.off('unhandledRejection', note);
      for (const listener of usual) process.on('unhandledRejection', listener);
    };
  }

  async #produce(name: string, steps: readonly Step[]): Promise<void> {
    for (const [i, step] of steps.entries()) {
      if (i === 0 || step.afterMs > 0) await this.#sim.turn(step.afterMs, name, step.act);
      this.#act(name, step);
    }
  }

  async #work(worker: string, { startsAtMs, shifts }: WorkerPlan): Promise<void> {
    await this.#sim.turn(startsAtMs, worker, 'start');
    for (let [n, ends] = [0, 0]; ends < 2; n++) {
      this.#record({ kind: 'ask', worker });
      const item = await this.#queue.get();
      if (item === undefined) {
        this.#record({ kind: 'end', worker });
        // Call get again: a queue that is shut down stays so.
        ends++;
        continue;
      }
      this.#record({ kind: 'got', worker, item });
      // Without this limit, a queue that hands out too many items would keep the worker busy without end.
      if (++this.#handOvers > this.#requests) return;
      const shift = shifts[n] ?? { takesMs: 0, lastly: 'nothing', restsMs: 0 };
      await this.#seeTo(worker, item, shift);
      this.#record({ kind: 'done', worker, item });
      this.#queue.done(item);
      // A worker without a pause calls get in the same turn, perhaps before a get that was woken continues.
      if (shift.restsMs > 0) await this.#sim.turn(shift.restsMs, worker, 'rest');
    }
  }

  async #seeTo(worker: string, item: Item, { takesMs, lastly }: Shift): Promise<void> {
    if (takesMs > 0) await this.#sim.turn(takesMs, worker, 'work');
    if (lastly === 'addAfter') this.#act(worker, { act: lastly, item, delayMs: AGAIN_AFTER_MS });
    else if (lastly !== 'nothing') this.#act(worker, { act: lastly, item });
  }

  #act(by: string, action: Action): void {
    if (action.act === 'len') {
      this.#record({ kind: 'len', count: this.#queue.len() });
      return;
    }
    const { act, item } = action;
    if (act !== 'forget') this.#requests++;
    if (act === 'addAfter') {
      this.#record({ kind: act, by, item, delayMs: action.delayMs });
      this.#queue.addAfter(item, action.delayMs);
      return;
    }
    this.#record({ kind: act, by, item });
    this.#queue[act](item);
    if (act !== 'add') this.#record({ kind: 'requeues', item, count: this.#queue.numRequeues(item) });
  }

  /** Starts `runWorkers`. */
  #employ({ workers, maxRetries, listener, attempts }: Pool): void {
    for (const [item, own] of Object.entries(attempts)) this.#attempts.set(item, [...own]);
    this.#record({ kind: 'employ' });
    this.#runWorkers<Item>({
      queue: new Guarded(this.#queue, this.#sim, this.#taken),
      sync: (item) => this.#sync(item),
      workers,
      ...(maxRetries !== undefined && { maxRetries }),
      ...(listener !== 'absent' && { onError: (error, item) => this.#listen(listener, error, item) }),
      signal: this.#controller.signal,
    }).then(
      () => this.#record({ kind: 'returned' }),
      (error: unknown) => {
        if (error instanceof NotImplemented) this.#failure ??= { error };
        this.#note(error);
        this.#record({ kind: 'rejected', error });
      },
    );
  }

  /** Not an async function: an attempt that throws must throw synchronously. */
  #sync(item: Item): Promise<void> {
    this.#record({ kind: 'begin', item });
    const stuck = this.#sim.spend('a worker', `sync(${item})`);
    if (stuck) return stuck;
    const { how, takesMs } = this.#attempts.get(item)?.shift() ?? { how: 'succeeds', takesMs: 0 };
    if (how !== 'throws' && how !== 'throws with nothing') return this.#settle(item, how, takesMs);
    const error = how === 'throws' ? new Error(`sync(${item}) threw`) : undefined;
    this.#record({ kind: 'failure', item, error });
    throw error;
  }

  async #settle(
    item: Item,
    how: Exclude<Attempt['how'], 'throws' | 'throws with nothing'>,
    takesMs: number,
  ): Promise<void> {
    if (takesMs > 0) await this.#sim.turn(takesMs, 'sync', String(item));
    if (how === 'succeeds') {
      this.#record({ kind: 'success', item });
      return;
    }
    const said = `sync(${item}) rejected`;
    const error = {
      rejects: new Error(said),
      'rejects with nothing': undefined,
      'rejects with a string': said,
    }[how];
    this.#record({ kind: 'failure', item, error });
    throw error;
  }

  #listen(listener: Pool['listener'], error: unknown, item: Item): unknown {
    this.#note(error);
    this.#record({ kind: 'told', item, error });
    if (listener === 'throws') throw new Error('onError throws');
    if (listener === 'never answers') return new Promise<void>(() => {});
    if (listener === 'rejects') return Promise.reject(new Error('onError rejects'));
    return undefined;
  }

  /** Notes an unhandled error, unless it is an error of the scenario's own `sync`. */
  #note(error: unknown): void {
    const isOurs = this.#entries.some((entry) => entry.kind === 'failure' && entry.error === error);
    if (!isOurs) noteCaught(error);
  }

  async #close({ how, atMs, followedBy = [] }: Ending): Promise<void> {
    const { staff, quietAtMs } = this.#scenario;
    if (atMs === undefined && isPool(staff)) {
      await this.#sim.turn(quietAtMs - MUSTER_MS, 'closer', 'muster');
      this.#muster(staff.workers);
      await this.#sim.turn(MUSTER_MS / 2, 'closer', how);
    } else await this.#sim.turn(atMs ?? quietAtMs, 'closer', how);
    this.#end(how);
    for (const next of followedBy) {
      if (next.afterMs > 0) await this.#sim.turn(next.afterMs, 'closer', next.how);
      this.#end(next.how);
    }
  }

  #muster(workers: number): void {
    this.#record({ kind: 'muster' });
    for (let i = 1; i <= workers; i++) {
      const item = `muster-${i}`;
      this.#attempts.set(item, [{ how: 'succeeds', takesMs: MUSTER_MS }]);
      this.#act('closer', { act: 'add', item });
    }
  }

  #end(how: Ending['how']): void {
    if (how === 'abort') {
      this.#record({ kind: how });
      this.#controller.abort();
      return;
    }
    if (how === 'shutDown') {
      this.#record({ kind: how });
      this.#queue.shutDown();
    } else {
      const drain = this.#drains++;
      this.#record({ kind: how, drain });
      this.#begin(this.#queue.shutDownWithDrain().then(() => this.#record({ kind: 'drained', drain })));
    }
    this.#ask();
  }

  /** Records the result of `shuttingDown`. */
  #ask(): void {
    this.#record({ kind: 'says', closed: this.#queue.shuttingDown() });
  }

  #record(event: Event): void {
    this.#entries.push({ atMs: this.#sim.elapsedMs, ...event } as HistoryEntry);
    const seen = render(event);
    if (seen) this.#sim.trace.record(seen);
  }
}

/**
 * Wraps the queue: detects workers that call get in an endless loop without a pause, and records the items that they
 * keep.
 */
class Guarded
  extends WorkQueueDecorator<Item, RateLimitingWorkQueue<Item>>
  implements RateLimitingWorkQueue<Item>
{
  readonly #sim: Simulation;
  readonly #taken: Set<Item>;

  constructor(queue: RateLimitingWorkQueue<Item>, sim: Simulation, taken: Set<Item>) {
    super(queue);
    this.#sim = sim;
    this.#taken = taken;
  }

  override async get(): Promise<Item | undefined> {
    const stuck = this.#sim.spend('a worker', 'get');
    if (stuck) await stuck;
    const item = await super.get();
    if (item !== undefined) this.#taken.add(item);
    return item;
  }

  override done(item: Item): void {
    this.#taken.delete(item);
    super.done(item);
  }

  addAfter(item: Item, delayMs: number): void {
    this.queue.addAfter(item, delayMs);
  }

  addRateLimited(item: Item): void {
    this.queue.addRateLimited(item);
  }

  forget(item: Item): void {
    this.queue.forget(item);
  }

  numRequeues(item: Item): number {
    return this.queue.numRequeues(item);
  }
}
