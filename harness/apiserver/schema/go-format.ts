/**
 * A JSON value as Go prints it when it prints a map: `map[spec:map[paused:true replicas:3]]`. Keys are
 * sorted.
 *
 * Upstream: fmt's verb %+v, in kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go
 * applyPatchToObject
 */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${goFormat(item)}`).join(' ')}]`;
}
