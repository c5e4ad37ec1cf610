import type { Clock } from '../../sim/index.ts';

/** One incarnation of a process that may crash at any time. After the crash, its pending waits never end. */
export class Life {
  readonly clock: Clock;
  #over = false;
  readonly #onEnd = new Set<() => void>();

  /** @param clock - its own clock, which is severed when the incarnation ends */
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

  /** Waits for a promise. The wait never ends if this incarnation ends first. */
  async while<T>(promise: Promise<T>): Promise<T> {
    try {
      const value = await promise;
      return this.#over ? await never<T>() : value;
    } catch (error) {
      return this.#over ? never<T>() : Promise.reject(error);
    }
  }

  /** Whether the promise resolves within `ms`. */
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

  /**
   * Returns the promise, or rejects with the failure if this incarnation ends first. It is the answer for a caller
   * outside.
   */
  orEnd<T>(promise: Promise<T>, failure: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(failure());
      this.#onEnd.add(ended);
      // Forgets the failure before the caller goes on: the caller may end this incarnation at once.
      promise.then(
        (value) => {
          this.#onEnd.delete(ended);
          resolve(value);
        },
        (error: unknown) => {
          this.#onEnd.delete(ended);
          reject(error);
        },
      );
    });
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
