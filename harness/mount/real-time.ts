import type { Clock, Simulation } from '../sim/index.ts';
import { realClock } from './real-clock.ts';

interface RealTimeOptions {
  /** How many virtual seconds pass in a real one. @defaultValue 1 */
  readonly speed?: number;
  /** What it keeps step with. @defaultValue the machine's */
  readonly clock?: Clock;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * What a simulation may be behind before it gives up to catch up, in real ms. A machine that slept for an hour, or that is too
 * slow for the speed that was asked for, loses the time.
 */
const BEHIND_MS_MAX = 1_000;

/** How long it works on what is due before it lets in the requests that wait, in real ms. */
const WORK_MS_MAX = 50;

/**
 * Runs a simulation in step with a real clock, so that real clients can talk to what is in it: its components, nodes and
 * networks know no difference.
 *
 *     await using time = new RealTime(cluster.sim, { speed: 10 });
 *     await using server = await listen(time.inStep(handler));
 *     await time.ended;
 */
export class RealTime implements AsyncDisposable {
  /** Resolves when it was stopped. Rejects with what broke the simulation, a {@link HotLoop} say. */
  readonly ended: Promise<void>;
  readonly #sim: Simulation;
  readonly #speed: number;
  readonly #clock: Clock;
  /** When virtual time was 0, as far as the two are in step. Moves on when time is lost. */
  #beganMs: number;
  #stopped = false;
  #wake: () => void = () => {};
  #waiting: Waiter[] = [];

  /** It runs from now on. */
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
    // A rejection that is not awaited here is told to the requests that wait, and when this is disposed of.
    this.ended.catch(() => {});
  }

  /**
   * Resolves when everything that is due by now has happened. A simulation that has more to do than time for it is behind: then
   * it resolves while some of that is still due, so that a request is answered all the same.
   *
   * @throws what broke the simulation
   */
  caughtUp(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#wake();
    });
  }

  /** A handler whose requests arrive at the present moment, and not at that of the simulation's last event: {@link caughtUp}. */
  inStep<Answer>(handler: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
    return async (request) => {
      await this.caughtUp();
      return handler(request);
    };
  }

  /** Stops the simulation where it is. @throws what broke it */
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

  /** How much virtual time has to pass until now. */
  #behindMs(): number {
    const realMs = this.#clock.now() - this.#beganMs - this.#sim.elapsedMs / this.#speed;
    const lostMs = Math.max(0, realMs - BEHIND_MS_MAX);
    this.#beganMs += lostMs;
    return Math.max(0, Math.floor((realMs - lostMs) * this.#speed));
  }

  /** Waits until something is due, or is scheduled, or a request asks for the present. */
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
