import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Generates every code point, as the `unit` of a string. fast-check's unit `binary` generates the same ones, but first
 * builds a table of all 1.1 million, which takes a second of CPU.
 */
export const codePoints: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count), indexOf);

/**
 * Returns the number that generates a code point. fast-check needs it to decide which of its dangerous strings it may
 * try.
 */
function indexOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
  if (point === undefined || text !== String.fromCodePoint(point))
    throw new Error('The text is not a code point.');
  return point < SURROGATES.from ? point : point - SURROGATES.count;
}
