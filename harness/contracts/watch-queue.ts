import type { KubeObject } from '../api/objects.ts';
import type { WatchEvent } from '../api/watch-event.ts';
import type { Watch } from './client.ts';

/**
 * A {@link Watch} with both ends: {@link push} adds events, and the code that iterates receives them. Whichever side
 * ends first ends it for both. It is unbounded: events pushed before the iteration wait.
 */
export class WatchQueue<T extends KubeObject = KubeObject> implements Watch<T> {
  #events: WatchEvent<T>[] = [];
  #next = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #onStop: () => void;

  /** @param onStop called once, when the reader stops or the writer ends */
  constructor(onStop: () => void = () => {}) {
    this.#onStop = onStop;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get buffered(): number {
    return this.#events.length - this.#next;
  }

  /** Adds an event. After the end, events are dropped. */
  push(event: WatchEvent<T>): void {
    if (this.#ended) return;
    this.#events.push(event);
    this.#rouse();
  }

  /** Ends the stream from the writer's side: the reader still receives the queued events, then the iteration ends. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onStop();
    this.#rouse();
  }

  /** Ends the stream from the reader's side: queued events are dropped. */
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
