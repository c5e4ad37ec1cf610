import { describe, expect, test } from 'vitest';
import { jsonErrorMessage } from './json-error.ts';

function messageOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return jsonErrorMessage(text, error);
  }
  throw new Error(`${text} is JSON.`);
}

describe('jsonErrorMessage', () => {
  test.each([
    ['', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ['{"a":x}', "invalid character 'x' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
  ])('reports the error of Go for %j', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });
});
