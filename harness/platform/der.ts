/** One value in DER, the binary form of ASN.1, as in certificates, keys and signatures. */
export interface Der {
  readonly tag: number;
  /** The value with its tag and length, as it is signed. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** The tags in a certificate request. */
export const TAG = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  sequence: 0x30,
} as const;

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
