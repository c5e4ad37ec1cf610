/**
 * A stream with both ends: {@link push} adds messages, and the code that iterates receives them. Whichever side ends
 * first ends it for both. It is unbounded: messages pushed before the iteration wait.
 */
export class MessageQueue<T extends object> implements AsyncIterable<T> {
  #messages: T[] = [];
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
    return this.#messages.length - this.#next;
  }

  /** Adds a message. After the end, messages are dropped. */
  push(message: T): void {
    if (this.#ended) return;
    this.#messages.push(message);
    this.#rouse();
  }

  /** Ends the stream from the writer's side: the reader still receives the queued messages, then the iteration ends. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onStop();
    this.#rouse();
  }

  /** Ends the stream from the reader's side: queued messages are dropped. */
  stop(): void {
    this.#messages = [];
    this.#next = 0;
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    try {
      for (;;) {
        const message = this.#messages[this.#next];
        if (message) {
          this.#next++;
          if (this.#next === this.#messages.length) {
            this.#messages = [];
            this.#next = 0;
          }
          yield message;
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
