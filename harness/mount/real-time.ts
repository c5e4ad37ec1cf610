import type { Clock, Peer, Simulation } from '../sim/index.ts';
import { realClock } from './real-clock.ts';

interface RealTimeOptions {
  /** The virtual seconds per real second. @defaultValue 1 */
  readonly speed?: number;
  /** The clock to follow. @defaultValue the machine's clock */
  readonly clock?: Clock;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The longest backlog of a simulation, in real ms. After a longer delay the rest of the time is lost: the machine was
 * suspended, or is too slow for the requested speed.
 */
const BEHIND_MS_MAX = 1_000;

/** The longest time to work on due tasks before waiting requests are handled, in real ms. */
const WORK_MS_MAX = 50;

/**
 * Runs a simulation in step with a real clock, so that real clients can use it. Its components, nodes and networks
 * notice no difference.
 *
 * Differs: a machine that was suspended, or is too slow, loses time. A real cluster would notice the jump of the clock.
 *
 *     await using time = new RealTime(cluster.sim, { speed: 10 });
 *     await using server = await listen(time.inStep(handler));
 *     await time.ended;
 */
export class RealTime implements AsyncDisposable {
  /** Resolves when the simulation is stopped. Rejects with the error that broke it, such as a {@link HotLoop}. */
  readonly ended: Promise<void>;
  readonly #sim: Simulation;
  readonly #speed: number;
  readonly #clock: Clock;
  /** The real time at virtual time 0, if both are in step. It moves forward when time is lost. */
  #beganMs: number;
  #stopped = false;
  #wake: () => void = () => {};
  #waiting: Waiter[] = [];

  /** Starts immediately. */
  constructor(sim: Simulation, { speed = 1, clock = realClock }: RealTimeOptions = {}) {
    if (!(speed > 0 && speed < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Failed to keep time: ${speed} is not a speed.`);
    }
    this.#sim = sim;
    this.#speed = speed;
    this.#clock = clock;
    this.#beganMs = clock.now() - sim.elapsedMs / speed;
    sim.onSchedule(() => this.#wake());
    this.ended = this.#run();
    // Nothing awaits this promise. The rejection also reaches the waiting requests and the disposal.
    this.ended.catch(() => {});
  }

  /**
   * Resolves when every due task has run. If the simulation is behind, it resolves earlier, so that requests are still
   * handled.
   *
   * @throws the error that broke the simulation
   */
  caughtUp(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#wake();
    });
  }

  /**
   * Returns a handler whose requests arrive at the current time instead of the time of the last event: {@link
   * caughtUp}.
   */
  inStep<Answer>(
    handler: (request: Request, peer?: Peer) => Promise<Answer>,
  ): (request: Request, peer?: Peer) => Promise<Answer> {
    return async (request, peer) => {
      await this.caughtUp();
      return handler(request, peer);
    };
  }

  /** Stops the simulation at its current time. @throws the error that broke it */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.ended;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const waiting = this.#waiting;
      this.#waiting = [];
      const endMs = this.#clock.now() + WORK_MS_MAX;
      try {
        await this.#sim.run({ forMs: this.#behindMs(), until: () => this.#clock.now() >= endMs });
      } catch (error) {
        for (const { reject } of [...waiting, ...this.#waiting]) reject(error);
        throw error;
      }
      for (const { resolve } of waiting) resolve();
      if (!this.#stopped && this.#waiting.length === 0) await this.#idle();
    }
  }

  /** Returns the virtual time that must pass until now, in ms. */
  #behindMs(): number {
    const realMs = this.#clock.now() - this.#beganMs - this.#sim.elapsedMs / this.#speed;
    const lostMs = Math.max(0, realMs - BEHIND_MS_MAX);
    this.#beganMs += lostMs;
    return Math.max(0, Math.floor((realMs - lostMs) * this.#speed));
  }

  /** Waits until a task is due or scheduled, or a request waits. */
  #idle(): Promise<void> {
    const { nextDueMs = Number.POSITIVE_INFINITY } = this.#sim;
    const untilMs = this.#beganMs + nextDueMs / this.#speed - this.#clock.now();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(Math.max(0, untilMs), () => this.#wake());
      this.#wake = () => {
        cancel();
        this.#wake = () => {};
        resolve();
      };
    });
  }
}
