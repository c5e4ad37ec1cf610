import { createRequire } from 'node:module';
import type * as re2js from 're2js';

/**
 * An expression in the language of Go, which is matched in a time that grows with the text and no faster, whatever a client
 * writes.
 *
 * Upstream: Go's regexp, in kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/validate/rexp.go
 */
export interface RegularExpression {
  /** Does it match somewhere in the text? */
  test(text: string): boolean;
}

/** The expression, or why it is none, in the words of Go. */
export function regularExpression(pattern: string): RegularExpression | string {
  let known = compiled.get(pattern);
  if (known === undefined) {
    // Expressions come from clients: what is remembered must not grow without end.
    if (compiled.size >= COMPILED_MAX) compiled.clear();
    known = compile(pattern);
    compiled.set(pattern, known);
  }
  return known;
}

const compiled = new Map<string, RegularExpression | string>();
const COMPILED_MAX = 1_000;

function compile(pattern: string): RegularExpression | string {
  const { RE2JS, RE2JSSyntaxException } = engine();
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // Go shows what it is about, also if that is nothing.
    return error.message.includes(': `') ? error.message : `${error.message}: \`\``;
  }
}

let loaded: typeof re2js | undefined;

/** Loaded when it is first needed, because most runs need it for nothing. */
function engine(): typeof re2js {
  loaded ??= createRequire(import.meta.url)('re2js') as typeof re2js;
  return loaded;
}
