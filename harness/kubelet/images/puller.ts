import { interruptible } from '../interruptible.ts';

/** Runs pulls: at once, or in turn. */
export interface Puller {
  /**
   * Runs `work` when its turn has come.
   *
   * @param signal aborted: the work is not begun if it has not begun yet
   * @returns what the work gives. Rejects as the work does, and with the signal's reason as soon as that is aborted
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** The same promise; but it rejects with the signal's reason as soon as that is aborted, if there is a signal. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? interruptible(signal, work) : work;
}
