import type { Stdin } from '../program.ts';

/** Reads input line by line. */
export class Lines {
  readonly #stdin: Stdin;
  #rest = '';

  constructor(stdin: Stdin) {
    this.#stdin = stdin;
  }

  /** Returns the next line with its line break, which the last line may lack; undefined at the end. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n') + 1;
      if (end > 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end);
        return line;
      }
      const more = await this.#stdin.read();
      if (more !== undefined) {
        this.#rest += more;
        continue;
      }
      const last = this.#rest;
      this.#rest = '';
      return last === '' ? undefined : last;
    }
  }
}
