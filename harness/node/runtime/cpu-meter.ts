/** Counts the CPU that is used: at a rate, of which it is told when that changes, and in portions. */
export class CpuMeter {
  readonly #now: () => number;
  readonly #limitMilli: number;
  #wantedMilli = 0;
  #share = 1;
  /** Used until {@link #countedMs}; what came since follows from the rate. */
  #coreNanoSeconds = 0;
  #countedMs: number;

  /**
   * @param now the time of the kernel, in ms
   * @param limitMilli how much there is at most. @defaultValue as much as is wanted
   */
  constructor(now: () => number, limitMilli = Number.POSITIVE_INFINITY) {
    this.#now = now;
    this.#countedMs = now();
    this.#limitMilli = limitMilli;
  }

  /** What would be used now if nothing else ran, in thousandths of a CPU. */
  get demandMilli(): number {
    return Math.min(this.#wantedMilli, this.#limitMilli);
  }

  /** What is used now, in thousandths of a CPU. */
  get milli(): number {
    return Math.round(this.demandMilli * this.#share);
  }

  /** From now on so many thousandths more are wanted, or fewer. */
  want(moreMilli: number): void {
    this.#count();
    this.#wantedMilli += moreMilli;
  }

  /** From now on it gets this part of its demand. @param share at most 1 */
  give(share: number): void {
    this.#count();
    this.#share = share;
  }

  /** A CPU was used for so many ms. */
  spend(cpuMs: number): void {
    this.#coreNanoSeconds += cpuMs * NANOS_PER_MS;
  }

  /** What was used until now, in nanoseconds of one CPU. It never falls. */
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
