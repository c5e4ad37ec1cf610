/**
 * Bytes as text, and back without loss. Programs, pipes and terminals here carry texts; what is no UTF-8 in a stream of bytes is carried
 * as lone surrogates, U+DC80 to U+DCFF, one for each byte: no text that was UTF-8 has these.
 *
 * PEP 383 does the same: Python calls it `surrogateescape`.
 */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return escaped(bytes);
  }
}

/** The bytes of a text: the reverse of {@link textOfBytes}. */
export function bytesOfText(text: string): Uint8Array {
  // In the mode `u` a surrogate that is half of a pair is no character of its own.
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

/** Makes text of bytes that come in pieces: a character that is not whole yet waits for its rest. */
export class TextDecoding {
  #rest: Uint8Array = new Uint8Array();

  /** As much of the text as is whole. */
  decode(piece: Uint8Array): string {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const whole = bytes.length - unfinishedBytes(bytes);
    this.#rest = bytes.slice(whole);
    return textOfBytes(bytes.subarray(0, whole));
  }

  /** There is no more: what waits is no character. */
  end(): string {
    const rest = this.#rest;
    this.#rest = new Uint8Array();
    return textOfBytes(rest);
  }
}

/** The texts of bytes that come in pieces. */
export async function* texts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoding = new TextDecoding();
  for await (const piece of pieces) yield decoding.decode(piece);
  const rest = decoding.end();
  if (rest !== '') yield rest;
}

const encoder = new TextEncoder();
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The escape of byte 0. It is never used, as all below 0x80 is UTF-8. */
const ESCAPES = 0xdc00;

function escaped(bytes: Uint8Array): string {
  // A text has no more units than there are bytes.
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

/** How many bytes the character has that begins there; 0 where none does. */
function sequenceBytes(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(at, at + 4);
  if (first < 0x80) return 1;
  const size = sizeSaidBy(first);
  if (size === 0) return 0;
  // Neither in more bytes than it needs, nor a surrogate, nor beyond U+10FFFF.
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

/** How many bytes a character has of which this one, beyond ASCII, is the first; 0 where it begins none. */
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

/** How many bytes at the end may be the beginning of a character. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return byte >= 0x80 && sizeSaidBy(byte) > back ? back : 0;
  }
  return 0;
}
