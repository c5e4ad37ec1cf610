import type { Clock } from '#harness';

/** Upstream: kubernetes/kubernetes@v1.36.3 pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go */
const FIRST_MS = 500;
const LONGEST_MS = 122_000;

/** The back-off after failures: half a second, doubled after each further failure, up to 2 minutes and 2 seconds. */
export class BackOff {
  readonly #clock: Clock;
  #waitMs = 0;
  #operation = '';
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reports whether the operation can be tried now. The back-off applies only to the operation that failed. */
  allows(operation: string): boolean {
    return operation !== this.#operation || this.#clock.monotonicMs() >= this.#untilMs;
  }

  /** Records a failure. @returns the back-off, in ms */
  failed(operation: string): number {
    this.#waitMs =
      operation === this.#operation && this.#waitMs > 0 ? Math.min(this.#waitMs * 2, LONGEST_MS) : FIRST_MS;
    this.#operation = operation;
    this.#untilMs = this.#clock.monotonicMs() + this.#waitMs;
    return this.#waitMs;
  }

  succeeded(): void {
    this.#waitMs = 0;
    this.#operation = '';
  }
}
