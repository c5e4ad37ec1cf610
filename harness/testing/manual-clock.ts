import { type Clock, sleepOn } from '../sim/index.ts';

/**
 * A clock that stands still until a test moves it. It is for tests with real I/O: a simulation's clock, which advances
 * whenever it is idle, would run ahead of it.
 */
export class ManualClock implements Clock {
  #nowMs = Date.UTC(2024, 3, 17);
  readonly #timers = new Set<{ readonly dueMs: number; readonly callback: () => void }>();

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueMs: this.#nowMs + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the time by `ms`. Runs the timers that become due in order, including those that are set meanwhile. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = [...this.#timers]
        .filter((timer) => timer.dueMs <= untilMs)
        .sort((a, b) => a.dueMs - b.dueMs);
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
    }
    this.#nowMs = untilMs;
  }
}
