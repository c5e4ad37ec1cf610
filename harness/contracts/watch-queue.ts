import type { KubeObject } from '../api/objects.ts';
import type { WatchEvent } from '../api/watch-event.ts';
import type { Watch } from './client.ts';

/**
 * A {@link Watch} with its other end: events go in by {@link push}, the code that iterates gets them, and whichever
 * side ends it first ends it for both. Unbounded: what is pushed before the iteration waits.
 */
export class WatchQueue<T extends KubeObject = KubeObject> implements Watch<T> {
  #events: WatchEvent<T>[] = [];
  #next = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onStop: () => void;

  /** `onStop` is called once, when the reader stops or the writer ends. */
  constructor(onStop: () => void = () => {}) {
    this.#onStop = onStop;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get buffered(): number {
    return this.#events.length - this.#next;
  }

  /** Adds an event. After the end it is dropped. */
  push(event: WatchEvent<T>): void {
    if (this.#ended) return;
    this.#events.push(event);
    this.#rouse();
  }

  /** The writer's end: what was pushed is still read, then the iteration is over. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onStop();
    this.#rouse();
  }

  /** The reader's end: nothing more is read, not even what waits. */
  stop(): void {
    this.#events = [];
    this.#next = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, void, undefined> {
    try {
      for (;;) {
        const event = this.#events[this.#next];
        if (event) {
          this.#next++;
          if (this.#next === this.#events.length) {
            this.#events = [];
            this.#next = 0;
          }
          yield event;
        } else if (this.#ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.stop();
    }
  }

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
