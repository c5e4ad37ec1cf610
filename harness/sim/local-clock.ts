import { type Clock, sleepOn } from './clock.ts';

/**
 * One actor's clock. It runs with the true time, but it can be set wrong, as a node's clock can, and it stops for
 * good when the actor is severed.
 */
export class LocalClock implements Clock {
  /** How far this clock is off: what it says minus what is true. Timers run true: they count, they do not read. */
  skewMs = 0;
  readonly #now: () => number;
  readonly #schedule: (afterMs: number, run: () => void) => () => void;
  readonly #timers = new Set<() => void>();
  #severed = false;

  /** `now` gives the true time, `schedule` sets a timer and returns what cancels it. */
  constructor(now: () => number, schedule: (afterMs: number, run: () => void) => () => void) {
    this.#now = now;
    this.#schedule = schedule;
  }

  now(): number {
    return this.#now() + this.skewMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  after(ms: number, callback: () => void): () => void {
    if (this.#severed) return () => {};
    const cancel = this.#schedule(Math.max(0, ms), () => {
      this.#timers.delete(cancel);
      callback();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }

  /** Cancels every timer and takes no more. Code that sleeps on this clock sleeps for ever. */
  sever(): void {
    this.#severed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}
