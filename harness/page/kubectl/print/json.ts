/**
 * Prints a value as kubectl does: keys in order, four spaces a level, and the characters of HTML escaped.
 *
 * Upstream: kubernetes/cli-runtime@v0.36.3 pkg/printers/json.go JSONPrinter.PrintObj
 */
export function jsonOf(value: unknown): string {
  return `${escaped(JSON.stringify(sorted(value), null, 4))}\n`;
}

/** Prints a value in one line, as Go's `json.Marshal` does. */
export function compactJson(value: unknown): string {
  return escaped(JSON.stringify(sorted(value)));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

const escaped = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] ?? '');

/** Go writes the keys of a map in sorted order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
