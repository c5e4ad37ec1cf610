/**
 * What is wrong with a text that is not JSON, in the words in which an apiserver says it: Go's.
 *
 * Differs: a misspelt literal is an unexpected beginning; Go names the literal it took it for.
 *
 * Upstream: Go's encoding/json, as kubernetes/apimachinery@v0.36.3 pkg/runtime/serializer/json/json.go passes it on
 */

/** Translates what `JSON.parse` threw for `text`. What it does not know it passes on as it is. */
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

/** How the engine says where it was, and how Go does. */
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

/** One character, in quotes. Go reads bytes: of what takes several, it tells the first as if it were a character. */
export function quoteCharacter(char: string): string {
  if (char === "'") return `'\\''`;
  if (char > '\x7f') return `'${Buffer.from(char).subarray(0, 1).toString('latin1')}'`;
  return `'${JSON.stringify(char).slice(1, -1).replace('\\"', '"')}'`;
}
