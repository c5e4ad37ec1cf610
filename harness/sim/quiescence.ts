import { afterMicrotasks } from '#platform/turn';

/**
 * Callbacks that {@link Quiescence} requests at a time. A turn of the event loop costs several times as much as a
 * callback, and a watchdog needs a turn now and then.
 */
const CALLBACKS_PER_TURN = 16;

/**
 * Waits until every promise that can settle has settled.
 *
 * The platform runs all microtasks before the next callback of `afterMicrotasks`, so one callback is enough to wait. Several are
 * requested in one turn of the event loop; each serves one wait.
 */
export class Quiescence {
  #requested = 0;
  #resolve: (() => void) | undefined;

  /** Resolves when no microtask is left. Await it before you call it again. */
  reached(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.#requested === 0) this.#request();
    });
  }

  #request(): void {
    for (; this.#requested < CALLBACKS_PER_TURN; this.#requested++) afterMicrotasks(this.#callback);
  }

  readonly #callback = (): void => {
    this.#requested--;
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.();
  };
}
