import type { Clock } from '../../sim/index.ts';

/** Lets code wait for a change. */
export class Condition {
  readonly #waiting = new Set<() => void>();

  /** Wakes everyone who waits now. */
  notify(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves at the next {@link notify}, or after `ms` milliseconds. */
  wait(clock: Pick<Clock, 'after'>, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        cancel();
        resolve();
      };
      const cancel = clock.after(ms, wake);
      this.#waiting.add(wake);
    });
  }
}
