import { interruptible } from '../interruptible.ts';

/** Runs pulls, in parallel or one after another. */
export interface Puller {
  /**
   * Runs `work` when its turn has come.
   *
   * @param signal after an abort, work that has not begun never begins
   * @returns the result of the work. Rejects with the error of the work, or with the signal's reason as soon as it is
   * aborted
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Returns the promise, which also rejects with the signal's reason as soon as the signal is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? interruptible(signal, work) : work;
}
