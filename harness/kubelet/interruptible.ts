/**
 * Waits for something no longer than until the signal is aborted. What was begun goes on all the same.
 *
 * @throws `signal.reason` as soon as it is aborted
 */
export function interruptible<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
