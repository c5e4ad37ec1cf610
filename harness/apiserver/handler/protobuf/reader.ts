import { DEPTH_MAX } from '../../patch/json-depth.ts';
import { ProtobufError } from './protobuf-error.ts';
import { WIRE } from './wire.ts';

/**
 * Reads the bytes of a message from the front to the back, each once: it copies nothing that it does not return.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/apis/meta/v1/generated.pb.go Unmarshal, skipGenerated
 *
 * Differs: what is nested deeper than {@link DEPTH_MAX} is refused; upstream reads on while it has memory.
 */
export class Reader {
  /** The type of the field at hand, from the last {@link tag}. */
  wireType = 0;
  readonly #bytes: Buffer;
  #at = 0;
  /** Where the message at hand ends; never after the end of the bytes. */
  #end: number;
  #depth = 0;
  /** The last varint: 64 bits in two halves. */
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  /** Is there more of the message at hand? */
  get more(): boolean {
    return this.#at < this.#end;
  }

  /**
   * The number of the next field. @param message - its name, for what is told of a tag that makes no sense
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

  /** A whole number of 32 bits; of a longer one the lower ones. @throws ProtobufError */
  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** A whole number of 64 bits, as exact as a number of JSON is. @throws ProtobufError */
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

  /** Bytes with their length before them: a view of them. @throws ProtobufError */
  bytes(): Buffer {
    const length = this.#length();
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  /** A text in UTF-8; what is none becomes U+FFFD. @throws ProtobufError */
  string(): string {
    return utf8.decode(this.bytes());
  }

  /**
   * Reads what has its length before it: until `read` returns, the message at hand is that one.
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

  /** Passes over the field at hand, of whatever type it is. @throws ProtobufError */
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

  /** Not held against what is left: the caller that asks for the bytes finds out. */
  #length(): number {
    this.#varint();
    if (this.#high < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
    return (this.#high >>> 0) * 2 ** 32 + (this.#low >>> 0);
  }

  /** Moves on. @returns where it was */
  #advance(count: number): number {
    if (count > this.#end - this.#at) throw unexpectedEnd();
    const at = this.#at;
    this.#at += count;
    return at;
  }
}

/** The greatest number that is less than 2^63. */
const INT64_MAX = 2 ** 63 - 1024;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

const unexpectedEnd = (): ProtobufError => new ProtobufError('unexpected EOF');
