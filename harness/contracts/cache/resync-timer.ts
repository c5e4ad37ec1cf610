import type { Clock } from '../../sim/index.ts';

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go minimumResyncPeriod */
const RESYNC_MS_MIN = 1_000;

/** Options of a {@link ResyncTimer}. */
interface ResyncTimerOptions {
  readonly clock: Clock;
  /**
   * The interval at which the informer checks whether a handler is due, in ms; 0: never, even if handlers request a
   * resync.
   */
  readonly periodMs: number;
  /** Called in each period. It returns whether any handler is due. */
  readonly shouldResync: () => boolean;
  /** Called when a handler is due. */
  readonly resync: () => void;
}

/**
 * Resyncs at a fixed interval: handlers are notified again of every object.
 *
 * Differs: upstream restarts its timer with each list; this timer runs from start to abort.
 *
 * Upstream: kubernetes/client-go@v0.36.3 tools/cache/reflector.go startResync; shared_informer.go
 * AddEventHandlerWithOptions, determineResyncPeriod
 */
export class ResyncTimer {
  readonly #options: ResyncTimerOptions;
  #periodMs: number;
  #started = false;

  constructor(options: ResyncTimerOptions) {
    this.#options = options;
    this.#periodMs = options.periodMs;
  }

  /**
   * Adds a handler that requests a resync period. Before the start, the informer's period shrinks to the shortest
   * period that a handler requests. After the start the informer's period is fixed, so the handler gets its own period
   * or the informer's, whichever is longer.
   *
   * @param requestedMs the requested period in ms, raised to at least one second; 0: never
   * @returns the period that the handler gets, in ms; 0: never
   */
  join(requestedMs: number): number {
    if (requestedMs === 0 || this.#periodMs === 0) return 0;
    const wantedMs = Math.max(requestedMs, RESYNC_MS_MIN);
    if (this.#started) return Math.max(wantedMs, this.#periodMs);
    this.#periodMs = Math.min(this.#periodMs, wantedMs);
    return wantedMs;
  }

  /** Checks once per period whether a handler is due, until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#started = true;
    const { clock, shouldResync, resync } = this.#options;
    if (this.#periodMs === 0 || signal.aborted) return;
    const next = (): (() => void) =>
      clock.after(this.#periodMs, () => {
        cancel = next();
        if (shouldResync()) resync();
      });
    let cancel = next();
    signal.addEventListener('abort', () => cancel(), { once: true });
  }
}
