import type { Clock } from '../../sim/index.ts';

/** One life of a process that may die in the middle of what it does: whatever it waits for then never comes. */
export class Life {
  readonly clock: Clock;
  #over = false;
  readonly #onEnd = new Set<() => void>();

  /** @param clock its own; it is severed when the life ends */
  constructor(clock: Clock & { sever(): void }) {
    this.clock = clock;
    this.#onEnd.add(() => clock.sever());
  }

  get over(): boolean {
    return this.#over;
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const callback of [...this.#onEnd]) callback();
    this.#onEnd.clear();
  }

  /** Waits, as long as this life lasts. */
  async while<T>(promise: Promise<T>): Promise<T> {
    try {
      const value = await promise;
      return this.#over ? await never<T>() : value;
    } catch (error) {
      return this.#over ? never<T>() : Promise.reject(error);
    }
  }

  /** Whether it came within so many ms. */
  within(promise: Promise<unknown>, ms: number): Promise<boolean> {
    return this.while(
      new Promise((resolve) => {
        const cancel = this.clock.after(ms, () => resolve(false));
        void promise.then(() => {
          cancel();
          resolve(true);
        });
      }),
    );
  }

  /** The promise, or the failure if this life ends first: the answer that a caller gets. */
  orEnd<T>(promise: Promise<T>, failure: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(failure());
      this.#onEnd.add(ended);
      promise.then(resolve, reject).finally(() => this.#onEnd.delete(ended));
    });
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
