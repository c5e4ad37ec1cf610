import { type Chooser, inOrder } from './chooser.ts';
import type { Clock } from './clock.ts';
import { LocalClock } from './local-clock.ts';
import { Quiescence } from './quiescence.ts';
import { type Random, seededRandom } from './random.ts';
import { Repetitions } from './repetitions.ts';
import { type Task, TaskQueue } from './task-queue.ts';
import { Trace } from './trace.ts';

/** Options of a {@link Simulation}. */
export interface SimulationOptions {
  /** @defaultValue 1 */
  readonly seed?: number;
  /** Picks the first among tasks that are due together. @defaultValue {@link inOrder} */
  readonly choose?: Chooser;
  /** The time at which the simulation begins, in ms since 1970. @defaultValue 2024-04-17 */
  readonly startMs?: number;
}

/** Limits of {@link Simulation.run}. The first limit that is reached ends the run. */
interface RunLimits {
  /** Stop after this much virtual time. @defaultValue no limit: run until no task is left */
  readonly forMs?: number;
  /** Stop as soon as this returns true. Called before the first task and after each. */
  readonly until?: () => boolean;
}

/**
 * Thrown when an actor repeats an action so often at one instant that it must be a loop. Its stack points to the loop.
 */
export class HotLoop extends Error {
  override readonly name = 'HotLoop';

  /** @param repeated the repeated actions, with their places in the code */
  constructor(message: string, repeated: Repetitions) {
    super([message, repeated.told()].filter(Boolean).join(' '));
    if (repeated.frame !== '') this.stack = `${this.name}: ${this.message}\n${repeated.frame}`;
  }
}

/** Thrown when an awaited promise can no longer settle, because no task is left. */
export class NeverSettled extends Error {
  override readonly name = 'NeverSettled';
}

/** Maximum number of calls of one actor within one task of the simulation. */
const CALLS_PER_TURN_MAX = 1_000;
/** Maximum number of tasks of one actor at one instant. */
const TASKS_PER_INSTANT_MAX = 10_000;
/** How often one item may be handed to one actor within one task. */
const HAND_OUTS_PER_TURN_MAX = 1_000;
/** Stacks are recorded only for the last N actions before a limit, because each is expensive. */
const LOOKED_AT = { calls: 100, tasks: 1_000, handOuts: 100 } as const;

/** Label of a clock's tasks. */
const TIMER = 'timer';

/** A callback that runs periodically, apart from the tasks. */
interface Chore {
  readonly periodMs: number;
  nextMs: number;
  run(): void;
}

/** The default time at which a simulation begins, in ms since 1970. */
export const START_MS = Date.UTC(2024, 3, 17);

/**
 * A virtual clock, a queue of tasks, a random generator and a trace: one reproducible run.
 *
 * The heart of determinism. Everything that crosses a boundary is a task with a virtual due time: a request that
 * arrives, a response, a watch event, a timer. The simulation runs one task, lets every promise settle, and picks the
 * next: by due time, and among equals by the {@link Chooser}. Order depends on nothing else, so one seed gives one run.
 */
export class Simulation {
  readonly random: Random;
  readonly trace: Trace;
  /** The true time. Each actor has its own clock, {@link clockFor}, which can be severed or set wrong. */
  readonly clock: Clock;

  readonly #startMs: number;
  readonly #choose: Chooser;
  readonly #tasks = new TaskQueue();
  readonly #chores: Chore[] = [];
  /** The due time of the next chore. */
  #nextChoreMs = Number.POSITIVE_INFINITY;
  readonly #quiescence = new Quiescence();
  #elapsedMs = 0;
  readonly #callsThisTurn = new Map<string, number>();
  readonly #tasksThisInstant = new Map<string, number>();
  /** Keys are actor and item. */
  readonly #handOutsThisTurn = new Map<string, number>();
  /** Actions that repeat within one task, and those that repeat at one instant. */
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

  /** Number of tasks that are not due yet. */
  get pending(): number {
    return this.#tasks.size;
  }

  /** Returns the tasks of an actor that are not due yet, by their time. It searches all tasks: for observers only. */
  tasksOf(actor: string): readonly Pick<Task, 'atMs' | 'what'>[] {
    return [...this.#tasks].filter((task) => task.actor === actor).sort((a, b) => a.atMs - b.atMs);
  }

  /** The time of the next task or chore, in virtual ms since the simulation began; undefined without one. */
  get nextDueMs(): number | undefined {
    const next = Math.min(this.#tasks.nextAtMs ?? Number.POSITIVE_INFINITY, this.#nextChoreMs);
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /**
   * Sets a listener for each task that is scheduled from now on. A driver that runs the simulation in step with another
   * clock needs it: otherwise it would sleep until the previous next task.
   */
  onSchedule(listener: (atMs: number) => void): void {
    this.#onSchedule = listener;
  }

  /**
   * Schedules `run` as a task in `afterMs` milliseconds; fractions are rounded up. Returns a function that cancels it.
   *
   * @param actor the actor that the task belongs to; a loop is reported under this name
   * @param what a description for the same report: `GET pods`, `timer`
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
   * Counts one call across a boundary. Code that calls in a loop and never lets time pass would never return control to
   * the simulation. After {@link CALLS_PER_TURN_MAX} calls it receives a promise that never settles, and the run fails
   * with {@link HotLoop}. The call does not throw, because a loop that retries would catch the error. Each actor has
   * its own count: thousands of kubelets may start together.
   */
  spend(actor: string, what: string): Promise<void> | undefined {
    const calls = (this.#callsThisTurn.get(actor) ?? 0) + 1;
    this.#callsThisTurn.set(actor, calls);
    if (calls > CALLS_PER_TURN_MAX - LOOKED_AT.calls) this.#repeatedThisTurn.note(what);
    if (calls <= CALLS_PER_TURN_MAX) return undefined;
    this.#failure ??= new HotLoop(
      `${actor} called ${what} ${CALLS_PER_TURN_MAX} times in a row without letting any time pass: a hot loop. ` +
        'Wait before you try again: clock.sleep(ms), with a backoff.',
      this.#repeatedThisTurn,
    );
    return new Promise(() => {});
  }

  /**
   * Counts that an actor received an item, for example of its queue. An actor that receives the same item again and
   * again without letting time pass causes a {@link HotLoop} as in {@link spend}, without an exception.
   *
   * @returns whether this is a loop: then the caller should hand out no more items
   */
  handOut(actor: string, what: string): boolean {
    const key = `${actor} ${what}`;
    const count = (this.#handOutsThisTurn.get(key) ?? 0) + 1;
    this.#handOutsThisTurn.set(key, count);
    if (count <= HAND_OUTS_PER_TURN_MAX) return false;
    this.#failure ??= new HotLoop(
      `${actor} got ${what} ${HAND_OUTS_PER_TURN_MAX.toLocaleString('en')} times while no virtual time passed: a hot loop. ` +
        'Wait before the next try: addRateLimited, or addAfter with a delay.',
      this.#repeatedThisTurn,
    );
    return true;
  }

  /**
   * Notes that an actor requested an item that may return as a {@link handOut}. The call is described only if the item
   * keeps returning.
   */
  asked(actor: string, what: string, call: () => string): void {
    const count = this.#handOutsThisTurn.get(`${actor} ${what}`) ?? 0;
    if (count > HAND_OUTS_PER_TURN_MAX - LOOKED_AT.handOuts) this.#repeatedThisTurn.note(call());
  }

  /**
   * Runs `run` periodically, before any task that is due at the same time. It is not a task: it takes no turn, affects
   * no choice, belongs to no actor, and does not keep a run from ending. Returns a function that ends the repetition.
   */
  every(periodMs: number, run: () => void): () => void {
    if (!(periodMs > 0)) throw new RangeError(`Failed to repeat something: ${periodMs} ms is not a period.`);
    const nextMs = this.#elapsedMs + periodMs;
    const chore = { periodMs, nextMs, run };
    this.#chores.push(chore);
    this.#nextChoreMs = Math.min(this.#nextChoreMs, nextMs);
    return () => {
      const at = this.#chores.indexOf(chore);
      if (at >= 0) this.#chores.splice(at, 1);
    };
  }

  /** Creates a clock for one actor. It can be set wrong and severed without affecting other clocks. */
  clockFor(actor: string): LocalClock {
    return new LocalClock(
      actor,
      () => this.#startMs + this.#elapsedMs,
      (afterMs, run) => this.schedule(afterMs, actor, TIMER, run),
    );
  }

  /**
   * Runs tasks until a limit is reached or no task is left. With `forMs`, unless `until` ends the run earlier, the
   * clock then stands at exactly that time, so that consecutive runs add up. An endless chain of microtasks never
   * returns control: only an external watchdog can detect it.
   *
   * @throws HotLoop when an actor spins; any error that a timer's callback throws
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
   * Runs the simulation until `promise` settles, and returns its result.
   *
   * @throws NeverSettled when it is still pending and no task is left, or `withinMs` have passed
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
        ? 'An awaited promise never settles: no task is left that could settle it.'
        : `An awaited promise did not settle within ${withinMs / 1000} s of virtual time.`,
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

  /** Ends a task, once all promises that could settle have settled. */
  #endTurn(): void {
    // Clearing an empty map costs more than the check.
    if (this.#callsThisTurn.size > 0) this.#callsThisTurn.clear();
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

  /** Runs the chores that are due up to and including `toMs`, each at its time. */
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
