import { Buffer as NodeBuffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Buffer } from './buffer.ts';

type Encoding = 'base64' | 'base64url' | 'hex' | 'latin1' | 'utf8' | undefined;

const encodings = fc.constantFrom<Encoding>('base64', 'base64url', 'hex', 'latin1', 'utf8', undefined);
/** A text in an encoding. The two disagree about text that is not base64, which the apiserver rejects. */
const encoded = fc
  .tuple(fc.uint8Array(), encodings)
  .map(([bytes, encoding]) => ({ encoding, text: NodeBuffer.from(bytes).toString(encoding) }));

describe('The Buffer of the page', () => {
  test('encodes and decodes like that of Node', () => {
    fc.assert(
      fc.property(encoded, encodings, ({ text, encoding }, written) => {
        const ours = Buffer.from(text, encoding).toString(written);
        expect(ours).toBe(NodeBuffer.from(text, encoding).toString(written));
      }),
    );
  });

  test('handles bytes like that of Node', () => {
    expect(Buffer.from([1, 2, 255])).toEqual(Buffer.of(1, 2, 255));
    expect(Buffer.concat([Buffer.from('a'), new Uint8Array([98])]).toString()).toBe('ab');
    expect(Buffer.from(new Uint8Array([97, 98, 99]).buffer, 1, 2).toString()).toBe('bc');
  });
});
