const LF = 0x0a;

/** A line of text, without its line break. */
interface Line {
  readonly text: string;
  /** Whether it was cut at a byte that text cannot contain, so the input is not text. */
  readonly isBinary: boolean;
}

/** Reads bytes as lines of text, independent of their chunks. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /**
   * Reads a line, which ends with `\n` or `\r\n`.
   *
   * @returns undefined when the input ends within the line; `too long` when the line exceeds `bytesMax`
   */
  async line(bytesMax: number): Promise<Line | 'too long' | undefined> {
    for (let at = 0; ; at++) {
      if (at > bytesMax) return 'too long';
      if (at >= this.#rest.length && !(await this.#more())) return undefined;
      const byte = this.#rest[at] as number;
      const isBinary = byte < 0x20 && byte !== LF && byte !== 0x0d && byte !== 0x09;
      if (byte !== LF && !isBinary) continue;
      const text = this.#rest.toString('latin1', 0, at);
      this.#rest = this.#rest.subarray(at + 1);
      return { text: text.endsWith('\r') ? text.slice(0, -1) : text, isBinary };
    }
  }

  /** Reads this many bytes. @returns undefined when the input ends before */
  async take(length: number): Promise<Uint8Array | undefined> {
    const pieces: Buffer[] = [];
    for (let left = length; ; ) {
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      pieces.push(piece);
      left -= piece.length;
      if (left === 0) return Buffer.concat(pieces);
      if (!(await this.#more())) return undefined;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#rest = this.#rest.length === 0 ? Buffer.from(value) : Buffer.concat([this.#rest, value]);
    return true;
  }
}
