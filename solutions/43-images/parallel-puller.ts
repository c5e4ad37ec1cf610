/** Level 10 ★ · Several at once. */
import { orAborted, type Puller } from '#harness';

export class ParallelPuller implements Puller {
  /** How many more may begin now. */
  #free: number;
  /** Those that wait, in the order in which they came. */
  readonly #waiting: (() => void)[] = [];

  /** @param max how many at once; absent: no limit */
  constructor(max = Number.POSITIVE_INFINITY) {
    this.#free = max;
  }

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return orAborted(this.#inTurn(work, signal), signal);
  }

  async #inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes from hand to hand: in between, no other pull can take it.
      if (next) next();
      else this.#free++;
    }
  }
}
