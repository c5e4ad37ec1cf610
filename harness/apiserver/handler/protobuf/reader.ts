import { DEPTH_MAX } from '../../patch/json-depth.ts';
import { ProtobufError } from './protobuf-error.ts';
import { WIRE } from './wire.ts';

/**
 * Reads the bytes of a message once, from front to back. It copies only the values that it returns.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go Unmarshal, skipGenerated
 *
 * Differs: rejects a nesting deeper than {@link DEPTH_MAX}; upstream reads on while it has memory.
 */
export class Reader {
  /** The wire type of the current field, from the last {@link tag}. */
  wireType = 0;
  readonly #bytes: Buffer;
  #at = 0;
  /** The end of the current message; never after the end of the bytes. */
  #end: number;
  #depth = 0;
  /** The last varint: 64 bits in two halves. */
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  /** Whether the current message has more bytes. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /**
   * Reads the tag of the next field and returns its number. @param message - the name of the message, for errors about
   * an invalid tag
   *
   * @throws ProtobufError
   */
  tag(message: string): number {
    this.#varint();
    this.wireType = this.#low & 7;
    const number = (this.#low >>> 3) | (this.#high << 29);
    if (this.wireType === WIRE.endGroup) {
      throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    }
    if (number <= 0) {
      const wire = (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0);
      throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${wire})`);
    }
    return number;
  }

  /** Reads a 32-bit integer: the lower 32 bits of a longer one. @throws ProtobufError */
  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** Reads a 64-bit integer, with the precision of a JSON number. @throws ProtobufError */
  int64(): number {
    this.#varint();
    return Math.min((this.#high | 0) * 2 ** 32 + (this.#low >>> 0), INT64_MAX);
  }

  /** @throws ProtobufError */
  bool(): boolean {
    this.#varint();
    return this.#low !== 0 || this.#high !== 0;
  }

  /** @throws ProtobufError */
  double(): number {
    const at = this.#advance(8);
    return this.#bytes.readDoubleLE(at);
  }

  /** Reads bytes that follow their length, as a view. @throws ProtobufError */
  bytes(): Buffer {
    const length = this.#length();
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** Reads UTF-8 text; invalid bytes become U+FFFD. @throws ProtobufError */
  string(): string {
    return utf8.decode(this.bytes());
  }

  /**
   * Reads a nested message that follows its length: it is the current message until `read` returns.
   *
   * @throws ProtobufError
   */
  within(read: () => void): void {
    const length = this.#length();
    if (length > this.#end - this.#at) throw unexpectedEnd();
    if (++this.#depth > DEPTH_MAX) throw new ProtobufError('proto: exceeded max depth');
    const outer = this.#end;
    this.#end = this.#at + length;
    read();
    this.#end = outer;
    this.#depth--;
  }

  /** Skips the current field, whatever its type. @throws ProtobufError */
  skip(): void {
    let groups = 0;
    for (let wireType = this.wireType; ; wireType = this.#low & 7) {
      switch (wireType) {
        case WIRE.varint:
          this.#varint();
          break;
        case WIRE.fixed64:
          this.#advance(8);
          break;
        case WIRE.length:
          this.#advance(this.#length());
          break;
        case WIRE.startGroup:
          groups++;
          break;
        case WIRE.endGroup:
          groups--;
          break;
        case WIRE.fixed32:
          this.#advance(4);
          break;
        default:
          throw new ProtobufError(`proto: illegal wireType ${wireType}`);
      }
      if (groups === 0) return;
      this.#varint();
    }
  }

  #varint(): void {
    this.#low = 0;
    this.#high = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      if (this.#at >= this.#end) throw unexpectedEnd();
      const byte = this.#bytes[this.#at++] as number;
      const bits = byte & 0x7f;
      if (shift < 32) this.#low |= bits << shift;
      if (shift > 28) this.#high |= bits << (shift - 32);
      else if (shift === 28) this.#high |= bits >>> 4;
      if (byte < 0x80) return;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** Does not compare the length with the remaining bytes: the caller's read detects an excess. */
  #length(): number {
    this.#varint();
    if (this.#high < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
    return (this.#high >>> 0) * 2 ** 32 + (this.#low >>> 0);
  }

  /** Moves on by `count` bytes. @returns the previous position */
  #advance(count: number): number {
    if (count > this.#end - this.#at) throw unexpectedEnd();
    const at = this.#at;
    this.#at += count;
    return at;
  }
}

/** The greatest double below 2^63. */
const INT64_MAX = 2 ** 63 - 1024;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const unexpectedEnd = (): ProtobufError => new ProtobufError('unexpected EOF');
