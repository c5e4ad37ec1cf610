/**
 * Time as an argument. Nothing in the workbook reads the machine's clock: code that needs time is given a
 * {@link Clock}, and in a simulation that clock moves only when the simulation says so.
 *
 * Upstream: kubernetes/utils@v0.0.0-20230726121419-3b25d923346b clock/clock.go Clock
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;

  /**
   * Resolves after `ms` milliseconds. Rejects with `signal.reason` as soon as the signal is aborted, at once if
   * it already is.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /** Calls back once, after `ms` milliseconds. Returns what cancels it; to cancel late or twice does no harm. */
  after(ms: number, callback: () => void): () => void;
}

/** RFC 3339 in whole seconds, as `metav1.Time` is written: `2024-04-17T00:00:00Z`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds, as `metav1.MicroTime` is written in Leases: `2024-04-17T00:00:00.250000Z`. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/** `sleep` in terms of `after`: every Clock has the same rules for abort. */
export function sleepOn(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const wake = (): void => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const cancel = clock.after(ms, wake);
    const giveUp = (): void => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
