/** Level 2 · The queue between the reflector and the cache. */
import type { Delta } from '#given/21-informer';

/** Upstream: kubernetes/client-go@v0.36.3 tools/cache/the_real_fifo.go RealFIFO */
export class RealFIFO<T> {
  #deltas: Delta<T>[] = [];
  /**
   * The index of the first queued delta in `#deltas`: removing the first element of a long array would copy the rest.
   */
  #head = 0;
  /** Whether the first list or a change has been queued. */
  #populated = false;
  /** The number of queued deltas up to the end of the first list. */
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
    // Read it before `process`, which may push a list and so change the count.
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
    // Popped deltas are removed when they are half of the array, so that each delta moves at most once on average.
    if (this.#head * 2 >= this.#deltas.length) {
      this.#deltas = this.#deltas.slice(this.#head);
      this.#head = 0;
    }
    return delta;
  }
}
