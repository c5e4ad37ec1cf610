import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrap } from './wrap.ts';

describe('A wrapped text', () => {
  test('fills its lines', () => {
    expect(wrap('one two three four', 9, '  ')).toEqual(['  one two', '  three', '  four']);
  });

  test('keeps a long word whole', () => {
    expect(wrap('a metadata.annotations b', 6)).toEqual(['a', 'metadata.annotations', 'b']);
  });

  test('of no words has no lines', () => expect(wrap(' \n ', 10)).toEqual([]));

  test('Lossless: it has the same words, and no line is longer than the width unless it is a single word', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ') }), fc.nat({ max: 20 }), (text, width) => {
        const lines = wrap(text, width, '> ');
        const words = (each: string): readonly string[] => each.split(' ').filter(Boolean);
        expect(lines.flatMap((line) => words(line.slice(2)))).toEqual(words(text));
        for (const line of lines)
          expect(line.length <= width || words(line.slice(2)).length === 1).toBe(true);
      }),
    );
  });
});
