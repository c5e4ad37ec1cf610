import type { Clock } from '#harness';

/** Wakes one waiting caller, after its timeout or when the alarm rings. */
export class Alarm {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #wake: (() => void) | undefined;
  #hasRung = false;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Wakes the waiting caller. If no caller waits, the next `wait` returns at once. */
  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Rings after `ms`. */
  ringIn(ms: number): void {
    if (!this.#signal.aborted) this.#clock.after(ms, () => this.ring());
  }

  /** Resolves after `ms`, when the alarm rings, or when the signal aborts, whichever is first. */
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
