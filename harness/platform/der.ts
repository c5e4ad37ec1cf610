/** One value in DER, the binary form of ASN.1, as in certificates, keys and signatures. */
export interface Der {
  readonly tag: number;
  /** The value with its tag and length, as it is signed. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The tags in keys, certificates and requests for them. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Returns the tag of a field that its number identifies: `[0]`, with other values in it, or a primitive one. */
export const fieldTag = (number: number, kind: 'constructed' | 'primitive' = 'constructed'): number =>
  (kind === 'constructed' ? 0xa0 : 0x80) | number;

/**
 * Parses consecutive values.
 *
 * Upstream: parseTagAndLength in Go's standard library, encoding/asn1
 *
 * @throws RangeError when the bytes end too early, or a length is not encoded as DER requires
 */
export function valuesOf(bytes: Buffer): readonly Der[] {
  const values: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = valueAt(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

function valueAt(bytes: Buffer, at: number): Der {
  const [tag, first] = bytes.subarray(at);
  if (tag === undefined || first === undefined) throw new RangeError('syntax error: data truncated');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthBytes;
  if (first === 0x80) throw new RangeError('syntax error: indefinite length found (not DER)');
  if (lengthBytes > 4) throw new RangeError('structure error: length too large');
  if (start > bytes.length) throw new RangeError('syntax error: data truncated');
  const length = lengthBytes > 0 ? bytes.readUIntBE(at + 2, lengthBytes) : first;
  if (lengthBytes > 0 && length < Math.max(0x80, 256 ** (lengthBytes - 1))) {
    throw new RangeError('structure error: non-minimal length');
  }
  if (start + length > bytes.length) throw new RangeError('syntax error: data truncated');
  return {
    tag,
    whole: bytes.subarray(at, start + length),
    content: bytes.subarray(start, start + length),
  };
}

/** Returns an object identifier in its dotted form. */
export function objectIdentifier({ content }: Der): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      numbers.push(number);
      number = 0;
    }
  }
  const [first = 0, ...rest] = numbers;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...rest].join('.');
}

/** Encodes a value, whose content is the given bytes one after the other. */
export function encode(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const whole = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), encodedLength(whole.length), whole]);
}

function encodedLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = unsigned(BigInt(length));
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const encodeSequence = (...values: readonly Uint8Array[]): Buffer => encode(TAG.sequence, ...values);

/** Encodes whole bytes: the first byte of the content counts the unused bits. */
export const encodeBits = (bytes: Uint8Array): Buffer => encode(TAG.bitString, Buffer.from([0]), bytes);

/** Encodes an integer that is not negative. */
export function encodeInteger(value: bigint): Buffer {
  const bytes = unsigned(value);
  // A first bit would be a sign.
  return encode(TAG.integer, ...((bytes[0] ?? 0) < 0x80 ? [bytes] : [Buffer.from([0]), bytes]));
}

function unsigned(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Encodes an object identifier from its dotted form. */
export function encodeObjectIdentifier(dotted: string): Buffer {
  const [root = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(TAG.objectIdentifier, ...[root * 40 + second, ...rest].map(base128));
}

function base128(number: number): Buffer {
  const bytes = [number % 128];
  for (let more = Math.floor(number / 128); more > 0; more = Math.floor(more / 128)) {
    bytes.unshift(0x80 | (more % 128));
  }
  return Buffer.from(bytes);
}

/** Returns an integer that is not negative. */
export const integerOf = ({ content }: Der): bigint => BigInt(`0x${content.toString('hex') || '0'}`);
