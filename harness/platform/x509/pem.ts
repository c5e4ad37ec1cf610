/** A block of a PEM file. */
interface PemBlock {
  /** For example `CERTIFICATE REQUEST`. */
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

/**
 * Returns the blocks of a text in order. Text between blocks is ignored, and so is a block that cannot be decoded.
 *
 * Upstream: Decode in Go's standard library, encoding/pem
 */
export function pemBlocks(text: string): readonly PemBlock[] {
  return [...text.matchAll(BLOCK)].flatMap(([, type = '', headers = '', body = '']) => {
    const base64 = body.replace(/\s/g, '');
    return base64.length % 4 === 0 && BASE64.test(base64)
      ? [{ type, hasHeaders: headers !== '', bytes: Buffer.from(base64, 'base64') }]
      : [];
  });
}

const BLOCK =
  /(?:^|\n)-----BEGIN ([^\r\n]*)-----[ \t\r]*\n((?:[^\n:]*:[^\n]*\n)*)((?:(?!-----)[^:])*)-----END \1-----[ \t\r]*(?=\n|$)/g;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Encodes a block of a PEM file. */
export function pemOf(type: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');
}
