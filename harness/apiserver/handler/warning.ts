/**
 * Returns the values of the `Warning` headers: each warning once, shortened if all exceed the limit of a header. Each
 * character of a value is one byte of UTF-8, as `Headers` requires.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/warning.go recorder.AddWarning,
 * kubernetes/apimachinery@v0.36.3 pkg/util/net/http.go NewWarningHeader
 */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const told: string[] = [];
  let written = 0;
  let truncating = false;
  for (const text of new Set(warnings)) {
    // A text that would cut the header short, or is not valid Unicode, is not sent.
    if (text === '' || /[\p{Cc}\p{Surrogate}]/u.test(text)) continue;
    if (truncating && written >= TOTAL_LENGTH_MAX) break;
    told.push(text);
    written += lengthOf(truncating ? truncated(text) : text);
    if (truncating || written <= TOTAL_LENGTH_MAX) continue;
    truncating = true;
    written = told.reduce((sum, each) => sum + lengthOf(truncated(each)), 0);
  }
  return told.map((text) => header(truncating ? truncated(text) : text));
}

/** The limit in characters. */
const TOTAL_LENGTH_MAX = 4 * 1024;
const ITEM_LENGTH_MAX = 256;

const lengthOf = (text: string): number => [...text].length;

const truncated = (text: string): string => [...text].slice(0, ITEM_LENGTH_MAX).join('');

/** 299 is a "miscellaneous persistent warning"; the `-` stands for an unnamed agent. */
function header(text: string): string {
  return Buffer.from(`299 - "${text.replace(/["\\]/g, '\\$&')}"`).toString('latin1');
}
