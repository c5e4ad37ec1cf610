import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoints } from '../../testing/arbitraries/code-points.ts';
import { bytesOfText, TextDecoding, textOfBytes, texts } from './byte-text.ts';

const bytes = (...each: number[]): Uint8Array => Uint8Array.from(each);

describe('Bytes as text', () => {
  test.each([
    ['', []],
    ['hello', [0x68, 0x65, 0x6c, 0x6c, 0x6f]],
    ['é€😀', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80]],
    ['\ufeffx', [0xef, 0xbb, 0xbf, 0x78]],
    ['a\udcffb', [0x61, 0xff, 0x62]],
    ['é\udc80😀\udcc3', [0xc3, 0xa9, 0x80, 0xf0, 0x9f, 0x98, 0x80, 0xc3]],
    // An overlong slash, a surrogate, and a code point above U+10FFFF.
    ['\udcc0\udcaf', [0xc0, 0xaf]],
    ['\udced\udcb2\udc80', [0xed, 0xb2, 0x80]],
    ['\udcf4\udc90\udc80\udc80', [0xf4, 0x90, 0x80, 0x80]],
  ])('is %j', (text, each) => {
    expect(textOfBytes(bytes(...each))).toBe(text);
    expect([...bytesOfText(text)]).toEqual(each);
  });

  test('is restored, whatever the bytes are', () => {
    const awkward = fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf4, 0xff);
    fc.assert(
      fc.property(fc.array(fc.oneof(awkward, fc.nat(0xff))), (each) => {
        expect([...bytesOfText(textOfBytes(bytes(...each)))]).toEqual(each);
      }),
    );
  });

  test('equals the decoded UTF-8, if the bytes are valid UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoints }), (text) => {
        expect(textOfBytes(Buffer.from(text))).toBe(text);
        expect(Buffer.from(bytesOfText(text))).toEqual(Buffer.from(text));
      }),
    );
  });
});

describe('Chunks of bytes', () => {
  test('decode to whole characters', () => {
    const decoding = new TextDecoding();
    const pieces = [bytes(0x61, 0xe2), bytes(0x82), bytes(0xac, 0x62), bytes(0xc3)];
    expect(pieces.map((piece) => decoding.decode(piece))).toEqual(['a', '', '€b', '']);
    expect([decoding.end(), decoding.end()]).toEqual(['\udcc3', '']);
  });

  test('are restored, wherever they are split', async () => {
    const cut = fc.array(fc.uint8Array({ maxLength: 5 }));
    await fc.assert(
      fc.asyncProperty(cut, async (pieces) => {
        const all: string[] = [];
        const coming = (async function* () {
          yield* pieces;
        })();
        for await (const text of texts(coming)) all.push(text);
        expect(Buffer.concat(all.map(bytesOfText))).toEqual(Buffer.concat(pieces));
      }),
    );
  });
});
