import type { Clock } from '#harness';

/** A caller that waits for a condition. */
interface Waiter {
  /** Resolves or rejects the caller's promise if the wait is over. @returns whether it is over */
  readonly check: () => boolean;
}

/** The waiting callers. Each one checks its condition again after every change. */
export class Waiters {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiters = new Set<Waiter>();

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Makes every caller check its condition, after a change. */
  askAll(): void {
    for (const waiter of [...this.#waiters]) if (waiter.check()) this.#waiters.delete(waiter);
  }

  /**
   * Resolves when `isDone` returns true; rejects when it throws.
   *
   * @throws the error that `tooLate` returns, after `timeoutMs`; the signal's reason when the signal aborts
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
