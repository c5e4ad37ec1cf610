/** An error of a tool: its standard error and its exit code. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(stderr: string, exitCode = 1) {
    super(stderr);
    this.exitCode = exitCode;
  }
}

/** Creates the error that iproute2 prints when the kernel rejects a request. */
export function netlink(reason: string): Refusal {
  return new Refusal(`RTNETLINK answers: ${reason}`, 2);
}

/** Reads the words of a command from left to right. */
export class Words {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** The next word, which stays unread. */
  get peek(): string | undefined {
    return this.#words[this.#at];
  }

  get atEnd(): boolean {
    return this.#at >= this.#words.length;
  }

  /** Reads the next word. */
  next(): string | undefined {
    return this.#words[this.#at++];
  }

  /** Reads the word after `option`. @throws Refusal when no word is left */
  after(option: string): string {
    const word = this.next();
    if (word !== undefined) return word;
    throw new Refusal(`Command line is not complete. Try option "help"\n(after "${option}")`, 255);
  }

  /** Reads the next word if it equals `word`. @returns whether it does */
  takes(word: string): boolean {
    if (this.peek !== word) return false;
    this.#at++;
    return true;
  }
}
