import { re2 } from '#platform/expressions';

/**
 * A regular expression in the syntax of Go. Matching takes time linear in the length of the text, whatever pattern a
 * client sends.
 *
 * Upstream: Go's regexp, in kubernetes/kube-openapi@v0.0.0-20260317180543-43fb72c5454a pkg/validation/validate/rexp.go
 */
interface RegularExpression {
  /** Reports whether it matches anywhere in the text. */
  test(text: string): boolean;
}

/** Compiles an expression. Returns the error in the words of Go if it is invalid. */
export function regularExpression(pattern: string): RegularExpression | string {
  let known = compiled.get(pattern);
  if (known === undefined) {
    // Expressions come from clients, so the cache needs a limit.
    if (compiled.size >= COMPILED_MAX) compiled.clear();
    known = compile(pattern);
    compiled.set(pattern, known);
  }
  return known;
}

const compiled = new Map<string, RegularExpression | string>();
const COMPILED_MAX = 1_000;

function compile(pattern: string): RegularExpression | string {
  const { RE2JS, RE2JSSyntaxException } = re2();
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // Go always appends the offending part, even if it is empty.
    return error.message.includes(': `') ? error.message : `${error.message}: \`\``;
  }
}
