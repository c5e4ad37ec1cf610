/** Level 2 · The queue between the reflector and the cache. */
import type { Delta } from '#harness';

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO */
export class RealFIFO<T> {
  #deltas: Delta<T>[] = [];
  /** Where in `#deltas` the queue begins: to shift a long array would cost as much as it is long. */
  #head = 0;
  /** Has the first list, or a change, come in? */
  #populated = false;
  /** How many deltas are left up to the end of the first list. */
  #initialPopulationCount = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  push(delta: Delta<T>): void {
    this.#deltas.push(delta);
    if (!this.#populated && delta.type === 'ReplacedAll') this.#initialPopulationCount = this.#length;
    if (delta.type !== 'SyncAll' && delta.type !== 'Bookmark') this.#populated = true;
    this.#wake?.();
  }

  hasSynced(): boolean {
    return this.#populated && this.#initialPopulationCount === 0;
  }

  async pop(process: (delta: Delta<T>, isInInitialList: boolean) => void): Promise<Delta<T> | undefined> {
    while (this.#length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const delta = this.#take();
    // Before `process`, which may push: what it pushes is not what it has processed.
    const isCounted = this.#initialPopulationCount > 0;
    try {
      process(delta, !this.hasSynced());
    } finally {
      if (isCounted) this.#initialPopulationCount--;
    }
    return delta;
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  get #length(): number {
    return this.#deltas.length - this.#head;
  }

  #take(): Delta<T> {
    const delta = this.#deltas[this.#head++] as Delta<T>;
    // What was popped goes when it is half of the array, so that each delta is moved once at most.
    if (this.#head * 2 >= this.#deltas.length) {
      this.#deltas = this.#deltas.slice(this.#head);
      this.#head = 0;
    }
    return delta;
  }
}
