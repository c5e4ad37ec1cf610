/** So many pods are bound, or told why not, at a time: thousands of requests at once would flood a server. */
const IN_FLIGHT_BINDINGS_MAX = 500;

/** Work that goes on while the next pod is scheduled. */
export class InFlightBindings {
  readonly #signal: AbortSignal;
  #count = 0;
  #ended = (): void => {};

  /** @param signal when it is aborted, nothing is waited for any more */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#ended(), { once: true });
  }

  /** @param work does not reject */
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
