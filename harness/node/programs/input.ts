import type { Stdin } from './program.ts';

/** What a process reads of what users send it: through a terminal, or as it is. */
export interface Input extends Stdin {
  type(text: string): void;
  /** There will be no more: all reading ends. */
  end(): void;
}

/** Gives what is sent as it comes. It is open while there is no user. */
export class Pipe implements Input {
  readonly #sent: string[] = [];
  #ended = false;
  #wake: () => void = () => {};

  type(text: string): void {
    this.#sent.push(text);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async read(): Promise<string | undefined> {
    while (this.#sent.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#sent.shift();
  }
}
