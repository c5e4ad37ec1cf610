import type { Stdin } from './program.ts';

/** The input of a process from users, through a terminal or directly. */
export interface Input extends Stdin {
  type(text: string): void;
  /** Ends all input. */
  end(): void;
}

/** Passes input on immediately. It stays open while no user is connected. */
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
