import { WIRE } from './wire.ts';

/**
 * Writes the bytes of a message from back to front, so that the length of a part is known before it is written. Callers
 * write the first part last.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go MarshalToSizedBuffer
 */
export class Writer {
  #bytes = Buffer.allocUnsafe(512);
  /** The written bytes extend from here to the end. */
  #start = this.#bytes.length;

  tag(number: number, wireType: number): void {
    this.varint(number * 8 + wireType);
  }

  /** Writes an integer; a negative one takes ten bytes. */
  varint(value: number): void {
    this.raw(Number.isSafeInteger(value) && value >= 0 ? varintOf(value) : longVarintOf(value));
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  /** Writes bytes without their length. */
  raw(bytes: ArrayLike<number>): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Writes bytes after their length. */
  bytes(bytes: Uint8Array): void {
    this.raw(bytes);
    this.varint(bytes.length);
  }

  string(text: string): void {
    const length = Buffer.byteLength(text);
    const at = this.#reserve(length);
    this.#bytes.write(text, at);
    this.varint(length);
  }

  /** Writes a field whose content `write` writes. */
  within(number: number, write: () => void): void {
    const end = this.#length;
    write();
    this.varint(this.#length - end);
    this.tag(number, WIRE.length);
  }

  /** Returns all written bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(this.#bytes.subarray(this.#start));
  }

  get #length(): number {
    return this.#bytes.length - this.#start;
  }

  /** Reserves space before the written bytes. @returns the position of that space */
  #reserve(count: number): number {
    if (count > this.#start) {
      const grown = Buffer.allocUnsafe(2 * this.#bytes.length + count);
      const start = grown.length - this.#length;
      this.#bytes.copy(grown, start, this.#start);
      this.#bytes = grown;
      this.#start = start;
    }
    this.#start -= count;
    return this.#start;
  }
}

function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}

/** Encodes an integer that needs all 64 bits. */
function longVarintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
