import { type Clock, sleepOn } from './clock.ts';

/**
 * One actor's clock. It advances with the true time, but it can be set wrong, as a node's clock can. It stops
 * permanently when the actor is severed.
 */
export class LocalClock implements Clock {
  /** Difference between this clock and the true time, in ms. Timers ignore it, because they measure durations. */
  skewMs = 0;
  readonly actor: string;
  readonly #now: () => number;
  readonly #schedule: (afterMs: number, run: () => void) => () => void;
  readonly #timers = new Set<() => void>();
  #severed = false;

  /**
   * @param now returns the true time
   * @param schedule sets a timer and returns a function that cancels it
   */
  constructor(actor: string, now: () => number, schedule: (afterMs: number, run: () => void) => () => void) {
    this.actor = actor;
    this.#now = now;
    this.#schedule = schedule;
  }

  now(): number {
    return this.#now() + this.skewMs;
  }

  monotonicMs(): number {
    return this.#now();
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

  /** Cancels every timer, and ignores later ones. Code that sleeps on this clock never wakes. */
  sever(): void {
    this.#severed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }
}
