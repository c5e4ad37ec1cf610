/** The output of a running command. */
export abstract class Printed {
  out = '';
  err = '';
  /** Resolves with its exit code after its last line. */
  abstract readonly ended: Promise<number | null>;
  #wake: () => void = () => {};

  /** Waits until it has printed this text. @throws Error when it ends before */
  async says(text: string | RegExp): Promise<void> {
    while (!(typeof text === 'string' ? this.out.includes(text) : text.test(this.out)))
      await this.printsMore();
  }

  /** Waits until it has printed this text to stderr. @throws Error when it ends before */
  async complains(text: string): Promise<void> {
    while (!this.err.includes(text)) await this.printsMore();
  }

  /** Waits until it prints more. @throws Error when it ends before */
  async printsMore(): Promise<void> {
    const more = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    const ended = this.ended.then(() => {
      throw new Error(`It ended: ${this.out}${this.err}`);
    });
    ended.catch(() => {});
    await Promise.race([more, ended]);
  }

  protected print(stream: 'out' | 'err', text: string): void {
    this[stream] += text;
    this.#wake();
  }
}
