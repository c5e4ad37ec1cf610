import { createHash } from '#platform/hash';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the SHA-256 of a text in base32 (RFC 4648) without padding: 52 letters and digits. Some generated names
 * contain the first few.
 *
 *     sha256Base32('ns1/svc1:p80tcp').slice(0, 16); // XPGD46QRK7WJZT7O
 */
export function sha256Base32(text: string): string {
  let [encoded, value, bits] = ['', 0, 0];
  for (const byte of createHash('sha256').update(text).digest()) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) encoded += LETTERS[(value >> (bits - 5)) & 31];
    value &= 31;
  }
  return encoded + LETTERS[(value << (5 - bits)) & 31];
}
