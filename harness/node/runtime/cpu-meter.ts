/** Measures CPU usage: a continuous rate, whose changes are reported, and single portions. */
export class CpuMeter {
  readonly #now: () => number;
  readonly #limitMilli: number;
  #wantedMilli = 0;
  #share = 1;
  /** The usage until {@link #countedMs}; later usage follows from the rate. */
  #coreNanoSeconds = 0;
  #countedMs: number;

  /**
   * @param now - returns the kernel's time, in ms
   * @param limitMilli - the CPU limit. @defaultValue no limit
   */
  constructor(now: () => number, limitMilli = Number.POSITIVE_INFINITY) {
    this.#now = now;
    this.#countedMs = now();
    this.#limitMilli = limitMilli;
  }

  /** The usage if nothing else ran, in thousandths of a CPU. */
  get demandMilli(): number {
    return Math.min(this.#wantedMilli, this.#limitMilli);
  }

  /** The current usage, in thousandths of a CPU. */
  get milli(): number {
    return Math.round(this.demandMilli * this.#share);
  }

  /** Changes the demand by `moreMilli` thousandths of a CPU, which may be negative. */
  want(moreMilli: number): void {
    this.#count();
    this.#wantedMilli += moreMilli;
  }

  /** Sets the fraction of the demanded CPU that the container receives. @param share - at most 1 */
  give(share: number): void {
    this.#count();
    this.#share = share;
  }

  /** Adds a single portion of CPU time, in ms. */
  spend(cpuMs: number): void {
    this.#coreNanoSeconds += cpuMs * NANOS_PER_MS;
  }

  /** The total usage until now, in nanoseconds of one CPU. It never decreases. */
  get coreNanoSeconds(): number {
    const lastedMs = this.#now() - this.#countedMs;
    return Math.round(this.#coreNanoSeconds + (this.milli / 1_000) * lastedMs * NANOS_PER_MS);
  }

  #count(): void {
    this.#coreNanoSeconds = this.coreNanoSeconds;
    this.#countedMs = this.#now();
  }
}

const NANOS_PER_MS = 1_000_000;
