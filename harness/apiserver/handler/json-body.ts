import { DEPTH_MAX } from '../patch/json-depth.ts';
import { jsonErrorMessage, quoteCharacter } from './json-error.ts';

/**
 * Decodes the text of a body. A byte order mark stays in the text, as invalid JSON. Invalid UTF-8 and an escaped lone
 * surrogate become U+FFFD, as in Go's decoder, because no text could name such an object.
 */
export function jsonText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  return text.replace(ESCAPE, (spelt, lone?: string) => (lone === undefined ? spelt : '\\ufffd'));
}

/**
 * Parses a JSON text.
 *
 * Upstream: kubernetes-sigs/json@v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/scanner.go
 * checkValid, decode.go unquoteBytes
 *
 * @throws Error with the message of Go's decoder, also for a nesting deeper than {@link DEPTH_MAX}
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(jsonErrorMessage(text, error));
  }
  const tooDeep = bracketAtDepth(text, DEPTH_MAX + 1);
  if (tooDeep) throw new Error(`invalid character ${quoteCharacter(tooDeep)} exceeded max depth`);
  return value;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Matches every escape; group 1 captures a lone surrogate. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|(u[dD][89a-fA-F][\dA-Fa-f]{2})|.)/gs;

/** Returns the first bracket that opens at this depth in a valid text. */
function bracketAtDepth(text: string, depth: number): string | undefined {
  // Each level takes two brackets.
  if (text.length < 2 * depth) return undefined;
  let open = 0;
  for (const [token] of text.matchAll(BRACKET)) {
    if (token === '{' || token === '[') {
      if (++open === depth) return token;
    } else if (token === '}' || token === ']') open--;
  }
  return undefined;
}

/** Matches a bracket, or a whole string, whose brackets are only characters. */
const BRACKET = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
