import type { Input } from '../programs/input.ts';

interface TerminalOptions {
  /** Shows text to the user. */
  readonly show: (text: string) => void;
  /** Called for Ctrl-C. */
  readonly interrupt: () => void;
}

const [CTRL_C, CTRL_D, CTRL_U, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\u0015', '\b', '\u007f'];

/**
 * A terminal between a user and a process. It echoes input, supports line editing, and passes each complete line to the
 * process. In output it replaces a line feed by a carriage return and a line feed.
 *
 * Differs: it has no raw mode, because no program here reads single keys, and it ignores arrow keys.
 */
export class Terminal implements Input {
  readonly #options: TerminalOptions;
  #line = '';
  /** Complete lines, and undefined for each end of input, which may occur several times. */
  readonly #ready: (string | undefined)[] = [];
  #ended = false;
  #wake: () => void = () => {};

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** Handles keys that the user types. */
  type(text: string): void {
    for (const key of text) this.#press(key);
  }

  /** Ends all input, because the user has disconnected. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Shows the output of the process. */
  write(text: string): void {
    this.#options.show(text.replace(/\r?\n/g, '\r\n'));
  }

  async read(): Promise<string | undefined> {
    while (this.#ready.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#ready.shift();
  }

  #press(key: string): void {
    switch (key) {
      case '\r':
      case '\n':
        this.write('\n');
        this.#give(`${this.#line}\n`);
        break;
      case CTRL_C:
        this.#options.show('^C');
        this.#line = '';
        this.#options.interrupt();
        break;
      case CTRL_D:
        this.#give(this.#line === '' ? undefined : this.#line);
        break;
      case CTRL_U:
        this.#options.show('\b \b'.repeat(this.#line.length));
        this.#line = '';
        break;
      case BACKSPACE:
      case DELETE:
        if (this.#line === '') break;
        this.#line = this.#line.slice(0, -1);
        this.#options.show('\b \b');
        break;
      default:
        if (key < ' ' && key !== '\t') break;
        this.#line += key;
        this.#options.show(key);
    }
  }

  #give(text: string | undefined): void {
    this.#line = '';
    this.#ready.push(text);
    this.#wake();
  }
}
