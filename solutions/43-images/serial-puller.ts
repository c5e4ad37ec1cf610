/** Level 7 · One at a time. */
import { orAborted, type Puller } from '#given/43-images';

/** Differs: a deleted pod leaves the queue at once; upstream's waits for its turn. */
export class SerialPuller implements Puller {
  /** Settles when all earlier work has settled. Never rejects. */
  #before: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#before.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#before = turn.catch(() => {});
    return orAborted(turn, signal);
  }
}
