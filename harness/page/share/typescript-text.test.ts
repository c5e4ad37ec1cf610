import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf, expressionOf, templateOf } from './typescript-text.ts';

/** Evaluates an expression in JavaScript. */
const evaluated = (text: string): unknown => new Function(`return (${text});`)();

describe('An expression', () => {
  test('of an object has plain names, and quotes as in the workbook', () => {
    expect(expressionOf({ do: 'kill', 'a-b': [1, "it's"], none: undefined, isReal: true })).toBe(
      `{ do: 'kill', 'a-b': [1, "it's"], isReal: true }`,
    );
  });

  test('evaluates to the value', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', "'", '"', '\\', '\n', '`', '\u2028', 'é') });
    const values = fc.oneof(texts, fc.integer(), fc.boolean(), fc.array(texts), fc.dictionary(texts, texts));
    fc.assert(
      fc.property(values, (value) => {
        expect(evaluated(expressionOf(value))).toEqual(value);
      }),
    );
  });
});

describe('A template', () => {
  test('evaluates to the text', () => {
    const texts = fc.string({ unit: fc.constantFrom('`', '\\', '$', '{', '}', 'a', '\n') });
    fc.assert(
      fc.property(texts, (text) => {
        expect(evaluated(templateOf(text))).toBe(text);
      }),
    );
  });
});

test('A large number has groups of digits', () => {
  expect([0, 999, 1_000, 1_234_567].map(digitsOf)).toEqual(['0', '999', '1_000', '1_234_567']);
});
