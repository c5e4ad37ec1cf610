/**
 * Time as an argument. The workbook never reads the machine's clock: code that needs time receives a {@link Clock}. In
 * a simulation, only the simulation moves that clock.
 *
 * Upstream: kubernetes/utils@v0.0.0-20230726121419-3b25d923346b clock/clock.go Clock
 */
export interface Clock {
  /** Milliseconds since 1970. A wrong clock jumps when it is set right. */
  now(): number;

  /**
   * Milliseconds since an arbitrary moment, to measure durations: unlike {@link now}, it never jumps.
   *
   * Upstream: Go's times have such a reading, too: golang/go@go1.26 src/time/time.go Time
   */
  monotonicMs(): number;

  /**
   * Resolves after `ms` milliseconds. Rejects with `signal.reason` when the signal is aborted, at once if it already
   * is.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /**
   * Calls back once, after `ms` milliseconds. Returns a function that cancels the call; it may be called late or twice.
   */
  after(ms: number, callback: () => void): () => void;
}

/** Formats a time in RFC 3339 with whole seconds, as in `metav1.Time`: `2024-04-17T00:00:00Z`. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== formatted.second)
    formatted = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  return formatted.text;
}

/** The last formatted second: in a simulation, thousands of times are the same. */
let formatted = { second: Number.NaN, text: '' };

/** Formats a time in RFC 3339 with microseconds, as in `metav1.MicroTime` of Leases: `2024-04-17T00:00:00.250000Z`. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/** Implements `sleep` by `after`, so that every Clock handles aborts in the same way. */
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
