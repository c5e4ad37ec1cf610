/** The lines that were typed, and the place of the arrows in them. */
export class PromptHistory {
  readonly #lines: string[];
  /** The number of lines; the position after the last one is the line that is being typed. */
  #at: number;
  #draft = '';

  constructor(lines: readonly string[] = []) {
    this.#lines = [...lines];
    this.#at = lines.length;
  }

  /** Oldest first. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Adds a line, unless it repeats the last one, and returns to the end. */
  add(line: string): void {
    if (line !== this.#lines.at(-1)) this.#lines.push(line);
    this.#at = this.#lines.length;
    this.#draft = '';
  }

  /** Returns the line before; undefined at the beginning. @param typed the present text of the prompt */
  previous(typed: string): string | undefined {
    if (this.#at === 0) return undefined;
    if (this.#at === this.#lines.length) this.#draft = typed;
    this.#at--;
    return this.#lines[this.#at];
  }

  /** Returns the line after, at last the text that was being typed; undefined at the end. */
  next(): string | undefined {
    if (this.#at === this.#lines.length) return undefined;
    this.#at++;
    return this.#lines[this.#at] ?? this.#draft;
  }
}
