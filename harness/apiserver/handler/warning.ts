/**
 * The values of the `Warning` headers that tell of `warnings`: each once, cut where they are more than a header should
 * hold, as bytes of UTF-8 that a `Headers` takes one character each.
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/endpoints/filters/warning.go recorder.AddWarning,
 * kubernetes/apimachinery@v0.36.3 pkg/util/net/http.go NewWarningHeader
 */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const told: string[] = [];
  let written = 0;
  let truncating = false;
  for (const text of new Set(warnings)) {
    // A header that would end in the middle, or be no text, is not sent.
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

/** In characters. */
const TOTAL_LENGTH_MAX = 4 * 1024;
const ITEM_LENGTH_MAX = 256;

const lengthOf = (text: string): number => [...text].length;

const truncated = (text: string): string => [...text].slice(0, ITEM_LENGTH_MAX).join('');

/** 299 is a "miscellaneous persistent warning", and the server does not say which agent warns. */
function header(text: string): string {
  return Buffer.from(`299 - "${text.replace(/["\\]/g, '\\$&')}"`).toString('latin1');
}
