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

/** The same promise; but it rejects with the signal's reason as soon as that is aborted. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
