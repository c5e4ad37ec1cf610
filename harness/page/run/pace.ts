import type { Clock } from '../../sim/index.ts';

/** The longest backlog of a run that plays, in real ms. After a longer delay the rest of the time is lost. */
const BEHIND_MS_MAX = 250;
/** The window over which the reached speed is measured, in real ms. */
const WINDOW_MS = 500;

/** The relation of virtual time and a real clock while a run plays. */
export class Pace {
  readonly #clock: Clock;
  readonly #speed: number;
  /** A pair of times that are in step. The real time moves forward when time is lost. */
  readonly #virtualMs: number;
  #realMs: number;
  #window: { readonly realMs: number; readonly virtualMs: number };
  #reached: number;

  constructor(clock: Clock, { virtualMs, speed }: { readonly virtualMs: number; readonly speed: number }) {
    if (!(speed > 0 && speed < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Failed to play: ${speed} is not a speed.`);
    }
    this.#clock = clock;
    this.#speed = speed;
    this.#virtualMs = virtualMs;
    this.#realMs = clock.now();
    this.#window = { realMs: this.#realMs, virtualMs };
    this.#reached = speed;
  }

  /** Returns the virtual time that a run should have reached now. A machine that is too slow loses time. */
  dueMs(virtualMs: number): number {
    const behindMs = this.#clock.now() - this.#realAt(virtualMs);
    this.#realMs += Math.max(0, behindMs - BEHIND_MS_MAX);
    return this.#virtualMs + Math.floor((this.#clock.now() - this.#realMs) * this.#speed);
  }

  /** Returns the real ms until a virtual time is due. */
  realMsUntil(virtualMs: number): number {
    return this.#realAt(virtualMs) - this.#clock.now();
  }

  /** Returns the virtual seconds per real second over the last moments. */
  reachedSpeed(virtualMs: number): number {
    const realMs = this.#clock.now();
    const { realMs: sinceMs, virtualMs: fromMs } = this.#window;
    if (realMs - sinceMs < WINDOW_MS) return this.#reached;
    this.#reached = (virtualMs - fromMs) / (realMs - sinceMs);
    this.#window = { realMs, virtualMs };
    return this.#reached;
  }

  #realAt(virtualMs: number): number {
    return this.#realMs + (virtualMs - this.#virtualMs) / this.#speed;
  }
}
