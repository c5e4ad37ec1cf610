/**
 * Translates parse errors of this engine to those of Go, which an apiserver reports.
 *
 * Differs: a misspelled literal counts as an unexpected beginning; Go names the expected literal.
 *
 * Upstream: Go's encoding/json, as kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/json/json.go passes it on
 */

/** Translates the error that `JSON.parse` threw for `text`. Returns an unknown message unchanged. */
export function jsonErrorMessage(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/^Unexpected end of JSON input|^Unterminated string/.test(message)) return END;
  const position = /at position (\d+)/.exec(message)?.[1];
  const token = /^Unexpected token '(.+?)',/su.exec(message)?.[1];
  const char =
    token ?? (position === undefined ? undefined : text.slice(Number(position)).match(/^./su)?.[0]);
  const where = places.find(([pattern]) => pattern.test(message))?.[1];
  if (where === undefined) return message;
  return char === undefined ? END : `invalid character ${quoteCharacter(char)} ${where}`;
}

const END = 'unexpected end of JSON input';

/** Messages of the engine, and Go's description of the same position. */
const places: readonly (readonly [RegExp, string])[] = [
  [
    /^Expected property name|^Expected double-quoted property name/,
    'looking for beginning of object key string',
  ],
  [/^Expected ':'/, 'after object key'],
  [/^Expected ',' or '}'/, 'after object key:value pair'],
  [/^Expected ',' or ']'/, 'after array element'],
  [/^Unexpected non-whitespace character after JSON/, 'after top-level value'],
  [/^Bad control character in string literal/, 'in string literal'],
  [/^Bad escaped character/, 'in string escape code'],
  [/^Unexpected token/, 'looking for beginning of value'],
];

/**
 * Quotes a character. Go works on bytes: for a character of several bytes, it reports the first byte as a character.
 */
export function quoteCharacter(char: string): string {
  if (char === "'") return `'\\''`;
  if (char > '\x7f') return `'${Buffer.from(char).subarray(0, 1).toString('latin1')}'`;
  return `'${JSON.stringify(char).slice(1, -1).replace('\\"', '"')}'`;
}
