import type { Clock } from '#harness';

/** A caller that waits for something to become true. */
interface Waiter {
  /** Resolves or rejects if the time has come. @returns whether it did */
  readonly check: () => boolean;
}

/** Callers that wait. Each of them checks its condition again when something has changed. */
export class Waiters {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Lets each of them check again: something has changed. */
  askAll(): void {
    for (const waiter of [...this.#waiters]) if (waiter.check()) this.#waiters.delete(waiter);
  }

  /**
   * Resolves when `isDone` is true, or says by throwing that it never will be.
   *
   * @throws what `tooLate` gives, after `timeoutMs`; and the signal's reason
   */
  until(isDone: () => boolean, timeoutMs: number, tooLate: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (how: () => void): void => {
        cancel();
        this.#signal.removeEventListener('abort', giveUp);
        this.#waiters.delete(waiter);
        how();
      };
      const waiter: Waiter = {
        check: () => {
          try {
            if (!isDone()) return false;
            settle(resolve);
          } catch (error) {
            settle(() => reject(error));
          }
          return true;
        },
      };
      const cancel = this.#clock.after(timeoutMs, () => settle(() => reject(tooLate())));
      const giveUp = (): void => settle(() => reject(this.#signal.reason));
      if (this.#signal.aborted) return giveUp();
      this.#signal.addEventListener('abort', giveUp, { once: true });
      if (!waiter.check()) this.#waiters.add(waiter);
    });
  }
}
