/**
 * Work that takes turns: each begins when the one before has ended.
 *
 * Differs: upstream stores allocated addresses and ports, so that apiservers in several processes do not collide.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => {});
    return result;
  }
}
