/**
 * Converts bytes to text without loss: {@link bytesOfText} restores them. Programs, pipes and terminals here exchange
 * text. Bytes that are not valid UTF-8 become lone surrogates, U+DC80 to U+DCFF, one for each byte. Valid UTF-8 never
 * contains these.
 *
 * It is the method of PEP 383, which Python calls `surrogateescape`.
 */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return escaped(bytes);
  }
}

/** Returns the bytes of a text, the reverse of {@link textOfBytes}. */
export function bytesOfText(text: string): Uint8Array {
  // In the mode `u` a surrogate that is half of a pair does not match.
  if (!/[\uDC80-\uDCFF]/u.test(text)) return encoder.encode(text);
  const bytes = new Uint8Array(3 * text.length);
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes[length++] = code;
    else if (code >= ESCAPES && code <= ESCAPES + 0xff) bytes[length++] = code - ESCAPES;
    else length += encoder.encodeInto(character, bytes.subarray(length)).written;
  }
  return bytes.slice(0, length);
}

/** Decodes chunks of bytes to text. An incomplete character waits for its remaining bytes. */
export class TextDecoding {
  #rest: Uint8Array = new Uint8Array();

  /** Returns the text up to the last complete character. */
  decode(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const whole = bytes.length - unfinishedBytes(bytes);
    this.#rest = bytes.slice(whole);
    return textOfBytes(bytes.subarray(0, whole));
  }

  /** Ends the input. Returns the remaining bytes, which form no complete character, as text. */
  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return textOfBytes(rest);
  }
}

/** Decodes a stream of chunks to texts. */
export async function* texts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoding = new TextDecoding();
  for await (const piece of pieces) yield decoding.decode(piece);
  const rest = decoding.end();
  if (rest !== '') yield rest;
}

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The escape of byte 0. Bytes below 0x80 are always valid UTF-8, so those escapes are never used. */
const ESCAPES = 0xdc00;

function escaped(bytes: Uint8Array): string {
  // A text never has more UTF-16 units than it has bytes in UTF-8.
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceBytes(bytes, at);
    if (size === 0) {
      units[length++] = ESCAPES + (bytes[at++] ?? 0);
      continue;
    }
    const code = codePointOf(bytes.subarray(at, at + size));
    at += size;
    if (code < 0x10000) units[length++] = code;
    else {
      units[length++] = 0xd800 + ((code - 0x10000) >> 10);
      units[length++] = 0xdc00 + (code & 0x3ff);
    }
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString('utf16le');
}

/** Returns the number of bytes of the character at this position; 0 if the bytes are invalid. */
function sequenceBytes(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first < 0x80) return 1;
  const size = sizeSaidBy(first);
  if (size === 0) return 0;
  // Rejects overlong encodings, surrogates and code points above U+10FFFF.
  const [low, high] = SECOND_BYTES[first] ?? [0x80, 0xbf];
  if (second < low || second > high) return 0;
  return (size < 3 || isContinuation(third)) && (size < 4 || isContinuation(fourth)) ? size : 0;
}

const SECOND_BYTES: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

/** Returns the number of bytes of a character with this non-ASCII first byte; 0 if it cannot be a first byte. */
function sizeSaidBy(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

function codePointOf([first = 0, ...more]: Uint8Array): number {
  if (more.length === 0) return first;
  const own = first & (0x3f >> more.length);
  return more.reduce((code, byte) => (code << 6) | (byte & 0x3f), own);
}

/** Returns how many bytes at the end may be the beginning of a character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return byte >= 0x80 && sizeSaidBy(byte) > back ? back : 0;
  }
  return 0;
}
