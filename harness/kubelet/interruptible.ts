/**
 * Waits for a promise until the signal is aborted. An abort does not stop the operation behind the promise.
 *
 * @throws `signal.reason` as soon as the signal is aborted
 */
export function interruptible<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
