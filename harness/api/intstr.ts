import { quote } from './names.ts';

/**
 * IntOrString: an int32 or a string, for fields such as maxSurge (3 or "25%") and targetPort (80 or "http"). In JSON
 * and in memory it is just that number or string.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go
 */
export type IntOrString = number | string;

/** A value that cannot be scaled: it is missing, or a string that is not a percentage. The message is upstream's. */
export class IntOrStringError extends Error {
  override readonly name = 'IntOrStringError';
}

/**
 * Returns the value of a number or of a percentage of the total. A number is returned unchanged. `'25%'` of 10 is 3
 * rounded up, and 2 rounded down.
 *
 * @param roundUp the rounding direction; surge rounds up, unavailability rounds down
 * @throws IntOrStringError when the value is missing, or a string that is not an integer with a trailing "%": "25" is
 * an error, not 25
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go GetScaledValueFromIntOrPercent
 */
export function getScaledValueFromIntOrPercent(
  value: IntOrString | null | undefined,
  total: number,
  roundUp: boolean,
): number {
  if (value === null || value === undefined) throw new IntOrStringError('nil value for IntOrString');
  const { value: amount, percent } = getIntOrPercentValue(value);
  if (!percent) return amount;
  const scaled = (amount * total) / 100;
  // Rounding a small negative number up yields -0, which upstream never returns.
  return (roundUp ? Math.ceil(scaled) : Math.floor(scaled)) + 0;
}

/**
 * Splits a value: 3 becomes `{ value: 3, percent: false }`, "25%" becomes `{ value: 25, percent: true }`.
 *
 * @throws IntOrStringError for any other string
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go getIntOrPercentValueSafely (the
 * deprecated getIntOrPercentValue, which took "25" for 25%, has no counterpart here)
 */
export function getIntOrPercentValue(value: IntOrString): { value: number; percent: boolean } {
  if (typeof value === 'number') return { value, percent: false };
  if (!value.endsWith('%')) {
    throw new IntOrStringError('invalid value for IntOrString: invalid type: string is not a percentage');
  }
  const digits = value.slice(0, -1);
  if (parseInt64(digits) === undefined) {
    const reason = INTEGER.test(digits) ? 'value out of range' : 'invalid syntax';
    throw new IntOrStringError(
      `invalid value for IntOrString: invalid value ${quote(value)}: strconv.Atoi: parsing ${quote(digits)}: ${reason}`,
    );
  }
  return { value: Number(digits) + 0, percent: true };
}

/**
 * Parses a text from the command line or an annotation: a number if it is an int32, otherwise the text itself.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go Parse
 */
export function parse(text: string): IntOrString {
  return INTEGER.test(text) && isInt32(Number(text)) ? Number(text) + 0 : text;
}

/**
 * Parses a decimal int64 with an optional sign. Returns undefined for any other text.
 *
 * Upstream: Go's strconv.ParseInt(text, 10, 64)
 */
export function parseInt64(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/**
 * Returns whether a decoded JSON value is valid in such a field.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/intstr/intstr.go IntOrString.UnmarshalJSON
 */
export function isIntOrString(value: unknown): value is IntOrString {
  return typeof value === 'string' || (typeof value === 'number' && isInt32(value));
}

const INTEGER = /^[+-]?\d+$/;

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}
