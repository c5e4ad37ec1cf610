import { describe, expect, test } from 'vitest';
import { regularExpression } from './regular-expression.ts';

const matches = (pattern: string, text: string) => {
  const expression = regularExpression(pattern);
  return typeof expression === 'string' ? expression : expression.test(text);
};

describe('An expression', () => {
  test.each([
    ['(?i)^abc\\z', 'ABC', true],
    ['\\pN', 'x1', true],
    ['^[[:alpha:]]+$', 'a1', false],
    ['a$', 'a\n', false],
    ['^.$', '😀', true],
    ['b', 'abc', true],
  ])('in the syntax of Go: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  test.each([
    ['(', 'error parsing regexp: missing closing ): `(`'],
    ['(?=a)', 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'error parsing regexp: invalid escape sequence: `\\1`'],
    ['a\\', 'error parsing regexp: trailing backslash at end of expression: ``'],
    ['((a{500}){500}){3}', 'error parsing regexp: invalid repeat count: `{500}`'],
  ])('that is invalid gives a reason: %s', (pattern, why) => {
    expect(matches(pattern, '')).toBe(why);
  });

  test('takes time that is linear in the length of the text', () => {
    // An engine with backtracking would take longer than the age of the universe.
    expect(matches('^(a+)+$', `${'a'.repeat(100_000)}b`)).toBe(false);
    expect(matches('^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(100_000))).toBe(false);
  });
});
