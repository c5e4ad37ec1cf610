/**
 * The maximum number of pods that are being bound, or whose failures are being reported, at a time. Thousands of
 * requests at once would flood a server.
 */
const IN_FLIGHT_BINDINGS_MAX = 500;

/** Work that continues while the next pod is scheduled. */
export class InFlightBindings {
  readonly #signal: AbortSignal;
  #count = 0;
  #ended = (): void => {};

  /** @param signal an abort ends all waits */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#ended(), { once: true });
  }

  /** @param work must not reject */
  add(work: Promise<void>): void {
    this.#count++;
    void work.then(() => {
      this.#count--;
      this.#ended();
    });
  }

  /** Waits until fewer than 500 are in flight. */
  async belowLimit(): Promise<void> {
    while (this.#count >= IN_FLIGHT_BINDINGS_MAX && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#ended = resolve;
      });
    }
  }
}
