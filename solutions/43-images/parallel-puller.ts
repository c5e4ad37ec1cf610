/** Level 10 ★ · Several at once. */
import { orAborted, type Puller } from '#given/43-images';

export class ParallelPuller implements Puller {
  /** The number of pulls that can start now. */
  #free: number;
  /** The waiting pulls, first come, first served. */
  readonly #waiting: (() => void)[] = [];

  /** @param max - the maximum number of parallel pulls; undefined: no limit */
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
      // The slot passes directly to the next pull, so that no other can take it in between.
      if (next) next();
      else this.#free++;
    }
  }
}
