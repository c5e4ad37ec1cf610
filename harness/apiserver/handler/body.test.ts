import { describe, expect, test } from 'vitest';
import { readBytes } from './body.ts';
import { jsonText, parseJson } from './json-body.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A request whose body arrives in as many pieces of 1 MiB as the server reads. */
function streaming() {
  const piece = new Uint8Array(1024 * 1024);
  const seen = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.pieces += 1;
      controller.enqueue(piece);
    },
  });
  const request = new Request('http://apiserver.test', { method: 'POST', body, duplex: 'half' });
  return { request, seen };
}

describe('readBytes', () => {
  test('reads a body that arrives in pieces', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ['ab', '', 'c']) controller.enqueue(bytes(text));
        controller.close();
      },
    });
    const request = new Request('http://apiserver.test', { method: 'POST', body, duplex: 'half' });
    expect(Buffer.from(await readBytes(request)).toString()).toBe('abc');
  });

  test('returns no bytes for a request without a body', async () => {
    expect(await readBytes(new Request('http://apiserver.test'))).toHaveLength(0);
  });

  test('stops reading an endless body as soon as it exceeds the limit', async () => {
    const { request, seen } = streaming();
    await expect(readBytes(request)).rejects.toMatchObject({
      status: { code: 413, message: 'Request entity too large: limit is 3145728' },
    });
    expect(seen.pieces).toBeLessThan(7);
  });

  test('reads nothing of a body whose Content-Length exceeds the limit', async () => {
    const { request, seen } = streaming();
    request.headers.set('Content-Length', '3145729');
    await expect(readBytes(request)).rejects.toMatchObject({ status: { code: 413 } });
    expect(seen.pieces).toBeLessThan(2);
  });
});

describe('jsonText', () => {
  test.each([
    ['"\\ud800"', '"\\ufffd"'],
    ['"\\uDC00x"', '"\\ufffdx"'],
    ['"\\ud83d\\ude00"', '"\\ud83d\\ude00"'],
    ['"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
    ['"\\\\ud800"', '"\\\\ud800"'],
    ['"\\\\\\ud800"', '"\\\\\\ufffd"'],
  ])('decodes a lone surrogate in %s as Go does', (text, fixed) => {
    expect(jsonText(bytes(text))).toBe(fixed);
  });

  test('decodes bytes that are not UTF-8 as U+FFFD', () => {
    expect(jsonText(Uint8Array.of(0x22, 0xff, 0x22))).toBe('"�"');
  });
});

describe('parseJson', () => {
  test('rejects a byte order mark', () => {
    const text = jsonText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d));
    expect(() => parseJson(text)).toThrow("invalid character 'ï' looking for beginning of value");
  });

  test('accepts a nesting depth of 1,000 and rejects a deeper one', () => {
    const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}"[[["${'}]'.repeat(depth / 2)}`;
    expect(parseJson(nested(1_000))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(1_002))).toThrow("invalid character '[' exceeded max depth");
    expect(() => parseJson('['.repeat(50_000) + ']'.repeat(50_000))).toThrow('exceeded max depth');
  });
});
