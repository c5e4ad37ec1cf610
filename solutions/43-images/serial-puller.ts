/** Level 7 · One at a time. */

/** Runs pulls, at once or in turn. */
export interface Puller {
  /** Settles as the work does; rejects with the signal's reason when it is aborted, also while it waits. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export class SerialPuller implements Puller {
  /** Settles when all that was asked for before has settled. Never rejects. */
  #before: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#before.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#before = turn.catch(() => {});
    return orAborted(turn, signal);
  }
}

export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
