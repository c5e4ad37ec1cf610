/** The input of a program: lines, as they are typed. */
export class InputLines implements AsyncIterable<string> {
  readonly #typed: (string | undefined)[] = [];
  readonly #onRead: () => void;
  #wake: () => void = () => {};

  /** @param onRead called when a program begins to read */
  constructor(onRead: () => void = () => {}) {
    this.#onRead = onRead;
  }

  /** @param line undefined ends the input */
  type(line: string | undefined): void {
    this.#typed.push(line);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    this.#onRead();
    for (;;) {
      while (this.#typed.length > 0) {
        const line = this.#typed.shift();
        if (line === undefined) return;
        yield line;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
