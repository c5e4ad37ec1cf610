/**
 * Returns a line for a log: the checksum of a text, the text, and an end of line.
 *
 * @example
 * seal('{"compact":7}') // '1c291ca3 {"compact":7}\n' — the first word depends on each character after it
 *
 * @param text - without an end of line
 */
export function seal(text: string): string {
  return `${crc32(text)} ${text}\n`;
}

/** Returns the text of a line, without the end of line; undefined if a part of it is lost or torn. */
export function unseal(line: string): string | undefined {
  const text = line.slice(CHECKSUM_LENGTH + 1);
  return line.startsWith(`${crc32(text)} `) ? text : undefined;
}

const CHECKSUM_LENGTH = 8;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

const encoder = new TextEncoder();

/** Computes the CRC-32 of the UTF-8 bytes of a text, as eight hexadecimal digits. */
function crc32(text: string): string {
  let value = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // A text that is not ASCII needs its bytes.
    if (code > 0x7f) return digits(encoder.encode(text.slice(i)).reduce(next, value));
    value = next(value, code);
  }
  return digits(value);
}

const next = (value: number, byte: number): number =>
  (TABLE[(value ^ byte) & 0xff] as number) ^ (value >>> 8);

const digits = (value: number): string =>
  ((value ^ 0xffffffff) >>> 0).toString(16).padStart(CHECKSUM_LENGTH, '0');
