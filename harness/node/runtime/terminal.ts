import type { Input } from '../programs/input.ts';

interface TerminalOptions {
  /** Takes what is shown. */
  readonly show: (text: string) => void;
  /** Called for Ctrl-C. */
  readonly interrupt: () => void;
}

const [CTRL_C, CTRL_D, CTRL_U, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\u0015', '\b', '\u007f'];

/**
 * A terminal between a user and a process: it shows what is typed, lets a line be corrected, and gives it to the process when it is
 * whole. It ends lines for the screen with a carriage return.
 *
 * Differs: no program here takes what is typed key by key, so there is no raw mode; nor are there arrow keys.
 */
export class Terminal implements Input {
  readonly #options: TerminalOptions;
  #line = '';
  /** Lines, and undefined for an end of input, of which there may be several. */
  readonly #ready: (string | undefined)[] = [];
  #ended = false;
  #wake: () => void = () => {};

  constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** The user types this. */
  type(text: string): void {
    for (const key of text) this.#press(key);
  }

  /** There is no user any more: all reading ends. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The process writes this. */
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
