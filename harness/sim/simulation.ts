import { type Chooser, inOrder } from './chooser.ts';
import type { Clock } from './clock.ts';
import { LocalClock } from './local-clock.ts';
import { Quiescence } from './quiescence.ts';
import { type Random, seededRandom } from './random.ts';
import { Repetitions } from './repetitions.ts';
import { TaskQueue } from './task-queue.ts';
import { Trace } from './trace.ts';

/** What makes one run differ from another. */
export interface SimulationOptions {
  /** @defaultValue 1 */
  readonly seed?: number;
  /** Which goes first among tasks that are due together. @defaultValue {@link inOrder} */
  readonly choose?: Chooser;
  /** The time at which the simulation begins, in ms since 1970. @defaultValue 2024-04-17 */
  readonly startMs?: number;
}

/** When {@link Simulation.run} is to stop; whichever comes first. */
interface RunLimits {
  /** Stop after this much virtual time. @defaultValue no limit: run until nothing is left to do */
  readonly forMs?: number;
  /** Stop as soon as this is true. It is asked before the first task and after each. */
  readonly until?: () => boolean;
}

/** What a piece of the simulation did so often at one instant that it must be a loop. It stands where the loop does. */
export class HotLoop extends Error {
  override readonly name = 'HotLoop';

  /** @param repeated what was done again and again, and from where */
  constructor(message: string, repeated: Repetitions) {
    super([message, repeated.told()].filter(Boolean).join(' '));
    if (repeated.frame !== '') this.stack = `${this.name}: ${this.message}\n${repeated.frame}`;
  }
}

/** A promise that was waited for and on which nothing in the simulation works any more. */
export class NeverSettled extends Error {
  override readonly name = 'NeverSettled';
}

/** Calls that may be made, by all actors together, within one task of the simulation. */
const CALLS_PER_TURN_MAX = 1_000;
/** Tasks that one actor may have at one instant. */
const TASKS_PER_INSTANT_MAX = 10_000;
/** How often one thing may be handed to one actor within one task. */
const HAND_OUTS_PER_TURN_MAX = 1_000;
/** Of what comes near a limit, so many of the last are looked at closely: each costs a stack. */
const LOOKED_AT = { calls: 100, tasks: 1_000, handOuts: 100 } as const;

/** What a clock's tasks are. */
const TIMER = 'timer';

/** What is done again and again, beside everything else. */
interface Chore {
  readonly periodMs: number;
  nextMs: number;
  run(): void;
}

const START_MS = Date.UTC(2024, 3, 17);

/**
 * A virtual clock, a queue of tasks, a source of chance and a trace: one reproducible run.
 *
 * The heart of determinism. Everything that crosses a boundary – a request that arrives, a response, a watch
 * event, a timer – is a task with a virtual due time. The simulation runs one task, lets every promise settle,
 * and picks the next: by due time, and among equals by the {@link Chooser}. Nothing else decides order, so one
 * seed gives one run.
 */
export class Simulation {
  readonly random: Random;
  readonly trace: Trace;
  /** The true time. Actors have clocks of their own, {@link clockFor}, which can be cut off or set wrong. */
  readonly clock: Clock;

  readonly #startMs: number;
  readonly #choose: Chooser;
  readonly #tasks = new TaskQueue();
  readonly #chores: Chore[] = [];
  /** When the next chore is due. */
  #nextChoreMs = Number.POSITIVE_INFINITY;
  readonly #quiescence = new Quiescence();
  #elapsedMs = 0;
  #callsThisTurn = 0;
  readonly #tasksThisInstant = new Map<string, number>();
  /** By actor and thing. */
  readonly #handOutsThisTurn = new Map<string, number>();
  /** What is done very often within one task, and at one instant. */
  readonly #repeatedThisTurn = new Repetitions();
  readonly #repeatedThisInstant = new Repetitions();
  #failure: Error | undefined;
  #running = false;
  #onSchedule: ((atMs: number) => void) | undefined;

  constructor(options: SimulationOptions = {}) {
    this.#startMs = options.startMs ?? START_MS;
    this.#choose = options.choose ?? inOrder;
    this.random = seededRandom(options.seed ?? 1);
    this.trace = new Trace(() => this.#elapsedMs);
    this.clock = this.clockFor('clock');
  }

  /** Virtual milliseconds since the simulation began. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** How many tasks wait for their time. */
  get pending(): number {
    return this.#tasks.size;
  }

  /** When something happens next, in virtual ms since the simulation began; undefined if nothing does. */
  get nextDueMs(): number | undefined {
    const next = Math.min(this.#tasks.nextAtMs ?? Number.POSITIVE_INFINITY, this.#nextChoreMs);
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /**
   * Calls back for each task that is scheduled from now on. For what runs the simulation in step with another clock, and would
   * else sleep until what was due next before.
   */
  onSchedule(listener: (atMs: number) => void): void {
    this.#onSchedule = listener;
  }

  /**
   * Runs `run` in `afterMs` milliseconds, as one task; fractions are rounded up. Returns what cancels it.
   *
   * @param actor the actor that it belongs to; a loop is reported under this name
   * @param what what it is, for the same report: `GET pods`, `timer`
   */
  schedule(afterMs: number, actor: string, what: string, run: () => void): () => void {
    if (!(afterMs >= 0 && afterMs < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Failed to schedule ${what}: ${afterMs} ms is not a delay.`);
    }
    const turns = this.#tasksThisInstant.get(actor) ?? 0;
    if (afterMs === 0 && turns > TASKS_PER_INSTANT_MAX - LOOKED_AT.tasks) {
      this.#repeatedThisInstant.note(what === TIMER ? 'timer of 0 ms' : what);
    }
    const atMs = this.#elapsedMs + Math.ceil(afterMs);
    this.#onSchedule?.(atMs);
    return this.#tasks.push({ atMs, actor, what, run });
  }

  /** Resolves when a task that is due in `afterMs` milliseconds has its turn. */
  turn(afterMs: number, actor: string, what: string): Promise<void> {
    return new Promise((resolve) => {
      this.schedule(afterMs, actor, what, resolve);
    });
  }

  /**
   * Counts one call across a boundary. Code that calls in a loop without ever letting time pass would never
   * give the simulation a turn; after {@link CALLS_PER_TURN_MAX} calls it gets a promise that never settles, and
   * the run fails with {@link HotLoop}. It is not told by an exception: a loop that retries would catch it.
   */
  spend(actor: string, what: string): Promise<void> | undefined {
    this.#callsThisTurn++;
    if (this.#callsThisTurn > CALLS_PER_TURN_MAX - LOOKED_AT.calls) this.#repeatedThisTurn.note(what);
    if (this.#callsThisTurn <= CALLS_PER_TURN_MAX) return undefined;
    this.#failure ??= new HotLoop(
      `${actor} called ${what} ${CALLS_PER_TURN_MAX} times in a row without letting any time pass: a hot loop. ` +
        'Wait before you try again: clock.sleep(ms), with a backoff.',
      this.#repeatedThisTurn,
    );
    return new Promise(() => {});
  }

  /**
   * Counts that something was handed to an actor, say an item of its queue. An actor that gets the same thing again and again
   * without letting time pass is not told by an exception, either: see {@link spend}.
   *
   * @returns whether it is a loop: then nothing should be handed out any more
   */
  handOut(actor: string, what: string): boolean {
    const key = `${actor} ${what}`;
    const count = (this.#handOutsThisTurn.get(key) ?? 0) + 1;
    this.#handOutsThisTurn.set(key, count);
    if (count <= HAND_OUTS_PER_TURN_MAX) return false;
    this.#failure ??= new HotLoop(
      `${actor} got ${what} ${HAND_OUTS_PER_TURN_MAX.toLocaleString('en')} times while no virtual time passed: a hot loop. ` +
        'What is to be looked at again waits first: addRateLimited, or addAfter with a delay.',
      this.#repeatedThisTurn,
    );
    return true;
  }

  /** Says that an actor asked for something that may come back as a {@link handOut}; looked at if it comes back all the time. */
  asked(actor: string, what: string, call: () => string): void {
    const count = this.#handOutsThisTurn.get(`${actor} ${what}`) ?? 0;
    if (count > HAND_OUTS_PER_TURN_MAX - LOOKED_AT.handOuts) this.#repeatedThisTurn.note(call());
  }

  /**
   * Runs `run` each time that so much virtual time has passed, before anything else that is due then. It is no task:
   * it takes no turn, changes no choice, belongs to no actor, and keeps no run from ending when nothing else is left.
   */
  every(periodMs: number, run: () => void): void {
    if (!(periodMs > 0)) throw new RangeError(`Failed to repeat something: ${periodMs} ms is not a period.`);
    const nextMs = this.#elapsedMs + periodMs;
    this.#chores.push({ periodMs, nextMs, run });
    this.#nextChoreMs = Math.min(this.#nextChoreMs, nextMs);
  }

  /** A clock for one actor, which can be set wrong and severed without touching any other. */
  clockFor(actor: string): LocalClock {
    return new LocalClock(
      () => this.#startMs + this.#elapsedMs,
      (afterMs, run) => this.schedule(afterMs, actor, TIMER, run),
    );
  }

  /**
   * Runs tasks until a limit is reached or none is left. With `forMs`, unless `until` ended it before, the clock
   * then stands at exactly that time, so that consecutive runs add up. A chain of microtasks that never ends
   * never gives the turn back: only a watchdog outside can tell.
   *
   * @throws HotLoop when an actor spins; whatever a timer's callback throws
   */
  async run({ forMs, until }: RunLimits = {}): Promise<void> {
    if (this.#running)
      throw new Error('Failed to run the simulation: it is running already. Await the first run.');
    this.#running = true;
    try {
      const endMs = forMs === undefined ? Number.POSITIVE_INFINITY : this.#elapsedMs + forMs;
      await this.#quiescence.reached();
      this.#endTurn();
      while (!until?.()) {
        const dueMs = this.#tasks.nextAtMs;
        if (dueMs === undefined || dueMs > endMs) {
          if (endMs !== Number.POSITIVE_INFINITY) this.#advance(endMs);
          return;
        }
        this.#step(dueMs);
        await this.#quiescence.reached();
        this.#endTurn();
      }
    } finally {
      this.#running = false;
    }
  }

  /**
   * Runs the simulation until `promise` settles, and gives its result.
   *
   * @throws NeverSettled when nothing is left to do, or `withinMs` have passed, and it is still pending
   */
  async settle<T>(promise: Promise<T>, withinMs = 3_600_000): Promise<T> {
    let settled = false;
    const done = (): void => {
      settled = true;
    };
    promise.then(done, done);
    await this.run({ until: () => settled, forMs: withinMs });
    if (settled) return promise;
    throw new NeverSettled(
      this.#tasks.size === 0
        ? 'A promise that was waited for never settles: nothing is left to happen that could settle it.'
        : `A promise that was waited for did not settle within ${withinMs / 1000} s of virtual time.`,
    );
  }

  #step(dueMs: number): void {
    this.#advance(dueMs);
    const count = this.#tasks.countDueNext;
    const task = this.#tasks.take(count > 1 ? this.#choose(count) : 0);
    const ran = (this.#tasksThisInstant.get(task.actor) ?? 0) + 1;
    this.#tasksThisInstant.set(task.actor, ran);
    if (ran > TASKS_PER_INSTANT_MAX) {
      throw new HotLoop(
        `${task.actor} had ${(ran - 1).toLocaleString('en')} turns while no virtual time passed: a hot loop.`,
        this.#repeatedThisInstant,
      );
    }
    task.run();
  }

  /** Ends a task, when all promises that could settle have settled. */
  #endTurn(): void {
    this.#callsThisTurn = 0;
    // To clear an empty map costs more than to ask.
    if (this.#handOutsThisTurn.size > 0) this.#handOutsThisTurn.clear();
    this.#repeatedThisTurn.clear();
    if (this.#failure) throw this.#failure;
  }

  #advance(toMs: number): void {
    if (toMs === this.#elapsedMs) return;
    if (this.#nextChoreMs <= toMs) this.#doChores(toMs);
    this.#elapsedMs = toMs;
    this.#tasksThisInstant.clear();
    this.#repeatedThisInstant.clear();
  }

  /** Does what is due up to and with `toMs`, each at its time. */
  #doChores(toMs: number): void {
    for (;;) {
      const [first] = this.#chores.toSorted((a, b) => a.nextMs - b.nextMs);
      this.#nextChoreMs = first?.nextMs ?? Number.POSITIVE_INFINITY;
      if (!first || first.nextMs > toMs) return;
      this.#elapsedMs = first.nextMs;
      first.nextMs += first.periodMs;
      first.run();
    }
  }
}
