/**
 * Returns several errors as one text, in the words of Go: `[a, b]`. The same error is named once.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/errors/errors.go aggregate.Error
 */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
