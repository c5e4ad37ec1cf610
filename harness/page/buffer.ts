import { Buffer } from 'buffer/index.js';

const { toString: inEncoding } = Buffer.prototype;
const { from } = Buffer as { readonly from: (...words: readonly unknown[]) => Buffer };
/** Node keeps a byte order mark. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

// The npm package lacks the encoding `base64url`, and replaces invalid UTF-8 by more characters than Node does. Its
// decoder of base64 accepts the alphabets of both encodings.
Object.assign(Buffer, {
  from: (value: unknown, encoding?: unknown, ...more: readonly unknown[]) =>
    from(value, encoding === 'base64url' ? 'base64' : encoding, ...more),
});
Object.assign(Buffer.prototype, {
  toString(this: Buffer, encoding = 'utf8', start = 0, end = this.length): string {
    if (encoding === 'utf8') return utf8.decode(this.subarray(start, end));
    if (encoding !== 'base64url') return inEncoding.call(this, encoding, start, end);
    const text = inEncoding.call(this, 'base64', start, end);
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  },
});

/** The class `Buffer` of Node, for a browser. */
export { Buffer };
