import type { Clock } from '#harness';

/** Wakes one sleeper: when its time is over, or as soon as something happens. */
export class Alarm {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;
  #hasRung = false;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Wakes the sleeper; one that is not asleep does not fall asleep next. */
  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Rings later. */
  ringIn(ms: number): void {
    if (!this.#signal.aborted) this.#clock.after(ms, () => this.ring());
  }

  /** Resolves after `ms`, when it rings, and when all is over. */
  async wait(ms: number): Promise<void> {
    if (!this.#hasRung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(ms, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
        this.#signal.addEventListener('abort', this.#wake, { once: true });
      });
    }
    if (this.#wake) this.#signal.removeEventListener('abort', this.#wake);
    this.#wake = undefined;
    this.#hasRung = false;
  }
}
