/** A tool refuses: what it writes to standard error, and its exit code. */
export class Refusal extends Error {
  readonly exitCode: number;

  constructor(stderr: string, exitCode = 1) {
    super(stderr);
    this.exitCode = exitCode;
  }
}

/** The kernel refuses, in the words of iproute2. */
export function netlink(reason: string): Refusal {
  return new Refusal(`RTNETLINK answers: ${reason}`, 2);
}

/** The words of a command, from the left to the right. */
export class Words {
  readonly #words: readonly string[];
  #at = 0;

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  /** The next word, without taking it. */
  get peek(): string | undefined {
    return this.#words[this.#at];
  }

  get atEnd(): boolean {
    return this.#at >= this.#words.length;
  }

  /** Takes the next word. */
  next(): string | undefined {
    return this.#words[this.#at++];
  }

  /** Takes the word that has to follow `option`. @throws Refusal when there is none */
  after(option: string): string {
    const word = this.next();
    if (word !== undefined) return word;
    throw new Refusal(`Command line is not complete. Try option "help"\n(after "${option}")`, 255);
  }

  /** Takes the next word if it is this one. */
  takes(word: string): boolean {
    if (this.peek !== word) return false;
    this.#at++;
    return true;
  }
}

/** What a tool answers to a word that it does not know. */
export function garbage(word: string): Refusal {
  return new Refusal(`Error: either "to" is duplicate, or "${word}" is a garbage.`, 255);
}
