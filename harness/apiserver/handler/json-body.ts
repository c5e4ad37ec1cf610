import { DEPTH_MAX } from '../patch/json-depth.ts';
import { jsonErrorMessage, quoteCharacter } from './json-error.ts';

/**
 * The text of a body. A byte order mark stays: it is no JSON. What is no UTF-8, and half a surrogate pair that
 * is spelt as an escape, become U+FFFD, as Go's decoder has it: no text could name such an object.
 */
export function jsonText(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  return text.replace(ESCAPE, (spelt, lone?: string) => (lone === undefined ? spelt : '\\ufffd'));
}

/**
 * What a JSON text says.
 *
 * Upstream: kubernetes-sigs/json@v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/scanner.go
 * checkValid, decode.go unquoteBytes
 *
 * @throws Error in the words of Go's decoder; also for what is nested deeper than {@link DEPTH_MAX}
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

/** Every escape; the second group is half a pair of surrogates, alone. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2}|(u[dD][89a-fA-F][\dA-Fa-f]{2})|.)/gs;

/** The first bracket that opens at that depth of a valid text. */
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

/** Texts, in which brackets are only characters, and brackets. */
const BRACKET = /"(?:[^"\\]|\\.)*"|[{}[\]]/gs;
