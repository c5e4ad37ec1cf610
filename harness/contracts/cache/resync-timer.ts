import type { Clock } from '../../sim/index.ts';

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/shared_informer.go minimumResyncPeriod */
const RESYNC_MS_MIN = 1_000;

/** What a {@link ResyncTimer} needs to be given. */
interface ResyncTimerOptions {
  readonly clock: Clock;
  /** How often the informer looks whether a handler is due, in ms; 0: never, whatever handlers ask for. */
  readonly periodMs: number;
  /** Asked each period. It asks every handler whether it is due. */
  readonly shouldResync: () => boolean;
  /** Called when a handler is due. */
  readonly resync: () => void;
}

/**
 * How often handlers are told of everything again.
 *
 * Differs: upstream's timer begins anew with each list, this one runs from start to abort.
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
   * A handler joins and asks for a period. Before the start, the informer looks as often as the handler with the shortest
   * period asks. After the start its period is settled, so that a handler gets its own or the informer's, whichever is longer.
   *
   * @param requestedMs what the handler asks for; at least a second; 0: never
   * @returns what it gets, in ms; 0: never
   */
  join(requestedMs: number): number {
    if (requestedMs === 0 || this.#periodMs === 0) return 0;
    const wantedMs = Math.max(requestedMs, RESYNC_MS_MIN);
    if (this.#started) return Math.max(wantedMs, this.#periodMs);
    this.#periodMs = Math.min(this.#periodMs, wantedMs);
    return wantedMs;
  }

  /** Looks every period whether a handler is due, until it is aborted. */
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
