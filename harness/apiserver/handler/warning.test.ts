import { describe, expect, test } from 'vitest';
import { warningHeaders } from './warning.ts';

const texts = (warnings: readonly string[]): readonly string[] =>
  warningHeaders(warnings).map((value) => Buffer.from(value, 'latin1').toString());

describe('warningHeaders', () => {
  test('escapes only quotes and backslashes', () => {
    expect(texts(['unknown field "a\\b"', 'tab or not'])).toEqual([
      '299 - "unknown field \\"a\\\\b\\""',
      '299 - "tab or not"',
    ]);
  });

  test('encodes text as UTF-8, which a header can hold', () => {
    const warnings = ['unknown field "größe"', 'unknown field "名前"', 'unknown field "🙂"'];
    expect(texts(warnings)).toEqual(warnings.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`));
    for (const value of warningHeaders(warnings)) new Headers().append('Warning', value);
  });

  test('sends each warning once, and skips text that no header can hold', () => {
    expect(texts(['a', 'b', 'a', '', 'line\nbreak', 'null\0', '\ud800'])).toEqual(['299 - "a"', '299 - "b"']);
  });

  test('cuts each warning to 256 characters if all exceed 4096, and then drops the rest', () => {
    const long = (i: number): string => `${String(i).padStart(3, '0')}${'é'.repeat(397)}`;
    const ten = Array.from({ length: 10 }, (_, i) => long(i));
    expect(texts(ten).map((text) => text.length)).toEqual(Array(10).fill(408));
    const hundred = Array.from({ length: 100 }, (_, i) => long(i));
    expect(texts(hundred).map((text) => text.length)).toEqual(Array(16).fill(264));
  });
});
