/**
 * Prints a JSON value as Go prints a map: `map[spec:map[paused:true replicas:3]]`. Keys are sorted.
 *
 * Upstream: fmt's verb %+v, in kubernetes/apiserver@v0.36.3 pkg/endpoints/handlers/patch.go
 * applyPatchToObject
 */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${goFormat(item)}`).join(' ')}]`;
}

/**
 * Prints a number as Go does: an integer in digits, and a float with the fewest digits. A small or large float has an
 * exponent: `1e-05`, `1.5e+06`.
 *
 * Upstream: fmt's verb %v
 *
 * @param isFloat - whether to print it as a float, even if it is whole @defaultValue whether it is not whole, or
 *   exceeds an int64
 */
export function goNumber(
  value: number,
  isFloat = !Number.isInteger(value) || Math.abs(value) > 2 ** 63,
): string {
  if (!isFloat) return BigInt(value).toString();
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
